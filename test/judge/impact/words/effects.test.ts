/** The words of effects, pinned here and nowhere else: other tests ask the data; words for amounts and lists, and names of people and organizations. */
import type { Cause, Change } from "../../../../src/judge/impact/cause";
import { type Code, effect, type Effect } from "../../../../src/judge/impact/effect";
import type { Facts, GapFacts } from "../../../../src/judge/impact/facts";
import type { PlannedObject } from "../../../../src/judge/impact/model";
import {
  directoryOf,
  organizationWords,
  personWords,
} from "../../../../src/judge/impact/organization-member-set/changes";
import { judgeMembers } from "../../../../src/judge/impact/organization-member-set/effects";
import type { MemberFacts } from "../../../../src/judge/impact/organization-member-set/facts";
import { amountWords, andWords, clipped, orWords } from "../../../../src/formats/text/lists";
import type { Limit } from "../../../../src/judge/impact/rate-limit-policy/policy";
import type { LockoutFacts } from "../../../../src/judge/impact/statement/facts";
import { brief, briefLine, sentence, who, withCauses } from "../../../../src/judge/impact/words/words";
import { members as setOf, memberSet } from "../support/member-sets";
import { text as factsText, worded as wordsOf } from "../support/worded";

const third = "third_party_clients";
const block = (limit: number | null, by = third): Limit => ({ action: "block", limit, by });
const redirect = (limit: number, redirect_uri: string, by = third): Limit => ({
  action: "redirect",
  limit,
  redirect_uri,
  by,
});
const limit = (was: Limit | null, is: Limit | null, consumer_selector = third, assumptions: string[] = []): Effect =>
  effect(
    "TNF-LIMIT-TIGHTENED",
    {
      kind: "limit",
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector,
      apis: ["authentication"],
      was,
      is,
    },
    {
      assumptions: assumptions.map((text) => ({ is: "clause", text })),
      certainty: assumptions.length > 0 ? "possible" : "certain",
    },
  );

const people = (...names: string[]) => ({ count: names.length, some: names.map((id) => ({ id, words: id })) });
const object = { address: "tenant_network_acl.a" };
const cause = (change: Change, more: Partial<Cause> = {}): Cause => ({ ...object, change, ...more });
const members = (facts: Partial<MemberFacts>, more: Parameters<typeof effect>[2] = {}): Effect =>
  effect(
    "TNF-MEMBERS-REMOVED",
    { kind: "members", organization: { id: "org_1", words: '"Acme" (org_1)' }, before: 8, after: null, ...facts },
    more,
  );
const lockout = (facts: Partial<LockoutFacts>, certainty: Effect["certainty"] = "certain"): Effect =>
  effect(
    "TNF-ACL-LOCKOUT",
    {
      kind: "lockout",
      request: "token",
      outcome: "blocked",
      by: ['"Wall" (priority 9)'],
      unless: [],
      shares: [],
      ...facts,
    },
    { certainty },
  );
const of = (facts: Facts, code: Code = "TNF-REPLACED") => effect(code, facts);
const key = { address: "tenant_network_acl_key.k", key: { name: "edge" } };

const worded = (effects: Readonly<Record<string, Effect>>) =>
  `\n${Object.entries(effects)
    .map(([name, one]) => `${name}: ${sentence(one)}`)
    .join("\n")}\n`;

test("limits", () => {
  expect(
    worded({
      "a group": limit(block(50), block(10)),
      "a group that had the default": limit(block(5, "default"), block(5), third, [
        "how many share the limit is not known",
      ]),
      "a new limit": limit(null, block(1)),
      "the default": limit(block(100, "default"), block(0, "default"), "default"),
      "one application": limit(block(12_000, "client_id:abc"), null, "client_id:abc"),
      "a metadata document": limit(block(1, "cimd_clients"), block(2, "cimd_clients"), "cimd_clients"),
      "a selector of a later version": limit(block(1, "constructor"), block(2, "constructor"), "constructor"),
      "a sensitive selector": limit(block(1, "(sensitive)"), block(2, "(sensitive)"), "(sensitive)"),
      "unknown applications": limit(null, block(1), "(known after apply: policy.a)"),
      "a log": limit({ action: "log", limit: 5, by: third }, { action: "log", limit: 9, by: third }),
      "no limit": limit({ action: "allow", limit: null, by: third }, block(null)),
      "a sensitive limit": limit({ action: "(sensitive)", limit: null, by: third }, block(5)),
      "an unknown limit": limit(block(5), { action: "(known after apply)", limit: null, by: third }),
      "a redirect": limit(block(5), redirect(5, "https://a.example/x")),
      "another path of a host": limit(redirect(5, "https://a.example/x"), redirect(5, "https://a.example/y")),
      "another host": limit(redirect(0, "https://a.example/x"), redirect(0, "https://a.example@b.example/")),
      "an unknown redirect": limit(null, redirect(5, "(known after apply)")),
      "two reasons": limit(block(5), null, third, ["one is not known", "another is not known"]),
      "its own application": of({ kind: "own limit", client: "abc", rate: 0, selector: "default", isCertain: true }),
      "perhaps its own": of({ kind: "own limit", client: "abc", rate: 2, selector: "client_id:abc", isCertain: false }),
    }),
  ).toMatchSnapshot();
});

test("members", () => {
  expect(
    worded({
      "one leaves": members({ loses: people("ada") }),
      "many leave": members({ loses: people("a", "b", "c", "d") }),
      "all leave": members({ loses: people("a", "b"), before: 2, after: 0 }),
      "nobody knows how many there are": members({ loses: people("a", "b"), before: null }),
      "their names are sensitive": members({ loses: { count: 2, some: [] } }),
      "3,000 leave": members({ loses: { count: 3_000, some: people("a", "b", "c").some }, before: 5_000 }),
      "one joins": members({ gains: people("zoe") }),
      "two may join": members({ gains: people("a", "b") }, { certainty: "possible" }),
      "one stays": members({ stays: people("a") }, { cause: [cause({ kind: "changed", attributes: [] })] }),
      "some may leave": members({ mayLose: 3 }, { assumptions: [{ is: "open attributes", attributes: ["members"] }] }),
      "any number may leave": members(
        { mayLose: null, before: null },
        { assumptions: [{ is: "clause", text: "the number is not known" }] },
      ),
      "more may join": members(
        { mayGain: true },
        { assumptions: [{ is: "open attributes", attributes: ["members"] }] },
      ),
    }),
  ).toMatchSnapshot();
  expect(brief(members({ loses: people("ada") }))).toBe('1 of 8 members loses access to "Acme" (org_1).');
  expect(who(members({ loses: people("a", "b") }))).toBe("a, b");
});

type Gap<Each = GapFacts> = Each extends GapFacts ? Omit<Each, "kind"> : never;
const gap = (facts: Gap) => effect("TNF-INCOMPLETE", { kind: "gap", ...facts } as GapFacts);

test("objects, keys and gaps", () => {
  expect(
    worded({
      "a key is created": of({ kind: "object", object: key, change: "created" }),
      "an object is destroyed": of({ kind: "object", object, change: "destroyed" }),
      "an old object is destroyed": of({ kind: "object", object, change: "destroyed", isLeftOver: true }),
      "an object is replaced": of({ kind: "object", object, change: "replaced" }),
      "it is replaced and stays": of({ kind: "object", object, change: "replaced", stays: true }),
      "a key is rotated": of({
        kind: "object",
        object: key,
        change: "replaced",
        next: { name: "new" },
        how: "rotated",
      }),
      "a key is renamed": of({
        kind: "object",
        object: key,
        change: "replaced",
        next: { prefix: "e-" },
        how: "renamed",
      }),
      "an object is forgotten": of({ kind: "object", object, change: "forgotten" }),
      "it is imported": of({ kind: "object", object, change: "imported" }),
      "it is adopted": of({ kind: "object", object, change: "adopted", noun: "network ACL", id: "acl_1" }),
      "it has moved": of({ kind: "object", object, change: "moved", from: "tenant_network_acl.b" }),
      "it has another name": of({ kind: "object", object, change: "renamed", from: "acl.b", noun: "network ACL" }),
      "somebody changed it": of({ kind: "object", object, change: "drifted", attributes: ["rule"], planned: "undone" }),
      "somebody deleted it": of({ kind: "object", object, change: "drifted", planned: "kept" }),
      "two resources have it": of({
        kind: "duplicate",
        managers: [object, { ...object, plan: "eu" }],
        identity: "network ACL acl_1",
      }),
      "early access": of({ kind: "features", features: ["match_all"] }),
      "a key is in use": of({ kind: "key", acl: '"Edge" (priority 1)', keys: [key], going: ["destroyed"] }),
      "keys are in use": of({
        kind: "key",
        acl: '"Edge" (priority 1)',
        keys: [key, key],
        going: ["destroyed", "replaced"],
      }),
      "a rule follows": of({ kind: "key", acl: '"Edge" (priority 1)', keys: [], stops: "material", goesFirst: true }),
      "a plan failed": gap({ gap: "failed", others: 0 }),
      "a plan failed with errors": gap({
        gap: "failed",
        error: { summary: "No such thing.", address: "auth0_client.a" },
        others: 2,
      }),
      "a plan is refused": gap({
        gap: "failed",
        error: { summary: "Lock-out", code: "TNF-PLAN-LOCKOUT" as Code },
        others: 0,
      }),
      "a plan leaves out changes": gap({ gap: "incomplete", deferred: [] }),
      "a plan defers a change": gap({
        gap: "incomplete",
        deferred: [{ address: "a.b", deferred: "instance_count_unknown" }],
      }),
      "a stack has no plan": gap({ gap: "unplanned", stack: "edge two" }),
      "the tenant refuses a list": gap({ gap: "refused", objects: "network ACLs", reason: "insufficient_scope." }),
      "another tenant was read": gap({ gap: "tenant", doubt: { is: "read from", host: "a.eu.auth0.com" } }),
      "perhaps one tenant": gap({ gap: "tenant", doubt: { is: "perhaps that of", others: ["edge", "core"] } }),
      "objects without a tenant": gap({
        gap: "tenant",
        doubt: { is: "not shown of", addresses: ["a", "b", "c", "d", "e", "f", "g"] },
      }),
    }),
  ).toMatchSnapshot();
});

test("statements", () => {
  const statement = { kind: "statement", name: "sanctions", reason: { kind: "effort" } } as const;
  expect(
    worded({
      "the token": lockout({}),
      "a protected request": lockout({
        request: "protected request",
        called: "our CI",
        because: [{ is: "clause", text: "the address matches" }],
      }),
      "most of the Management API": lockout({ request: "breadth", shares: ["80 % of requests over IPv4"] }),
      "most for a request": lockout({ request: "breadth", called: "AS 1", shares: ["80 % of requests over IPv4"] }),
      "two redirect perhaps": lockout({ outcome: "redirected", by: ["acl.a", "acl.b"] }, "possible"),
      "another may allow it": lockout({ unless: ["acl.c"] }, "possible"),
      "its values are not known": lockout({ isOpen: true }, "possible"),
      "a sensitive value": lockout({ request: "breadth", isHidden: true }),
      "it was so": lockout({ was: "blocked" }),
      "another one blocked it": lockout({ was: "blocked by another ACL" }),
      "an expectation breaks": of({ ...statement, was: "other", is: "broken" }),
      "it was broken": of({ ...statement, was: "broken", is: "broken" }),
      "it is not decided": of({ ...statement, was: "other", is: "undecided" }),
    }),
  ).toMatchSnapshot();
});

test("causes", () => {
  const causes: Change[] = [
    ...(["created", "destroyed", "replaced", "forgotten", "imported", "activated", "deactivated"] as const).map(
      (kind) => ({ kind }),
    ),
    { kind: "changed", attributes: [] },
    { kind: "changed", attributes: [{ path: "active" }] },
    { kind: "changed", attributes: [{ path: "exclusive", was: false, is: true }] },
    { kind: "changed", attributes: [{ path: "exclusive", was: true, is: false }] },
    { kind: "changed", attributes: [{ path: "organization_id" }] },
    { kind: "changed", attributes: [{ path: "rule" }] },
    { kind: "changed", attributes: [{ path: "rule.action", was: "log", is: "block" }] },
    { kind: "changed", attributes: [{ path: "rule.action" }] },
    { kind: "changed", attributes: [{ path: "priority", was: 1, is: 9 }] },
    { kind: "changed", attributes: [{ path: "priority" }] },
    { kind: "decides", what: "requests" },
    { kind: "decides", what: "requests", before: true },
    { kind: "decides", what: "policy" },
    { kind: "decides", what: "members" },
  ];
  const withCause = (...all: Cause[]) => effect("TNF-LIMIT-TIGHTENED", factsText("It changes."), { cause: all });
  expect(`\n${causes.map((one) => briefLine(withCause(cause(one)))).join("\n")}\n`).toMatchSnapshot();
  const four = causes.slice(0, 4).map((one) => cause(one, { file: "main.tf", line: 7 }));
  expect(withCauses(withCause(...four))).toMatchSnapshot();
});

test.each<[bigint, string[]]>([
  [0n, []],
  [1n, ["1 address"]],
  [2n, ["2 addresses"]],
  [1n << 40n, ["1,099,511,627,776 addresses"]],
  [1n << 41n, ["2^41 addresses"]],
  [(1n << 41n) + 1n, ["about 2^41 addresses"]],
  [(1n << 128n) - 4n, ["about 2^128 addresses"]],
  [5n << 62n, ["about 2^64 addresses"]],
  [7n << 62n, ["about 2^65 addresses"]],
])("words the amount %s", (count, words) => expect(amountWords(count, ["address", "addresses"])).toEqual(words));

test("shortens a name to the most characters, and splits none", () => {
  expect(["abcd", "abcde", "😀😀😀😀", "😀😀😀😀😀"].map((text) => clipped(text, 4))).toEqual([
    "abcd",
    "abc…",
    "😀😀😀😀",
    "😀😀😀…",
  ]);
  expect([48, 49].map((length) => clipped("a".repeat(length)))).toEqual(["a".repeat(48), `${"a".repeat(47)}…`]);
});

test("joins words, again and again", () => {
  for (const _ of [1, 2]) {
    expect([andWords(["A", "B", "C"]), orWords(["A", "B", "C"])]).toEqual(["A, B and C", "A, B or C"]);
  }
});

describe("names of people", () => {
  const ada = "auth0|ada";

  test.each<[object, string | undefined, string]>([
    [{}, undefined, ada],
    [{ name: "Ada Lovelace" }, undefined, "Ada Lovelace"],
    [{ name: "Ada", email: "ada@example.org" }, "on call", 'Ada (example.org, "on call")'],
    [{ name: "Zoë O’Neil-Łuk 3.", email: "z@münchen.example" }, undefined, "Zoë O’Neil-Łuk 3. (münchen.example)"],
    [{ name: "ada@example.org", email: "ada@example.org" }, undefined, "ada@example.org"],
    [{ email: "ada@example.org" }, undefined, "ada@example.org"],
    [{ name: " ", email: "no address" }, undefined, ada],
    [{}, 'ends" here.\nNothing changes', `${ada} ("ends' here. Nothing changes")`],
    [{ name: "Ada, Bob and 28 more" }, undefined, ada],
    [{ name: "<img src=x>" }, undefined, ada],
    [{ name: "Ada\u202egnihton" }, undefined, ada],
    [{ name: "Ada\nBob" }, undefined, ada],
    [{ name: "x".repeat(61) }, undefined, ada],
    [{ name: "Ada", email: "ada@example.org) and others" }, undefined, "Ada"],
  ])("names %j with the note %j as %s", (person, note, words) => {
    const named = directoryOf({ people: new Map([[ada, person]]) });
    expect(named(new Map(note === undefined ? [] : [[ada, note]])).words(ada)).toBe(words);
  });

  test("tells people with the same name and domain apart", () => {
    const emails = { a: "1@one.example", b: "2@one.example", c: "1@two.example" };
    const directory = new Map(Object.entries(emails).map(([id, email]) => [id, { name: "Ada", email }]));
    const shown = ["Ada (one.example, a)", "Ada (one.example, b)", "Ada (two.example)", "d"];
    expect(["a", "b", "c", "d"].map(directoryOf({ people: directory })(new Map()).words)).toEqual(shown);
  });

  test("shows the display name of an organization with its id", () => {
    const organization_names = new Map(Object.entries({ org_1: "Acme", org_2: 'A" (org_9)' }));
    const words = (id: string) => organizationWords(id, { organization_names });
    expect(["org_1", "org_2", "org_3"].map(words)).toEqual(['"Acme" (org_1)', `"A' (org_9)" (org_2)`, "org_3"]);
  });

  const noted = (members_with_notes: object) => setOf(null, { members_with_notes });
  const judged = (before: object, after: object, more?: Partial<PlannedObject>) =>
    judgeMembers([memberSet("set.a", noted(before), noted(after), more)]);

  test("names people with notes first when they leave, and people who join with the note of the new list", () => {
    const leaving = judged({ a: "", b: "", c: "", d: "", e: "", ada: "founder", zoe: "on call" }, { a: "" });
    expect(wordsOf(leaving.effects[0]!).text).toBe(
      '6 of 7 members lose access to org_1: ada ("founder"), zoe ("on call") and 4 more.',
    );
    const [change] = leaving.changes;
    expect(change).toMatchObject({
      loses: ["ada", "b", "c", "d", "e", "zoe"],
      people: { ada: 'ada ("founder")', zoe: 'zoe ("on call")' },
    });
    const named = ["ada", "b", "toString"].map((id) => personWords(change!, id));
    expect(named).toEqual(['ada ("founder")', "b", "toString"]);
    const [joining] = judged({ a: "" }, { a: "", zoe: "on call" }).effects;
    expect(wordsOf(joining!).text).toBe('1 member gains access to org_1: zoe ("on call").');
  });

  test.each<Partial<PlannedObject>>([
    { beforeSensitive: { members_with_notes: { ada: true } } },
    { afterSensitive: { members_with_notes: { ada: true } } },
  ])("does not show a sensitive note: %j", (marks) => {
    const judgement = judged({ ada: "founder", b: "boss" }, { b: "boss" }, marks);
    expect(wordsOf(judgement.effects[0]!).text).toBe("1 of 2 members loses access to org_1: ada.");
    expect(JSON.stringify(judgement.changes)).not.toContain("founder");
  });

  test("does not show names of people that the plan hides", () => {
    const marks = { beforeSensitive: { members: true }, afterSensitive: { members: true } };
    const directory = new Map([["ada", { name: "Ada Lovelace" }]]);
    const one = memberSet("set.a", setOf(["ada", "b"]), setOf(["b"]), marks);
    const judgement = judgeMembers([one], undefined, { people: directory });
    expect(JSON.stringify([judgement.changes, judgement.effects])).not.toMatch(/ada|lovelace/i);
  });
});
