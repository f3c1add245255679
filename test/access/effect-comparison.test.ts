/** Compares the effects of two changes of ACLs, against every request of a small world. */
import { byRecord } from "../../src/access/action";
import { compareEffects } from "../../src/access/effect-comparison";
import { decide, type Acl } from "../../src/access/decide";
import type { AccessRequest } from "../../src/access/request";
import { block } from "./support/acl";
import { randomly } from "./support/statements";
import { expectSeen, seeds } from "../support/seed";

const ips = ["10.0.0.0", "10.0.0.1", "11.0.0.0", "2001:db8::"];
const world: AccessRequest[] = (["authentication", "management"] as const).flatMap((api) =>
  ips.flatMap((ip) =>
    ["DE", "FR", "US"].flatMap((country) =>
      [1, 2, 3].map((asn): AccessRequest => ({
        api,
        ip,
        connecting_ip: ip,
        country,
        asn,
        managed: [],
        user_agent: "",
      })),
    ),
  ),
);
const onlyGiven = new Map<string, string>();

const resultOf = (acls: readonly Acl[], request: AccessRequest) => {
  const { outcome, redirect_uri } = decide(acls, request, onlyGiven);
  return `${outcome} ${redirect_uri ?? ""}`;
};

function effectsOf({ before, after }: { before: readonly Acl[]; after: readonly Acl[] }) {
  return world.map((request) => {
    const [was, is] = [resultOf(before, request), resultOf(after, request)];
    return was === is ? "none" : `${was} -> ${is}`;
  });
}

const actions = [
  { block: true },
  { allow: true },
  { redirect: true, redirect_uri: "https://a.example" },
  { redirect: true, redirect_uri: "https://b.example" },
  { log: true },
];

function aclsFrom({ random, pick, some }: ReturnType<typeof randomly>): Acl[] {
  return Array.from({ length: random(4) }, (_, index) => {
    const match = {
      ...(!random(2) && { geo_country_codes: some(["DE", "FR"]) }),
      ...(!random(2) && { ipv4_cidrs: some(["10.0.0.0/31", "10.0.0.1/32", "11.0.0.0/8"]) }),
      ...(!random(3) && { asns: some([1, 2]) }),
    };
    return block({ action: pick(actions), match, scope: pick(["tenant", "management"]) }, index, `k${index}`);
  });
}

test("agrees with every request of the world for random changes", () => {
  const verdicts = { same: 0, different: 0, "not decided": 0 };
  for (const seed of seeds(160)) {
    const source = randomly(seed);
    const [first, second, third] = [aclsFrom(source), aclsFrom(source), aclsFrom(source)];
    // Most changes have a version in common, as two plans of one tenant have.
    const one = { before: first, after: second };
    const other = [
      { before: first, after: third },
      { before: third, after: second },
      { before: second, after: third },
      {
        before: [...first, block({ match: { asns: [2] } }, 9)],
        after: [...second, block({ match: { asns: [2] } }, 9)],
      },
    ][seed % 4]!;
    const { verdict, differences } = compareEffects(one, other);
    verdicts[verdict]++;
    const isSame = effectsOf(one).join() === effectsOf(other).join();
    expect({ seed, verdict }).toEqual({ seed, verdict: isSame ? "same" : "different" });
    for (const { witness, ...effects } of differences) {
      const shown = (change: typeof one, { before, after }: (typeof effects)["one"]) =>
        [
          [resultOf(change.before, witness), resultOf(change.after, witness)],
          [before, after].map(({ outcome, redirect_uri = "" }) => `${outcome} ${redirect_uri}`),
        ] as const;
      for (const [truth, said] of [shown(one, effects.one), shown(other, effects.other)]) expect(said).toEqual(truth);
    }
  }
  expect(verdicts["not decided"]).toBe(0);
  expectSeen(Math.min(verdicts.same, verdicts.different), 10);
});

test("a change of an unrelated ACL between two plans leaves their effects the same", () => {
  const office = block({ match: { ipv4_cidrs: ["10.0.0.0/8"] } }, 1);
  const other = block({ match: { ipv4_cidrs: ["11.0.0.0/8"] } }, 2);
  const changes = compareEffects({ before: [], after: [office] }, { before: [other], after: [other, office] });
  expect(changes).toEqual({ verdict: "same", differences: [], isComplete: true });
});

test("a budget that is used up decides nothing", () => {
  const acls = [block({ match: { asns: [1] } }, 1), block({ match: { asns: [2] } }, 2)];
  const { verdict } = compareEffects({ before: [], after: acls }, { before: acls, after: acls }, { steps: 1 });
  expect(verdict).toBe("not decided");
});

test("an uncertainty that matters under one assumption alone is a difference", () => {
  const both = { connecting_ipv4_cidrs: ["10.0.0.0/8"], connecting_ipv6_cidrs: ["2001:db8::/32"] };
  const each = Object.entries(both).map(([name, list], index) => block({ match: { [name]: list } }, index + 1));
  const { verdict } = compareEffects({ before: [], after: [block({ match: both })] }, { before: [], after: each });
  expect(verdict).toBe("different");
});

test.each([
  ["log", true],
  ["block", true],
  ["allow", false],
  ["redirect", false],
])("compares what the tenant records: %s", (action, isRecorded) => {
  const [none, some] = [
    { before: [], after: [] },
    { before: [], after: [block({ action: { [action]: true } })] },
  ];
  expect(compareEffects(none, some, { reading: byRecord }).verdict).toBe(isRecorded ? "different" : "same");
});
