/** The sentences about lock-outs, and their effects in a verdict. */
import type { Acl } from "../../src/access/access";
import type { Finding } from "../../src/impact/finding";
import { lockoutEffects } from "../../src/impact/lockout/effects";
import { alreadyWords, lockoutFindings } from "../../src/impact/lockout/findings";
import type { Lockout } from "../../src/impact/lockout/lockout";
import type { ProtectedRequest } from "../../src/impact/lockout/protected-request";
import { lockoutWords } from "../../src/impact/lockout/words";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { analyseAcls } from "../../src/impact/network-acl/analysis";
import { acl, allow, everywhere } from "./support/acls";

const wordsOf = (lockout: Partial<Lockout<Acl>>, titles: readonly string[] = ["the wall"], when?: string) =>
  lockoutWords(
    {
      kind: "protected request",
      called: "our CI",
      certainty: "certain",
      already: false,
      outcome: "blocked",
      by: [],
      ...lockout,
    },
    titles,
    ...(when === undefined ? [] : [when]),
  );
const request = 'the request "our CI" of protected_requests';
const breadth = { kind: "breadth", called: undefined as never, shares: ["75 % of IPv4 addresses"] } as const;

test.each<[string, Partial<Lockout<Acl>>, string]>([
  ["a blocked request", {}, `After this plan, the wall would block ${request}`],
  ["a redirected request", { outcome: "redirected" }, `After this plan, the wall would redirect ${request}`],
  ["a request that may be blocked", { certainty: "possible" }, `After this plan, the wall may block ${request}`],
  [
    "a request that may be redirected",
    { certainty: "possible", outcome: "redirected" },
    `After this plan, the wall may redirect ${request}`,
  ],
  [
    "a request that may have been blocked before",
    { already: true, certainty: "possible" },
    `The wall may block ${request}`,
  ],
  ["a request that was blocked before", { already: true }, `The wall blocks ${request}`],
  ["a request that was redirected before", { already: true, outcome: "redirected" }, `The wall redirects ${request}`],
  [
    "a request that another ACL blocked before",
    { already: true, byOther: true },
    `After this plan, the wall would block ${request}`,
  ],
  ["the reason", { because: "it matches" }, `After this plan, the wall would block ${request}: it matches`],
  [
    "a token request",
    { kind: "token", because: "it matches" },
    "After this plan, the wall would block Terraform's request for a token: it matches",
  ],
  ["most addresses", breadth, "After this plan, the wall would block 75 % of IPv4 addresses from the Management API"],
  [
    "most addresses of both families",
    { ...breadth, shares: ["75 % of IPv4 addresses", "all"] },
    "After this plan, the wall would block 75 % of IPv4 addresses and all from the Management API",
  ],
  [
    "most addresses for a request",
    { ...breadth, called: "our CI" },
    "After this plan, the wall would block 75 % of IPv4 addresses from the Management API for the request " +
      '"our CI" of protected_requests, whose other facts are not known',
  ],
])("words %s", (_what, lockout, words) => {
  expect(wordsOf(lockout)).toBe(words);
});

test.each<[number, string]>([
  [1, "A"],
  [2, "A and B"],
  [3, "A, B and C"],
  [5, "A, B, C, D and E"],
  [6, "A, B, C, D, E and 1 more"],
  [8, "A, B, C, D, E and 3 more"],
])("names at most five of %d ACLs", (count, words) => {
  expect(wordsOf({}, [..."ABCDEFGH"].slice(0, count))).toBe(`After this plan, ${words} would block ${request}`);
});

test("names the moment", () => {
  expect(wordsOf({}, ["the wall"], "For a moment")).toBe(`For a moment, the wall would block ${request}`);
});

describe("findings", () => {
  const terraform = { userAgents: ["A"], asksToken: false, countries: ["DE"] };
  const ci: ProtectedRequest = { called: "our CI", path: "/api/v2/", facts: { ip: "203.0.113.7" } };
  const office = { ipv4_cidrs: ["203.0.113.0/24"] };
  const rule = { scope: "management", match: office };
  const found = (
    before: readonly PlannedAcl[],
    after: readonly PlannedAcl[],
    own: readonly ProtectedRequest[] = [ci],
  ) => lockoutFindings({ before, after }, { own, base: [] }, terraform, true);

  test("tell that another ACL blocked the request before the change", () => {
    const old = { ...acl(1, rule), key: "old" };
    expect(found([old], [acl(2, rule)])[0]!.text).toMatch(
      /^After this plan, "ACL 2" \(priority 2\) would block .*\. Another network ACL blocked it before the change\.$/,
    );
  });

  test("count a block of most addresses as older if it is, and a blocked request if no ACL of the block changes", () => {
    const wide = acl(1, { scope: "management", match: everywhere });
    expect(found([wide], [wide], [])).toMatchObject([{ already: true }]);
    expect(found([], [wide], [])[0]).not.toHaveProperty("already");
    const changed = { ...wide, rule: { ...wide.rule, not_match: { asns: [1] } } };
    expect(found([changed], [wide], [])).toMatchObject([{ already: true }]);
    const parts = [
      acl(1, { scope: "management", match: { asns: [5] } }),
      acl(2, { scope: "management", action: allow, match: { asns: [5] } }),
      acl(3, { scope: "management", not_match: { asns: [5] } }),
    ];
    expect(found(parts, parts)).toMatchObject([{ already: true }]);
    const older = [{ ...parts[0]!, rule: { ...parts[0]!.rule, match: { asns: [5, 6] } } }, ...parts.slice(1)];
    expect(found(older, parts).filter(({ text }) => text.includes("our CI"))[0]).not.toHaveProperty("already");
  });
});

describe("effects", () => {
  const office = { ipv4_cidrs: ["203.0.113.0/24"] };
  const [open, wall] = [acl(1, { action: allow, match: office }), acl(2, { match: everywhere })];
  const finding = (more: Partial<Finding> = {}): Finding => ({
    code: "TF-ACL-LOCKOUT",
    level: "critical",
    text: "The wall would block Terraform.",
    address: "acl.2",
    ...more,
  });
  const effectsOf = (findings: Finding[], before: PlannedAcl[], after: PlannedAcl[]) =>
    lockoutEffects(findings, analyseAcls({ before, after }));

  test("name the ACL that the plan changes", () => {
    expect(effectsOf([finding()], [open], [open, wall])).toEqual([
      {
        kind: "lockout",
        level: "critical",
        apis: [],
        share: null,
        who: "Terraform or a protected request",
        text: "Lock-out: The wall would block Terraform.",
        cause: [{ address: "acl.2", words: "is created" }],
        certainty: "certain",
        assumptions: [],
        examples: [],
      },
    ]);
  });

  test("name no other ACL that the plan changes", () => {
    const other = acl(3, { match: everywhere, scope: "management" });
    expect(effectsOf([finding()], [open], [open, wall, other])[0]!.cause.map(({ address }) => address)).toEqual([
      "acl.2",
    ]);
  });

  test("are only possible for a possible lock-out", () => {
    const possible = finding({ code: "TF-ACL-LOCKOUT-POSSIBLE", level: "medium" });
    expect(effectsOf([possible], [open], [open, wall])).toMatchObject([{ certainty: "possible", level: "medium" }]);
  });

  test("name the change that makes requests reach an unchanged ACL", () => {
    expect(effectsOf([finding()], [open, wall], [wall])).toMatchObject([
      { cause: [{ address: "acl.1", words: "is destroyed" }] },
    ]);
  });

  test("do not name a change that only allows requests", () => {
    const other = { ipv4_cidrs: ["198.51.100.0/24"] };
    const more = acl(3, { action: allow, match: other }, { priority: 1 });
    const [effect] = effectsOf([finding()], [open, wall], [more, wall]);
    expect(effect!.cause).toEqual([{ address: "acl.1", words: "is destroyed" }]);
  });

  test("leave out what was so before, and other findings", () => {
    const others = [
      finding({ already: true }),
      finding({ text: `The wall blocks Terraform. This was already so ${alreadyWords}` }),
      finding({ code: "TF-ACL-OPENED" }),
    ];
    expect(effectsOf(others, [open], [open, wall])).toEqual([]);
  });
});
