/** Limits before and after a change, and the findings about them. */
import { limitChanges } from "../../src/impact/rate-limit-policy/changes";
import { isDrastic, judged, limitFindings } from "../../src/impact/rate-limit-policy/findings";
import { limitWords, type Limit } from "../../src/impact/rate-limit-policy/limit";
import type { PlannedObject, Values } from "../../src/impact/model";
import { policy as policyValues } from "./support/limits";

const limit = (action: string, number: number | null = null, redirect?: string): Limit => ({
  action,
  limit: number,
  ...(redirect !== undefined && { redirect_uri: redirect }),
  by: "client_id:a",
});
const policy = (selector: unknown, action: unknown, number?: unknown, more?: Values) =>
  policyValues(selector, { action, limit: number }, more);
const object = (name: string, before?: Values, after?: Values, more: Partial<PlannedObject> = {}): PlannedObject => ({
  address: `tenant_rate_limit_policy.${name}`,
  type: "tenant_rate_limit_policy",
  actions: ["update"],
  ...(before && { before }),
  ...(after && { after }),
  ...more,
});
const unknown = Symbol("not known yet");

test.each<[string, Limit | null, Limit | null, string[], boolean]>([
  ["an equal limit", limit("block", 5), limit("block", 5), [], false],
  ["a lower limit", limit("block", 5), limit("block", 4), ["TF-LIMIT-TIGHTENED"], false],
  ["a higher limit", limit("block", 5), limit("block", 6), ["TF-LIMIT-LOOSENED"], false],
  ["a first limit", null, limit("block", 5), ["TF-LIMIT-TIGHTENED"], true],
  ["a removed limit", limit("block", 5), null, ["TF-LIMIT-LOOSENED"], true],
  ["a limit that logs only", null, limit("log", 5), [], false],
  ["a logged limit that blocks", limit("log", 5), limit("block", 5), ["TF-LIMIT-TIGHTENED"], true],
  ["a blocked limit that logs only", limit("block", 5), limit("log", 5), ["TF-LIMIT-LOOSENED"], true],
  ["allow in place of a limit", limit("block", 5), limit("allow"), ["TF-LIMIT-LOOSENED"], true],
  ["log in place of allow", limit("allow"), limit("log", 1), [], false],
  ["a removed limit that logs only", limit("log", 5), null, [], false],
  ["a first redirect without an address", null, limit("redirect", 5), ["TF-LIMIT-TIGHTENED"], true],
  ["a limit of 0", limit("block", 5), limit("block", 0), ["TF-LIMIT-BLOCKED"], true],
  ["a limit that stays 0", limit("block", 0), limit("block", 0), [], false],
  ["a redirect with limit 0", limit("redirect", 5, "x"), limit("redirect", 0, "x"), ["TF-LIMIT-TIGHTENED"], true],
  [
    "a lower limit with a new redirect",
    limit("block", 5),
    limit("redirect", 4, "x"),
    ["TF-LIMIT-TIGHTENED", "TF-LIMIT-REDIRECT"],
    false,
  ],
  ["a redirect that becomes a block", limit("redirect", 5, "x"), limit("block", 5), ["TF-LIMIT-REDIRECT"], false],
  ["a block that becomes a redirect", limit("block", 5), limit("redirect", 5, "x"), ["TF-LIMIT-REDIRECT"], false],
  [
    "a redirect of everything that becomes a block",
    limit("redirect", 0, "x"),
    limit("block", 0),
    ["TF-LIMIT-BLOCKED"],
    false,
  ],
  ["another redirect", limit("redirect", 5, "x"), limit("redirect", 5, "y"), ["TF-LIMIT-REDIRECT"], false],
  ["the same redirect", limit("redirect", 5, "x"), limit("redirect", 5, "x"), [], false],
  ["a removed redirect", limit("redirect", 5, "x"), limit("redirect", 5), [], false],
  ["a limit without a number before", limit("block"), limit("block", 5), ["TF-LIMIT-UNKNOWN"], false],
  ["the same limit without a number", limit("block"), limit("block"), [], false],
  ["an action that this version does not know", limit("slow", 5), limit("slow", 6), ["TF-LIMIT-UNKNOWN"], false],
])("judges %s", (_, before, after, codes, drastic) => {
  expect(judged({ before, after })).toEqual(codes);
  expect(isDrastic({ before, after })).toBe(drastic);
  expect(judged({ before, after, open: true })).toEqual(["TF-LIMIT-UNKNOWN"]);
});

test.each<[Limit | null, string]>([
  [null, "no limit"],
  [limit("allow"), "allow"],
  [limit("block", 5), "block above 5/s"],
  [limit("block"), "block above (known after apply)"],
  [limit("log", 5), "log above 5/s"],
  [limit("redirect", 5, "https://x.example"), "redirect to https://x.example above 5/s"],
  [limit("redirect", 5), "redirect above 5/s"],
  [{ ...limit("block", 5), by: "default" }, "block above 5/s (default)"],
])("words a limit: %j", (given, words) => {
  expect(limitWords(given)).toBe(words);
});

test("gives a client without a policy of its own the limit of the default", () => {
  const changes = limitChanges([
    object("own", policy("client_id:a", "block", 50)),
    object("default", policy("default", "block", 5), policy("default", "block", 5)),
  ]);
  expect(changes).toMatchObject([
    {
      consumer_selector: "client_id:a",
      before: { limit: 50, by: "client_id:a" },
      after: { limit: 5, by: "default" },
      note: "whether the client belongs to a group with a policy of its own is not known",
    },
    { consumer_selector: "default", before: { limit: 5 }, after: { limit: 5 } },
  ]);
  expect(changes[1]).not.toHaveProperty("note");
  expect(limitFindings(changes)).toMatchObject([
    {
      code: "TF-LIMIT-TIGHTENED",
      level: "low",
      address: "tenant_rate_limit_policy.own",
      text: expect.stringMatching(
        /^The limit for client_id:a is tighter: from block above 50\/s to block above 5\/s \(default\); wh/,
      ),
    },
  ]);
});

test("takes the default from unmanaged policies, and never lists them", () => {
  const remote = [
    { id: "rlp_d", ...policy("default", "block", 7) },
    { id: "rlp_o", ...policy("third_party_clients", "block", 1) },
    { id: "rlp_a", ...policy("client_id:a", "block", 99) },
  ];
  const changes = limitChanges([object("own", policy("client_id:a", "block", 50, { id: "rlp_a" }))], remote);
  expect(changes).toMatchObject([{ before: { limit: 50 }, after: { limit: 7, by: "default" } }]);
});

test("keeps limits of different resources and consumers apart", () => {
  const other = policy("default", "block", 3, { resource: "management_api" });
  const changes = limitChanges([object("a", undefined, policy("default", "block", 5)), object("b", other, other)]);
  expect(changes).toMatchObject([
    { resource: "management_api", before: { limit: 3 }, after: { limit: 3 } },
    { resource: "oauth_authentication_api", before: null, after: { limit: 5 } },
  ]);
});

test("reports unknown limits and unknown callers as open", () => {
  const [late] = limitChanges([object("a", policy("default", "block", 5), policy("default", "block", unknown))]);
  expect(late).toMatchObject({ open: true, before: { limit: 5 }, after: { limit: null } });
  const [uri] = limitChanges([
    object(
      "a",
      undefined,
      policy("default", "x", 1, { configuration: { action: "redirect", limit: 1, redirect_uri: unknown } }),
    ),
  ]);
  expect(uri).toMatchObject({ open: true, after: { redirect_uri: "(known after apply)" } });
  const callers = limitChanges([
    object("moving", undefined, policy(unknown, "block", 9)),
    object("all", policy("default", "block", 5)),
  ]);
  expect(callers).toMatchObject([
    {
      consumer_selector: "default",
      note: "tenant_rate_limit_policy.moving may limit the same callers, but that is known only after the apply",
    },
    { open: true, note: "the callers of the policy are known only after the apply" },
  ]);
  expect(limitFindings([late!])).toMatchObject([
    {
      code: "TF-LIMIT-UNKNOWN",
      level: "medium",
      text: expect.stringContaining("is known only after the apply: from block above 5/s (default) to "),
    },
  ]);
});

test("hides sensitive limits and selectors, and reports whether a hidden limit changes", () => {
  const marks = { beforeSensitive: { configuration: true }, afterSensitive: { configuration: true } };
  const changed = limitChanges([object("a", policy("default", "block", 5), policy("default", "block", 6), marks)]);
  expect(changed).toMatchObject([{ open: true, before: { action: "(sensitive)", limit: null } }]);
  expect(limitFindings(changed)).toMatchObject([
    {
      code: "TF-LIMIT-UNKNOWN",
      text: expect.stringMatching(/^The limit for clients without a policy of their own changes and is sensitive/),
    },
  ]);
  const same = limitChanges([object("a", policy("default", "block", 5), policy("default", "block", 5), marks)]);
  expect(same[0]).not.toHaveProperty("open");
  expect(limitFindings(same)).toEqual([]);
  const secret = { beforeSensitive: { consumer_selector: true }, afterSensitive: { consumer_selector: true } };
  const [one] = limitChanges([
    object("a", policy("client_id:a", "block", 5), policy("client_id:a", "block", 4), secret),
  ]);
  expect(JSON.stringify(one)).not.toContain("client_id:a");
  expect(limitFindings([one!])[0]!.text).toMatch(
    /^The limit for \(sensitive\) of tenant_rate_limit_policy\.a is tighter/,
  );
});

test("leaves a policy that may belong to another tenant to that tenant if this tenant has its own", () => {
  const own = object("own", undefined, policy("default", "block", 5));
  const other = object("other", undefined, policy("default", "block", 1), { unplaced: true });
  expect(limitChanges([own, other])).toMatchObject([{ address: own.address, after: { limit: 5 } }]);
  expect(limitChanges([other])).toMatchObject([
    { after: { limit: 1 }, note: "the plan does not show which tenant the policy belongs to" },
  ]);
});

test("says that the last apply wins if several resources manage the policy", () => {
  const two = ["a", "b"].map((name, index) =>
    object(name, policy("default", "block", 5, { id: "rlp_1" }), policy("default", "block", index, { id: "rlp_1" })),
  );
  const [change] = limitChanges(two, [], new Map([["rate limit policy rlp_1", two]]));
  expect(change!.note).toBe("several resources manage the policy, and the one that is applied last sets the limit");
});

test("reads a number that is written as text", () => {
  expect(limitChanges([object("a", policy("default", "block", "50"), policy("default", "block", ""))])).toMatchObject([
    { before: { limit: 50 }, after: { limit: null } },
  ]);
});
