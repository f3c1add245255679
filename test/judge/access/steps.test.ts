/** Searches about dense ACLs take few steps. A number of steps does not depend on the machine. */
import { changesOf, outcomeKey } from "../../../src/judge/access/changes";
import type { Acl } from "../../../src/judge/access/decide";
import { prove } from "../../../src/judge/access/proof";
import { randomFrom, samples, type Random } from "../../support/seed";

const hex = (index: number, length: number) => (index + 0x1234567).toString(16).padStart(length, "a");
const some = (make: (index: number) => unknown) => Array.from({ length: 40 }, (_, index) => make(index));

/** Each signal with more entries than an ACL may have. */
const pools: Readonly<Record<string, readonly unknown[]>> = {
  ipv4_cidrs: some((index) => `${10 + index}.0.0.0/${8 + (index % 3)}`),
  ipv6_cidrs: some((index) => `2001:db8:${index.toString(16)}::/48`),
  connecting_ipv4_cidrs: some((index) => `${60 + index}.0.0.0/${8 + (index % 3)}`),
  connecting_ipv6_cidrs: some((index) => `2001:db9:${index.toString(16)}::/48`),
  geo_country_codes: "US DE FR GB IR KP CN RU IN BR JP KR IT ES PL NL SE NO FI DK CA MX AR CL ZA NG EG TR SA".split(
    " ",
  ),
  geo_subdivision_codes: some((index) => `US-${"ABCDEFGHIJ"[index % 10]}${"KLMN"[Math.floor(index / 10)]}`),
  auth0_managed: ["low_reputation", "icloud_relay_proxy", "proxy", "tor", "vpn"].map((name) => `auth0.${name}`),
  user_agents: some((index) => `agent/${index}`),
  hostnames: some((index) => `h${index}.example.com`),
  asns: some((index) => 64_500 + index),
  ja3_fingerprints: some((index) => hex(index, 32)),
  ja4_fingerprints: some((index) => `t13d1516h2_${hex(index, 12)}_${hex(index, 12)}`),
  http_message_signature: some((index) => ({ id: `key_${index}` })),
};

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  return list
    .map((one) => [random(), one] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, one]) => one);
}

const actions = [
  { allow: true },
  { block: true },
  { block: true },
  { redirect: true, redirect_uri: "https://a.example" },
];
const scopes = ["tenant", "authentication", "management"];
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** With twenty entries in each of so many signals. */
function denseAcl(random: Random, priority: number, least: number, most: number): Acl {
  const sides: Record<string, Record<string, unknown>> = { match: {}, not_match: {} };
  const count = least + Math.floor(random() * (most - least + 1));
  for (const name of shuffled(random, Object.keys(pools)).slice(0, count)) {
    const entries = shuffled(random, pools[name]!).slice(0, 20);
    sides[random() < 0.65 ? "match" : "not_match"]![name] =
      name === "http_message_signature" ? { keys: entries } : entries;
  }
  const given = Object.entries(sides).filter(([, criteria]) => Object.keys(criteria).length > 0);
  const rule = { action: pick(random, actions), scope: pick(random, scopes), ...Object.fromEntries(given) };
  return { active: true, priority, key: `acl ${priority}`, rule };
}

const denseAcls = (random: Random, count: number, least: number, most: number) =>
  Array.from({ length: count }, (_, index) => denseAcl(random, index + 1, least, most));

const wall: Acl = {
  active: true,
  priority: 0,
  key: "wall",
  rule: {
    action: { block: true },
    scope: "authentication",
    match: { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] },
  },
};

test.each([
  [1, 3],
  [13, 13],
])("a wall before nine ACLs of twenty entries in %d to %d signals is told in a million steps", (least, most) => {
  for (const seed of [2, 3, 6].slice(0, samples(1, 3))) {
    const nine = denseAcls(randomFrom(seed), 9, least, most);
    const { changed, undecided } = changesOf({ before: nine, after: [wall, ...nine] }, outcomeKey, {
      steps: 1_000_000,
    });
    const told = changed.find(({ key, extent }) => (extent?.ipv4 ?? 0) > 0.5 && key === '["allowed","blocked",true]');
    expect({ seed, apis: told?.apis }).toMatchObject({ seed, apis: expect.arrayContaining(["authentication"]) });
    if (most === 3) expect({ seed, undecided }).toEqual({ seed, undecided: [] });
  }
});

test("a wall is told without a single step of search", () => {
  const nine = denseAcls(randomFrom(1), 9, 1, 3);
  const { changed, undecided } = changesOf({ before: nine, after: [wall, ...nine] }, outcomeKey, { steps: 0 });
  expect(undecided).toContain("authentication");
  const [told, ...others] = changed.filter(({ key }) => key === '["allowed","blocked",true]');
  expect(told).toMatchObject({ isBound: true, exceptions: [] });
  expect(told!.extent!.ipv4).toBeGreaterThan(0.5);
  expect(others).toEqual([]);
});

test("ten different user agents of each of ten ACLs are compared some hundred thousand times", () => {
  const acls = Array.from({ length: 10 }, (_, index): Acl => {
    const user_agents = Array.from({ length: 10 }, (_one, at) => `agent-${index}-${at}`);
    return {
      active: true,
      priority: index + 1,
      rule: { action: { block: true }, scope: "tenant", match: { user_agents } },
    };
  });
  const lower = jest.spyOn(String.prototype, "toLowerCase");
  changesOf({ before: [], after: acls }, outcomeKey, { steps: 0 });
  expect(lower.mock.calls.length).toBeLessThan(400_000);
  lower.mockRestore();
});

test("an expectation about thirteen ACLs is decided in few steps", () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const acls = denseAcls(randomFrom(seed), 13, 1, 3);
    for (const outcome of ["reached", "blocked", "redirected"] as const) {
      const statement = {
        outcomes: [outcome],
        requests: [{ countries: ["DE"], user_agents: ["agent/1"] }],
        except: [{ scopes: ["management"] }, { hostnames: ["h1.example.com"] }],
      };
      const proof = prove(statement, acls, 20_000);
      expect({ seed, outcome, verdict: proof.verdict }).not.toMatchObject({ verdict: "undecided", doubts: [] });
    }
  }
});
