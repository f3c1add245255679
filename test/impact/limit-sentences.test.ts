/** The sentences about changed limits: callers, numbers, causes, exceptions, and parts that are not known. */
import type { LimitChange } from "../../src/impact/rate-limit-policy/changes";
import { limitEffects } from "../../src/impact/rate-limit-policy/effects";
import type { Limit } from "../../src/impact/rate-limit-policy/limit";

const limit = (action: string, number: number | null, more: Partial<Limit> = {}): Limit => ({
  action,
  limit: number,
  by: "third_party_clients",
  ...more,
});
const block = (number: number | null, more: Partial<Limit> = {}) => limit("block", number, more);
const log = (number: number | null) => limit("log", number);
const redirect = (number: number | null, redirect_uri?: string) =>
  limit("redirect", number, redirect_uri === undefined ? {} : { redirect_uri });
const pending = "(known after apply)";
const change = (before: Limit | null, after: Limit | null, more: Partial<LimitChange> = {}): LimitChange => ({
  address: "policy.a",
  action: "update",
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: "third_party_clients",
  before,
  after,
  ...more,
});
const effectOf = (...args: Parameters<typeof change>) => limitEffects([change(...args)])[0]!;
const textOf = (...args: Parameters<typeof change>) => effectOf(...args).text;
const open = { open: true } as const;

test.each([
  ["create", "is created"],
  ["update", "changes"],
  ["replace", "is replaced"],
  ["destroy", "is destroyed"],
  [undefined, "changes"],
] as const)("names the policy as the cause: %s", (action, words) => {
  const { action: _, ...kept } = change(block(5), block(4));
  expect(limitEffects([{ ...kept, ...(action && { action }) }])).toMatchObject([
    { cause: [{ address: "policy.a", words }] },
  ]);
});

test("names the plan of the policy, and keeps the address empty if there is none", () => {
  expect(effectOf(block(5), block(4), { plan: "eu" }).cause).toEqual([
    { address: "policy.a", plan: "eu", words: "changes" },
  ]);
  const { address: _, ...unnamed } = change(block(5), block(4));
  expect(limitEffects([unnamed])[0]!.cause).toStrictEqual([{ address: "", words: "changes" }]);
});

test.each<[Partial<LimitChange>, string, string]>([
  [
    { consumer_selector: "default" },
    "all clients without a policy of their own",
    "All clients without a policy of their own are limited to 4 requests/s, from 5.",
  ],
  [{}, "third-party clients", "Third-party clients are limited to 4 requests/s, from 5."],
  [
    { consumer_selector: "cimd_clients" },
    "clients with a client ID metadata document",
    "Clients with a client ID metadata document are limited to 4 requests/s, from 5.",
  ],
  [{ consumer_selector: "client_id:abc" }, "client abc", "Client abc is limited to 4 requests/s, from 5."],
  [{ consumer_selector: "client_id:a\nb" }, "client a\nb", "Client a\nb is limited to 4 requests/s, from 5."],
  [
    { consumer_selector: "client_id:" },
    'callers "client_id:"',
    'Callers "client_id:" are limited to 4 requests/s, from 5.',
  ],
  [
    { consumer_selector: "my client_id:abc" },
    'callers "my client_id:abc"',
    'Callers "my client_id:abc" are limited to 4 requests/s, from 5.',
  ],
  [
    { consumer_selector: "x".repeat(49) },
    `callers "${"x".repeat(47)}…"`,
    `Callers "${"x".repeat(47)}…" are limited to 4 requests/s, from 5.`,
  ],
  [
    { consumer_selector: "(sensitive)" },
    "(sensitive) clients",
    "(sensitive) clients are limited to 4 requests/s, from 5.",
  ],
  [
    { resource: "management_api", consumer: "machine" },
    "third-party clients (management_api, machine)",
    "Third-party clients (management_api, machine) are limited to 4 requests/s, from 5.",
  ],
  [
    { consumer: "y".repeat(49), consumer_selector: "client_id:abc" },
    `client abc (${"y".repeat(47)}…)`,
    `Client abc (${"y".repeat(47)}…) is limited to 4 requests/s, from 5.`,
  ],
])("names the callers: %j", (more, who, text) => {
  expect(effectOf(block(5), block(4), more)).toMatchObject({ who, text });
});

test("belongs to sign-in only if the Authentication API has the limit", () => {
  expect(effectOf(block(5), block(4)).apis).toEqual(["sign-in"]);
  expect(effectOf(block(5), block(4), { resource: "management_api" }).apis).toEqual([]);
});

test("has the level of its worst finding", () => {
  expect(effectOf(block(50), redirect(40, "https://a.example")).level).toBe("medium");
  expect(effectOf(log(5), log(6)).level).toBe("info");
});

test.each<[Limit | null, Limit | null, string]>([
  [log(5), log(1), "Requests of third-party clients above 1 request/s are logged, from 5. Logging limits nobody."],
  [
    log(12_000),
    log(34_000),
    "Requests of third-party clients above 34,000 requests/s are logged, from 12,000. Logging limits nobody.",
  ],
  [log(null), log(7), "Requests of third-party clients above 7 requests/s are newly logged. Logging limits nobody."],
  [log(0), limit("allow", null), "Requests of third-party clients above 0 requests/s are no longer logged."],
])("tells which requests are logged: %#", (before, after, text) => {
  expect(limitEffects([change(before, after)])).toMatchObject([{ text, level: "info", certainty: "certain" }]);
});

test("has no effect if only the limit of allowed requests changes", () => {
  expect(limitEffects([change(limit("allow", 5), limit("allow", 6))])).toEqual([]);
});

const usual = (number: number) => block(number, { by: "default" });
test.each<[string, Limit | null, Limit | null, string]>([
  ["a higher limit", block(1), block(1200), "Third-party clients can send 1,200 requests/s, from 1."],
  ["a limit of 0 by the default", block(5), usual(0), "Third-party clients are blocked (limit 0, the default)."],
  ["a lower default", block(5), usual(4), "Third-party clients are limited to 4 requests/s (the default), from 5."],
  ["a higher default", block(5), usual(6), "Third-party clients can send 6 requests/s (the default), from 5."],
  [
    "a removed limit",
    redirect(1, "https://a.example"),
    null,
    "The limit of third-party clients (1 request/s) is removed.",
  ],
  [
    "a limit that only logs",
    block(5),
    log(9),
    "The limit of third-party clients (5 requests/s) is removed: requests above it are only logged.",
  ],
  [
    "a block of the requests that were redirected",
    redirect(5, "https://a.example"),
    block(5),
    "Requests of third-party clients above 5 requests/s are blocked, no longer redirected.",
  ],
  [
    "a redirect in place of a block of everything",
    block(0),
    redirect(0, "https://a.example"),
    "All requests of third-party clients are redirected to a.example, no longer blocked.",
  ],
  [
    "a redirect in place of a block, with a higher limit",
    block(5),
    redirect(9, "https://a.example"),
    "Third-party clients can send 9 requests/s, from 5; requests above that are redirected to a.example, no longer blocked.",
  ],
  [
    "a redirect of requests that were logged",
    log(5),
    redirect(9, "https://a.example"),
    "Third-party clients are limited to 9 requests/s, from no limit; requests above that are redirected to a.example.",
  ],
  [
    "a block of requests that were logged",
    log(5),
    block(9),
    "Third-party clients are limited to 9 requests/s, from no limit.",
  ],
  [
    "the same redirect with a lower limit",
    redirect(5, "https://a.example"),
    redirect(4, "https://a.example"),
    "Third-party clients are limited to 4 requests/s, from 5.",
  ],
  [
    "a redirect to another path with a lower limit",
    redirect(5, "https://a.example/x"),
    redirect(4, "https://a.example/y"),
    "Third-party clients are limited to 4 requests/s, from 5; requests above that are redirected to another address of a.example.",
  ],
  [
    "a redirect without an address",
    redirect(5),
    redirect(4, "https://a.example"),
    "Third-party clients are limited to 4 requests/s, from 5; requests above that are redirected to a.example, no longer to another address.",
  ],
  [
    "a block in place of a redirect without an address",
    redirect(5),
    block(4),
    "Third-party clients are limited to 4 requests/s, from 5; requests above that are blocked, no longer redirected.",
  ],
  [
    "a redirect to a long host",
    block(5),
    redirect(5, `https://${"x".repeat(60)}.example`),
    `Requests of third-party clients above 5 requests/s are redirected to ${"x".repeat(47)}…, no longer blocked.`,
  ],
  [
    "a redirect to an address without a host",
    block(5),
    redirect(5, "mailto:a@b.example"),
    "Requests of third-party clients above 5 requests/s are redirected to mailto:a@b.example, no longer blocked.",
  ],
])("words %s", (_what, before, after, text) => {
  expect(effectOf(before, after)).toMatchObject({ text, certainty: "certain", assumptions: [] });
});

test("does not call the default policy itself the default", () => {
  expect(textOf(usual(5), usual(0), { consumer_selector: "default" })).toBe(
    "All clients without a policy of their own are blocked (limit 0).",
  );
  expect(textOf(usual(5), usual(4), { consumer_selector: "default" })).not.toContain("the default");
});

test("says that the plan does not show the whole limit", () => {
  expect(effectOf(block(5), limit("slow", 5))).toMatchObject({
    text: "The limit of third-party clients may change: the plan does not show enough of it.",
    certainty: "possible",
    assumptions: ["the plan does not show the whole limit"],
    level: "medium",
  });
});

test.each<[string, Limit | null, Limit | null, string]>([
  [
    "now a number",
    block(1200),
    block(null),
    "The limit of third-party clients may change: it is known only after the apply (now 1,200 requests/s).",
  ],
  [
    "now no limit",
    log(5),
    block(null),
    "The limit of third-party clients may change: it is known only after the apply (now no limit).",
  ],
  [
    "now not known",
    limit("slow", 5),
    block(null),
    "The limit of third-party clients may change: it is known only after the apply (now not known).",
  ],
  [
    "now 0",
    block(0),
    redirect(0, pending),
    "The limit of third-party clients may change: it is known only after the apply (now 0 requests/s).",
  ],
  ["0 after the apply", block(5), block(0), "Third-party clients are blocked (limit 0)."],
  [
    "a redirect of everything after the apply",
    null,
    redirect(0, pending),
    "Third-party clients are redirected, to an address that is known only after the apply (limit 0).",
  ],
])("words an open limit: %s", (_what, before, after, text) => {
  expect(effectOf(before, after, open)).toMatchObject({
    text,
    certainty: "possible",
    assumptions: ["the limit is known only after the apply"],
  });
});

test("names one client that may be redirected", () => {
  expect(textOf(block(5), redirect(0, pending), { ...open, consumer_selector: "client_id:abc" })).toBe(
    "Client abc is redirected, to an address that is known only after the apply (limit 0).",
  );
});

test.each<[Partial<LimitChange>]>([
  [{ resource: pending }],
  [{ consumer: pending }],
  [{ consumer_selector: `${pending.slice(0, -1)}: policy.a)` }],
])("speaks of some clients if they are known only after the apply: %j", (more) => {
  const some = { ...open, ...more };
  const which = "Which ones is known only after the apply.";
  expect(effectOf(null, block(1), some)).toMatchObject({
    who: "some clients",
    text: `Some clients are limited to 1 request/s. ${which}`,
  });
  expect(textOf(null, block(0), some)).toBe(`Some clients are blocked (limit 0). ${which}`);
  expect(textOf(null, redirect(0, "https://a.example"), some)).toBe(`Some clients are redirected (limit 0). ${which}`);
  for (const after of [null, log(5), block(null)]) {
    expect(textOf(block(5), after, some)).toBe(`The limit of some clients may change. ${which}`);
  }
});

test("says that a sensitive limit changes, on either side", () => {
  const secret = limit("(sensitive)", null);
  for (const [before, after] of [
    [secret, block(5)],
    [block(5), secret],
    [null, secret],
  ] as const) {
    expect(effectOf(before, after, open)).toMatchObject({
      text: "The limit of third-party clients changes and is sensitive.",
      assumptions: ["the limit is sensitive"],
    });
  }
});

const known = {
  tenant: "the plan does not show which tenant the policy belongs to",
  order: "several resources manage the policy, and the one that is applied last sets the limit",
  group: "whether the client belongs to a group with a policy of its own is not known",
  hiddenGroup: "whether it is a client that belongs to a group with a policy of its own is not known",
  usual: "whether the tenant has a default policy is not known",
  other: "policy.b may limit the same callers, but that is known only after the apply",
};
test.each<[string[], string]>([
  [[known.usual], "a default policy applied"],
  [[known.group], "a group policy applied"],
  [[known.hiddenGroup], "a group policy applied"],
  [[known.usual, known.hiddenGroup], "a default or group policy applied"],
  [[known.order], "another resource sets the limit"],
  [[known.other], "another policy limits them"],
  [[known.tenant], "the policy belongs to another tenant"],
  [
    Object.values(known),
    "a default or group policy applied or another resource sets the limit or another policy limits them or the policy belongs to " +
      "another tenant",
  ],
])("says when the effect is another one: %j", (assumptions, exception) => {
  expect(effectOf(null, block(5), { action: "create", assumptions })).toMatchObject({
    text: `Third-party clients are limited to 5 requests/s, from no limit, unless ${exception}.`,
    certainty: "possible",
    assumptions,
  });
});

test("says that another policy applies after the change, if the limit is not the own one", () => {
  const assumptions = [known.usual];
  const end = (after: Limit | null, action: LimitChange["action"]) =>
    textOf(block(5), after, { ...(action && { action }), assumptions }).split(", unless ")[1];
  expect(end(null, "destroy")).toBe("a default policy applies.");
  expect(end(block(4), "destroy")).toBe("a default policy applies.");
  expect(end(usual(4), "update")).toBe("a default policy applies.");
  expect(end(block(4), "update")).toBe("a default policy applied.");
});

test("adds the assumptions of an open limit after its own reason, without an exception", () => {
  expect(effectOf(block(5), block(null), { ...open, assumptions: [known.usual] })).toMatchObject({
    text: "The limit of third-party clients may change: it is known only after the apply (now 5 requests/s).",
    assumptions: ["the limit is known only after the apply", known.usual],
  });
});
