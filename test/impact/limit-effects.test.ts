/** Levels of changed limits, and the effects on the clients. */
import { hidden } from "../../src/impact/hidden";
import type { PlannedObject, Values } from "../../src/impact/model";
import { limitChanges } from "../../src/impact/rate-limit-policy/changes";
import { limitEffects } from "../../src/impact/rate-limit-policy/effects";
import { limitFindings } from "../../src/impact/rate-limit-policy/findings";
import { policy } from "./support/limits";

const unknown = Symbol("not known yet");
const object = (before?: Values, after?: Values, more: Partial<PlannedObject> = {}): PlannedObject => ({
  address: "tenant_rate_limit_policy.a",
  type: "tenant_rate_limit_policy",
  actions: ["update"],
  ...(before && { before }),
  ...(after && { after }),
  ...more,
});
const block = (limit: unknown) => ({ action: "block", limit });
const log = (limit: unknown) => ({ action: "log", limit });
const redirect = (limit: unknown, redirect_uri: unknown = "https://a.example/x") => ({
  action: "redirect",
  limit,
  redirect_uri,
});
/** The effect of one policy that changes, on a tenant whose policies were read. */
const effectsOf = (selector: unknown, before: unknown, after: unknown, more: Partial<PlannedObject> = {}) => {
  const sides = [before, after].map((side) => (side === null ? undefined : policy(selector, side)));
  const changes = limitChanges([object(sides[0], sides[1], more)], []);
  const [highest] = ["critical", "high", "medium", "low"].filter((level) =>
    limitFindings(changes).some((one) => one.level === level),
  );
  return { effects: limitEffects(changes), highest };
};

const usual = "All clients without a policy of their own";
test.each<[string, unknown, unknown, string, string]>([
  ["default", block(5), block(0), "critical", `${usual} are blocked (limit 0).`],
  ["default", null, block(0), "critical", `${usual} are blocked (limit 0).`],
  ["default", log(5), block(0), "critical", `${usual} are blocked (limit 0).`],
  [
    "default",
    redirect(0),
    block(0),
    "critical",
    "All requests of clients without a policy of their own are blocked, no longer redirected.",
  ],
  ["default", block(5), redirect(0), "critical", `${usual} are redirected to a.example at every request (limit 0).`],
  ["third_party_clients", block(5), block(0), "high", "Third-party clients are blocked (limit 0)."],
  ["client_id:abc", block(5), redirect(0), "high", "Client abc is redirected to a.example at every request (limit 0)."],
  ["third_party_clients", block(50), block(10), "low", "Third-party clients are limited to 10 requests/s, from 50."],
  ["default", block(50), block(26), "low", `${usual} are limited to 26 requests/s, from 50.`],
  ["default", block(50), block(25), "medium", `${usual} are limited to 25 requests/s, from 50.`],
  ["default", null, block(9000), "medium", `${usual} are limited to 9,000 requests/s, from no limit.`],
  ["default", log(5), block(1), "medium", `${usual} are limited to 1 request/s, from no limit.`],
  ["client_id:abc", null, block(5), "low", "Client abc is limited to 5 requests/s, from no limit."],
  ["default", block(5), block(6), "low", `${usual} can send 6 requests/s, from 5.`],
  ["default", block(0), block(6), "low", `${usual} can send 6 requests/s, from 0.`],
  [
    "default",
    block(5),
    null,
    "medium",
    "The limit of clients without a policy of their own (5 requests/s) is removed.",
  ],
  [
    "default",
    block(5),
    log(5),
    "medium",
    "The limit of clients without a policy of their own (5 requests/s) is removed: requests above it are only logged.",
  ],
  [
    "cimd_clients",
    block(5),
    { action: "allow" },
    "low",
    "The limit of clients with a client ID metadata document (5 requests/s) is removed.",
  ],
  [
    "default",
    block(5),
    redirect(5),
    "medium",
    "Requests of clients without a policy of their own above 5 requests/s are redirected to a.example, no longer blocked.",
  ],
  [
    "client_id:abc",
    redirect(5),
    block(5),
    "medium",
    "Requests of client abc above 5 requests/s are blocked, no longer redirected.",
  ],
  [
    "client_id:abc",
    redirect(5),
    redirect(5, "https://b.example/x"),
    "high",
    "Requests of client abc above 5 requests/s are redirected to b.example, no longer to a.example.",
  ],
  [
    "client_id:abc",
    redirect(5),
    redirect(5, "https://a.example@b.example/"),
    "high",
    "Requests of client abc above 5 requests/s are redirected to b.example, no longer to a.example.",
  ],
  [
    "client_id:abc",
    redirect(5),
    redirect(5, "https://a.example/y"),
    "medium",
    "Requests of client abc above 5 requests/s are redirected to another address of a.example.",
  ],
  [
    "client_id:abc",
    redirect(5),
    redirect(5, "https://A.EXAMPLE/x"),
    "medium",
    "Requests of client abc above 5 requests/s are redirected to another address of a.example.",
  ],
  [
    "client_id:abc",
    redirect(5, "no address"),
    redirect(5, "nowhere"),
    "high",
    "Requests of client abc above 5 requests/s are redirected to nowhere, no longer to no address.",
  ],
  [
    "client_id:abc",
    redirect(5),
    redirect(4, "https://b.example/"),
    "high",
    "Client abc is limited to 4 requests/s, from 5; requests above that are redirected to b.example, no longer to a.example.",
  ],
  [
    "client_id:abc",
    redirect(5),
    block(4),
    "low",
    "Client abc is limited to 4 requests/s, from 5; requests above that are blocked, no longer redirected.",
  ],
  [
    "client_id:abc",
    null,
    redirect(4),
    "medium",
    "Client abc is limited to 4 requests/s, from no limit; requests above that are redirected to a.example.",
  ],
  [
    "default",
    redirect(0),
    redirect(0, "https://a.example/y"),
    "medium",
    "All requests of clients without a policy of their own are redirected to another address of a.example.",
  ],
  [
    "client_id:abc",
    { action: "redirect", limit: 5 },
    redirect(5),
    "medium",
    "Requests of client abc above 5 requests/s are redirected to a.example, no longer to another address.",
  ],
  ["partners", block(5), block(4), "low", 'Callers "partners" are limited to 4 requests/s, from 5.'],
])("%s from %j to %j is %s: %s", (selector, before, after, level, text) => {
  const { effects, highest } = effectsOf(selector, before, after);
  expect(effects).toMatchObject([{ kind: "limit", level, text, certainty: "certain", assumptions: [], share: null }]);
  expect(highest).toBe(level);
});

test.each([
  ["the same limit", block(5), block(5)],
  ["a limit that stays 0", block(0), block(0)],
  ["the same log limit", log(5), log(5)],
  ["the same redirect", redirect(5), redirect(5)],
])("has no effect for %s", (_what, before, after) => {
  expect(effectsOf("default", before, after)).toEqual({ effects: [], highest: undefined });
});

test.each<[unknown, unknown, string]>([
  [{ action: "allow" }, log(5), "above 5 requests/s are newly logged. Logging limits nobody."],
  [null, log(5), "above 5 requests/s are newly logged. Logging limits nobody."],
  [log(5), log(6), "above 6 requests/s are logged, from 5. Logging limits nobody."],
  [log(5), null, "above 5 requests/s are no longer logged."],
])("tells which requests are logged if %j becomes %j", (before, after, words) => {
  const { effects, highest } = effectsOf("default", before, after);
  const text = `Requests of clients without a policy of their own ${words}`;
  expect(effects).toMatchObject([{ kind: "limit", level: "info", text, certainty: "certain" }]);
  expect(highest).toBeUndefined();
});

test.each<[string, unknown, unknown, unknown, string, string]>([
  [
    "the limit",
    "default",
    block(5),
    block(unknown),
    "medium",
    "The limit of clients without a policy of their own may change: it is known only after the apply (now 5 requests/s).",
  ],
  [
    "the address of a redirect",
    "default",
    null,
    redirect(5, unknown),
    "medium",
    "The limit of clients without a policy of their own may change: it is known only after the apply (now no limit).",
  ],
  [
    "the address of a redirect of everything",
    "default",
    block(5),
    redirect(0, unknown),
    "critical",
    `${usual} are redirected, to an address that is known only after the apply (limit 0).`,
  ],
  [
    "the callers",
    unknown,
    null,
    block(9),
    "medium",
    "Some clients are limited to 9 requests/s. Which ones is known only after the apply.",
  ],
  [
    "the callers of a block",
    unknown,
    null,
    block(0),
    "high",
    "Some clients are blocked (limit 0). Which ones is known only after the apply.",
  ],
  [
    "the callers and the limit",
    unknown,
    null,
    block(unknown),
    "medium",
    "The limit of some clients may change. Which ones is known only after the apply.",
  ],
])("is possible without %s", (_what, selector, before, after, level, text) => {
  const { effects, highest } = effectsOf(selector, before, after);
  expect(effects).toMatchObject([{ level, text, certainty: "possible" }]);
  expect(effects[0]!.assumptions[0]).toBe("the limit is known only after the apply");
  expect(highest).toBe(level);
});

test("does not show a sensitive limit or selector", () => {
  const marks = (name: string) => ({ beforeSensitive: { [name]: true }, afterSensitive: { [name]: true } });
  const [limit] = effectsOf("default", block(77), block(0), marks("configuration")).effects;
  expect(limit).toMatchObject({
    level: "medium",
    text: "The limit of clients without a policy of their own changes and is sensitive.",
    assumptions: ["the limit is sensitive"],
  });
  expect(JSON.stringify(limit)).not.toContain("77");
  const levels = ["default", "client_id:secret"].map((selector) => {
    const [effect] = effectsOf(selector, block(5), block(0), marks("consumer_selector")).effects;
    expect(effect!.who).toBe(`${hidden} clients`);
    expect(JSON.stringify(effect)).not.toContain("secret");
    return effect!.level;
  });
  // A level of its own would show that the selector is the default.
  expect(levels).toEqual(["critical", "critical"]);
});

test("names the default that takes effect when a client loses its own policy", () => {
  const changes = limitChanges(
    [
      object(policy("client_id:abc", block(50)), undefined, { plan: "edge" }),
      { ...object(policy("default", block(5)), policy("default", block(5))), address: "policy.default" },
    ],
    [],
  );
  expect(limitEffects(changes)).toEqual([
    {
      kind: "limit",
      level: "low",
      apis: ["sign-in"],
      share: null,
      who: "client abc",
      text: "Client abc is limited to 5 requests/s (the default), from 50.",
      cause: [{ address: "tenant_rate_limit_policy.a", plan: "edge", words: "is destroyed" }],
      certainty: "certain",
      assumptions: [],
      examples: [],
    },
  ]);
});

const own = (selector: string) => policy(selector, block(50));
test.each<[string, PlannedObject[], Values[] | undefined, string]>([
  [
    "a client that gets a policy",
    [object(undefined, own("client_id:abc"))],
    undefined,
    "Client abc is limited to 50 requests/s, from no limit, unless a default or group policy applied.",
  ],
  [
    "a client that loses its policy",
    [object(own("client_id:abc"))],
    undefined,
    "The limit of client abc (50 requests/s) is removed, unless a default or group policy applies.",
  ],
  [
    "a group that loses its policy",
    [object(own("third_party_clients"))],
    undefined,
    "The limit of third-party clients (50 requests/s) is removed, unless a default policy applies.",
  ],
  [
    "a client that may belong to a group",
    [object(own("client_id:abc"))],
    [
      { id: "d", ...policy("default", block(5)) },
      { id: "g", ...policy("third_party_clients", block(1)) },
    ],
    "Client abc is limited to 5 requests/s (the default), from 50, unless a group policy applies.",
  ],
  [
    "a policy that may belong to another tenant",
    [object(own("default"), policy("default", block(5)), { unplaced: true })],
    [],
    `${usual} are limited to 5 requests/s, from 50, unless the policy belongs to another tenant.`,
  ],
  [
    "callers that another policy may limit",
    [object(own("default")), { ...object(undefined, policy(unknown, block(9))), address: "policy.b" }],
    [],
    "The limit of clients without a policy of their own (50 requests/s) is removed, unless another policy limits them.",
  ],
])("says what the effect depends on: %s", (_what, objects, remote, text) => {
  const [effect] = limitEffects(limitChanges(objects, remote));
  expect(effect).toMatchObject({ text, certainty: "possible" });
  expect(effect!.assumptions).not.toEqual([]);
});

test("says that another resource may set the limit", () => {
  const two = ["a", "b"].map((name) => ({ ...object(own("default"), policy("default", block(5))), address: name }));
  const [effect] = limitEffects(limitChanges(two, [], new Map([["rate limit policy rlp_1", two]])));
  expect(effect!.text).toMatch(/, from 50\.$/);
  const managed = two.map((one) => ({
    ...one,
    before: { ...one.before, id: "rlp_1" },
    after: { ...one.after, id: "rlp_1" },
  }));
  const [contested] = limitEffects(limitChanges(managed, [], new Map([["rate limit policy rlp_1", managed]])));
  expect(contested).toMatchObject({
    certainty: "possible",
    text: `${usual} are limited to 5 requests/s, from 50, unless another resource sets the limit.`,
  });
});

test("names another resource and shortens long names", () => {
  const long = `client_id:${"x".repeat(300)}`;
  const values = (limit: number) => policy(long, block(limit), { resource: "management_api" });
  const [effect] = limitEffects(limitChanges([object(values(5), values(4))], []));
  expect(effect!.apis).toEqual([]);
  expect(effect!.who).toMatch(/^client x{47}… \(management_api\)$/);
  expect(effect!.text.length).toBeLessThan(140);
});
