/** Compares the effects of two changes of ACLs, against every request of a small world. */
import { byRecord } from "../../src/access/action";
import { compareEffects, type AclsOfChange } from "../../src/access/effect-comparison";
import type { Acl } from "../../src/access/decide";
import { block } from "./support/acl";
import { documented, evaluator, world, type Request } from "./support/requests";
import { fours, inWorld, randomly } from "./support/statements";
import { expectSeen, seeds } from "../support/seed";

const requests = world.filter(({ agent, managed, connecting }) => agent + managed === "" && connecting === "11.0.0.0");

type Change = AclsOfChange<Acl>;

/** The result of each request before and after the change. */
const endsOf = ({ before, after }: Change, some: readonly Request[] = requests) => {
  const [was, is] = [evaluator(before, documented), evaluator(after, documented)];
  return some.map((request) => [was(request).outcome, is(request).outcome] as const);
};

const effectsOf = (change: Change) => endsOf(change).map(([was, is]) => (was === is ? "none" : `${was} -> ${is}`));

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
      ...(!random(2) && { geo_country_codes: some(["DE", "US"]) }),
      ...(!random(2) && { ipv4_cidrs: some(fours) }),
      ...(!random(3) && { geo_subdivision_codes: ["US-CA"] }),
    };
    return block({ action: pick(actions), match, scope: pick(["tenant", "management"]) }, index, `k${index}`);
  });
}

const shown = ({ outcome, redirect_uri = "" }: { outcome: string; redirect_uri?: string }) =>
  (outcome === "allowed" ? "reached" : outcome) + redirect_uri;

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
        before: [...first, block({ match: { ipv4_cidrs: ["10.0.0.1"] } }, 9)],
        after: [...second, block({ match: { ipv4_cidrs: ["10.0.0.1"] } }, 9)],
      },
    ][seed % 4]!;
    const { verdict, differences } = compareEffects(one, other);
    verdicts[verdict]++;
    const isSame = effectsOf(one).join() === effectsOf(other).join();
    expect({ seed, verdict }).toEqual({ seed, verdict: isSame ? "same" : "different" });
    for (const { witness, ...effects } of differences) {
      const said = [effects.one, effects.other].map(({ before, after }) => [before, after].map(shown));
      expect(said).toEqual([one, other].flatMap((change) => endsOf(change, [inWorld(witness)])));
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
