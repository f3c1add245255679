/** Limits before and after a change: the codes, the level and the words of each, one row for each decision. */
import { worded } from "./support/worded";
import type { Duplicates } from "../../src/impact/objects/duplicates";
import type { PlannedObject, Values } from "../../src/impact/model";
import { limitChanges, type LimitChange } from "../../src/impact/rate-limit-policy/changes";
import { limitEffects } from "../../src/impact/rate-limit-policy/effects";
import { type Limit, policyFrom } from "../../src/impact/rate-limit-policy/policy";
import { policy } from "./support/limits";
import { rows, table } from "./support/table";

const unknown = Symbol("not known yet");
const pending = "(known after apply)";
const block = (limit: unknown) => ({ action: "block", limit });
const redirect = (redirect_uri: unknown, limit: unknown = 5) => ({ action: "redirect", limit, redirect_uri });
const object = (name: string, before?: Values, after?: Values, more: Partial<PlannedObject> = {}): PlannedObject => ({
  address: `policy.${name}`,
  type: "tenant_rate_limit_policy",
  actions: ["update"],
  ...(before && { before }),
  ...(after && { after }),
  ...more,
});

/** `block 5`, `redirect 5 https://a.example`, `block ?`, `block 5 default`; `-` is no limit. */
function limitFrom(words: string): Limit | null {
  const [action, number, ...rest] = words.split(" ") as [string, string?, ...string[]];
  if (action === "-") return null;
  const redirect_uri = rest.find((word) => word !== "default");
  return {
    action: action.replaceAll("_", " "),
    limit: number === undefined || number === "?" ? null : Number(number),
    ...(redirect_uri !== undefined && { redirect_uri: redirect_uri.replaceAll("_", " ") }),
    by: rest.includes("default") ? "default" : "third_party_clients",
  };
}

const changeFrom = (sides: string, more: Partial<LimitChange> = {}): LimitChange => {
  const [before, after] = sides.split(" -> ").map(limitFrom) as [Limit | null, Limit | null];
  const fixed = { address: "policy.a", resource: "oauth_authentication_api", consumer: "client" };
  return { ...fixed, action: "update", consumer_selector: "third_party_clients", before, after, ...more };
};

/** The change and its effect: code, level, certainty and text. */
function judgement(sides: string, more: Partial<LimitChange> = {}): string {
  const [effect] = limitEffects([changeFrom(sides, more)]);
  if (!effect) return `${sides}: no effect`;
  const { code, level, certainty, text } = worded(effect);
  return `${sides}: ${code.slice("TNF-LIMIT-".length)} ${level}, ${certainty}: ${text}`;
}

const a = "https://a.example/x";

test.each(
  rows(`
    block 5 -> block 5: no effect
    block 5 -> block 4: TIGHTENED low, certain: Third-party applications are limited to 4 requests/s together, from 5.
    block 50 -> block 10: TIGHTENED medium, certain: Third-party applications are limited to 10 requests/s together, from 50.
    block 1 -> block 1200: LOOSENED low, certain: Third-party applications can send 1,200 requests/s together, from 1.
    - -> block 5: TIGHTENED low, certain: Third-party applications are limited to 5 requests/s together, from no limit.
    block 1 -> -: LOOSENED low, certain: The limit of third-party applications (1 request/s) is removed.
    allow 5 -> allow 6: no effect
    allow -> log 1: LOGGED info, certain: Requests of third-party applications above 1 request/s are newly logged. Logging limits nobody.
    log 12000 -> log 34000: LOGGED info, certain: Requests of third-party applications above 34,000 requests/s are logged, from 12,000. Logging limits nobody.
    log ? -> log 7: LOGGED info, certain: Requests of third-party applications above 7 requests/s are newly logged. Logging limits nobody.
    log 0 -> -: LOGGED info, certain: Requests of third-party applications above 0 requests/s are no longer logged.
    log 5 -> block 1: TIGHTENED low, certain: Third-party applications are limited to 1 request/s together, from no limit.
    block 5 -> log 9: LOOSENED low, certain: The limit of third-party applications (5 requests/s) is removed: requests above it are only logged.
    block 5 -> block 0: BLOCKED high, certain: Third-party applications are blocked (limit 0).
    block 0 -> block 0: no effect
    redirect 0 https://a.example/x -> block 0: REDIRECT medium, certain: All requests of third-party applications are blocked, no longer redirected.
    redirect 5 https://a.example/x -> redirect 0 https://a.example/x: TIGHTENED high, certain: Third-party applications are redirected to a.example at every request (limit 0).
    redirect 0 https://a.example/x -> redirect 0 https://a.example/y: REDIRECT medium, certain: All requests of third-party applications are redirected to another address of a.example.
    block 0 -> redirect 0 https://a.example/x: REDIRECT medium, certain: All requests of third-party applications are redirected to a.example, no longer blocked.
    block 5 -> redirect 5 https://a.example/x: REDIRECT medium, certain: Requests of third-party applications above 5 requests/s are redirected to a.example, no longer blocked.
    block 5 -> redirect 4 https://a.example/x: REDIRECT medium, certain: Third-party applications are limited to 4 requests/s together, from 5; requests above that are redirected to a.example, no longer blocked.
    block 5 -> redirect 9 https://a.example/x: REDIRECT medium, certain: Third-party applications can send 9 requests/s together, from 5; requests above that are redirected to a.example, no longer blocked.
    - -> redirect 4 https://a.example/x: REDIRECT medium, certain: Third-party applications are limited to 4 requests/s together, from no limit; requests above that are redirected to a.example.
    redirect 5 https://a.example/x -> block 5: REDIRECT medium, certain: Requests of third-party applications above 5 requests/s are blocked, no longer redirected.
    redirect 5 https://a.example/x -> block 4: TIGHTENED low, certain: Third-party applications are limited to 4 requests/s together, from 5; requests above that are blocked, no longer redirected.
    redirect 5 https://a.example/x -> redirect 5 https://a.example/x: no effect
    redirect 5 https://a.example/x -> redirect 4 https://a.example/x: TIGHTENED low, certain: Third-party applications are limited to 4 requests/s together, from 5.
    redirect 5 https://a.example/x -> redirect 5 https://b.example/x: REDIRECT high, certain: Requests of third-party applications above 5 requests/s are redirected to b.example, no longer to a.example.
    redirect 5 https://a.example/x -> redirect 5 https://a.example@b.example/: REDIRECT high, certain: Requests of third-party applications above 5 requests/s are redirected to b.example, no longer to a.example.
    redirect 5 https://a.example/x -> redirect 5 https://A.EXAMPLE/x: REDIRECT medium, certain: Requests of third-party applications above 5 requests/s are redirected to another address of a.example.
    redirect 5 https://a.example/x -> redirect 5: no effect
    redirect 5 -> redirect 5 https://a.example/x: REDIRECT medium, certain: Requests of third-party applications above 5 requests/s are redirected to a.example, no longer to another address.
    - -> redirect 5: TIGHTENED low, certain: Third-party applications are limited to 5 requests/s together, from no limit; requests above that are redirected to another address.
    redirect 5 no_address -> redirect 5 nowhere: REDIRECT high, certain: Requests of third-party applications above 5 requests/s are redirected to nowhere, no longer to no address.
    block 5 -> redirect 5 mailto:a@b.example: REDIRECT medium, certain: Requests of third-party applications above 5 requests/s are redirected to mailto:a@b.example, no longer blocked.
    block 5 -> redirect 5 https://xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.example: REDIRECT medium, certain: Requests of third-party applications above 5 requests/s are redirected to xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…, no longer blocked.
    block ? -> block ?: no effect
    block ? -> block 5: UNKNOWN medium, possible: The limit of third-party applications may change: the plan does not show enough of it.
    - -> redirect ? https://a.example/x: UNKNOWN medium, possible: The limit of third-party applications may change: the plan does not show enough of it.
    slow 5 -> slow 6: UNKNOWN medium, possible: The limit of third-party applications may change: the plan does not show enough of it.
    block 5 -> block 4 default: TIGHTENED low, certain: Third-party applications are limited to 4 requests/s each (the default), from 5.
    block 5 -> block 6 default: LOOSENED low, certain: Third-party applications can send 6 requests/s each (the default), from 5.
    block 5 -> block 0 default: BLOCKED high, certain: Third-party applications are blocked (limit 0, the default).
  `),
)("a group of applications: %s", (line) => {
  expect(judgement(line.split(": ")[0]!)).toBe(line);
});

test.each(
  rows(`
    block 100 -> block 1: TIGHTENED high, certain: All applications without a policy of their own are limited to 1 request/s each, from 100.
    block 100 -> block 10: TIGHTENED high, certain: All applications without a policy of their own are limited to 10 requests/s each, from 100.
    block 100 -> block 11: TIGHTENED medium, certain: All applications without a policy of their own are limited to 11 requests/s each, from 100.
    block 100 -> block 50: TIGHTENED medium, certain: All applications without a policy of their own are limited to 50 requests/s each, from 100.
    block 100 -> block 51: TIGHTENED low, certain: All applications without a policy of their own are limited to 51 requests/s each, from 100.
    - -> block 9000: TIGHTENED medium, certain: All applications without a policy of their own are limited to 9,000 requests/s each, from no limit.
    block 5 -> block 6: LOOSENED low, certain: All applications without a policy of their own can send 6 requests/s each, from 5.
    block 5 -> -: LOOSENED medium, certain: The limit of applications without a policy of their own (5 requests/s) is removed.
    block 5 -> block 0 default: BLOCKED critical, certain: All applications without a policy of their own are blocked (limit 0).
    block 5 -> redirect 0 https://a.example/x: TIGHTENED critical, certain: All applications without a policy of their own are redirected to a.example at every request (limit 0).
  `),
)("all applications without a policy of their own: %s", (line) => {
  expect(judgement(line.split(": ")[0]!, { consumer_selector: "default" })).toBe(line);
});

test.each(
  rows(`
    block 1200 -> block ?: UNKNOWN medium, possible: The limit of third-party applications may change: it is known only after the apply (now 1,200 requests/s).
    log 5 -> block ?: UNKNOWN medium, possible: The limit of third-party applications may change: it is known only after the apply (now no limit).
    slow 5 -> block ?: UNKNOWN medium, possible: The limit of third-party applications may change: it is known only after the apply (now not known).
    block 0 -> redirect 0 (known_after_apply): UNKNOWN medium, possible: The limit of third-party applications may change: it is known only after the apply (now 0 requests/s).
    block 5 -> block 0: UNKNOWN high, possible: Third-party applications are blocked (limit 0).
    - -> redirect 0 (known_after_apply): UNKNOWN high, possible: Third-party applications are redirected, to an address that is known only after the apply (limit 0).
    (sensitive) -> block 5: UNKNOWN medium, possible: The limit of third-party applications changes and is sensitive.
    block 5 -> (sensitive): UNKNOWN medium, possible: The limit of third-party applications changes and is sensitive.
  `),
)("limits that are known only after the apply, or that are sensitive: %s", (line) => {
  expect(judgement(line.split(": ")[0]!, { open: true })).toBe(line);
});

test("a tighter limit is high if the log shows that limits reject requests", () => {
  const changes = [changeFrom("block 50 -> block 40"), changeFrom("block 50 -> block 60")];
  expect(limitEffects(changes, true).map(({ level }) => level)).toEqual(["high", "low"]);
});

test("an unknown limit says why", () => {
  const why = (sides: string, more: Partial<LimitChange> = { open: true }) =>
    worded(limitEffects([changeFrom(sides, more)])[0]!).assumptions;
  expect(why("block 5 -> block ?", { open: true, assumptions: ["more"] })).toEqual([
    "the limit is known only after the apply",
    "more",
  ]);
  expect(why("block 5 -> (sensitive)")).toEqual(["the limit is sensitive"]);
  expect(why("block 5 -> slow 5", {})).toEqual(["the plan does not show the whole limit"]);
});

test.each<Partial<LimitChange>>([
  { resource: pending },
  { consumer: pending },
  { consumer_selector: "(known after apply: policy.a)" },
])("callers that are known only after the apply: %j", (more) => {
  const told = ["- -> block 1", "- -> block 0", `- -> redirect 0 ${a}`, "block 5 -> -", "block 5 -> block ?"].map(
    (sides) => {
      const [{ who, level, text }] = limitEffects([changeFrom(sides, { ...more, open: true })]).map(worded) as [
        ReturnType<typeof worded>,
      ];
      expect(who).toBe("some applications");
      return `${level}: ${text.replace(" Which ones is known only after the apply.", "")}`;
    },
  );
  expect(told).toEqual([
    "medium: Some applications are limited to 1 request/s.",
    "high: Some applications are blocked (limit 0).",
    "high: Some applications are redirected (limit 0).",
    "medium: The limit of some applications may change.",
    "medium: The limit of some applications may change.",
  ]);
});

test.each<[Partial<LimitChange>, string]>([
  [{ consumer_selector: "default" }, "all applications without a policy of their own"],
  [{}, "third-party applications"],
  [{ consumer_selector: "cimd_clients" }, "applications with a client ID metadata document"],
  [{ consumer_selector: "client_id:a\nb" }, "application a\nb"],
  [{ consumer_selector: "client_id:" }, 'applications "client_id:"'],
  [{ consumer_selector: "my client_id:abc" }, 'applications "my client_id:abc"'],
  [{ consumer_selector: "x".repeat(49) }, `applications "${"x".repeat(47)}…"`],
  [{ consumer_selector: "(sensitive)" }, "(sensitive) applications"],
  [{ resource: "management_api", consumer: "machine" }, "third-party applications (management_api, machine)"],
  [{ consumer: "y".repeat(49), consumer_selector: "client_id:abc" }, `application abc (${"y".repeat(47)}…)`],
])("names the callers: %j", (more, who) => {
  const [effect] = limitEffects([changeFrom("block 5 -> block 4", more)]);
  const begin = `${who[0]!.toUpperCase()}${who.slice(1)} ${who.startsWith("application ") ? "is" : "are"} limited to 4 `;
  expect(effect).toMatchObject({ who, text: expect.stringContaining(begin) });
  expect(worded(effect!).apis).toEqual(more.resource ? [] : ["authentication"]);
});

test.each([
  ["create", "is created"],
  ["update", "changes"],
  ["replace", "is replaced"],
  ["destroy", "is destroyed"],
  [undefined, "changes"],
] as const)("names the policy as the cause: %s", (action, words) => {
  const { action: _, ...kept } = changeFrom("block 5 -> block 4", { plan: "eu" });
  const { cause } = limitEffects([{ ...kept, ...(action && { action }) }])[0]!;
  expect(cause).toEqual([{ address: "policy.a", plan: "eu", words }]);
});

const assumed = {
  tenant: "the plan does not show which tenant the policy belongs to",
  order: "several resources manage the policy, and the one that is applied last sets the limit",
  callers: "the applications of the policy are known only after the apply",
  other: "policy.b may limit the same applications, but that is known only after the apply",
  group: "whether the application belongs to a group with a policy of its own is not known",
  hiddenGroup: "whether it is an application that belongs to a group with a policy of its own is not known",
  usual: "whether the tenant has a default policy is not known",
};

test.each<[string[], string, Partial<LimitChange>?]>([
  [[assumed.group], "a group policy applied"],
  [[assumed.usual, assumed.hiddenGroup], "a default or group policy applied"],
  [[assumed.order], "another resource sets the limit"],
  [[assumed.other, assumed.tenant], "another policy limits them or the policy belongs to another tenant"],
  [[assumed.usual], "a default policy applies", { action: "destroy" }],
  [[assumed.usual], "a default policy applies", changeFrom("block 5 -> block 4 default")],
])("says when the effect is another one: %j", (assumptions, exception, more = {}) => {
  const [effect] = limitEffects([changeFrom("block 5 -> block 4", { ...more, assumptions })]);
  expect(effect).toMatchObject({ certainty: "possible", assumptions });
  expect(worded(effect!).text.endsWith(`, unless ${exception}.`)).toBe(true);
});

describe("a policy", () => {
  const read = (values: Values, more = {}) => policyFrom({ address: "policy.x", ...more }, values);

  test("without a resource and a consumer limits applications of the Authentication API", () => {
    expect(read({ configuration: block(1) }, { plan: "edge", unplaced: true })).toStrictEqual({
      address: "policy.x",
      plan: "edge",
      unplaced: true,
      isAnyone: false,
      resource: "oauth_authentication_api",
      consumer: "client",
      by: "(known after apply: policy.x)",
      secret: new Set(),
      action: "block",
      limit: 1,
      meaning: '{"action":"block","limit":1}',
    });
  });

  test.each(["resource", "consumer", "consumer_selector"])("limits anyone if its %s is not known", (name) => {
    expect(read({ ...policy("default", block(1)), [name]: unknown }).isAnyone).toBe(true);
  });

  test.each<[string, unknown, object]>([
    ["one block in a list", [block(5)], block(5)],
    ["a number as text", block("50"), block(50)],
    ["an empty text", block(""), block(null)],
    ["a text without a number", block("many"), block(null)],
    ["a redirect", redirect(a), redirect(a)],
    ["a redirect to nowhere", redirect(""), { action: "redirect", limit: 5 }],
    ["an unknown redirect", redirect(unknown), redirect(pending)],
    ["an unknown configuration", unknown, { action: pending, limit: null, redirect_uri: pending }],
    ["an unknown action", { action: unknown, limit: 5 }, { action: pending, limit: 5 }],
    ["allow with a number", { action: "allow", limit: 5 }, { action: "allow", limit: null }],
    ["no configuration", undefined, { action: pending, limit: null }],
  ])("is read from %s", (_what, configuration, expected) => {
    const { action, limit, redirect_uri } = read(policy("default", configuration));
    expect({ action, limit, ...(redirect_uri !== undefined && { redirect_uri }) }).toEqual(expected);
  });

  test("hides a sensitive configuration and names its other sensitive attributes", () => {
    const marks = { configuration: { limit: true }, consumer: true, resource: false };
    const found = policyFrom({ address: "policy.x" }, policy("default", redirect(a)), marks);
    expect(found).toMatchObject({ action: "(sensitive)", limit: null, secret: new Set(["consumer"]) });
    expect(found).not.toHaveProperty("redirect_uri");
  });
});

describe("the changes of a plan", () => {
  const [usual, third] = [policy("default", block(5)), policy("third_party_clients", block(1))];
  const own = (limit = 50, more?: Values) => policy("client_id:a", block(limit), more);
  const remote = { usual: { id: "rlp_d", ...policy("default", block(7)) }, group: { id: "rlp_g", ...third } };
  const two = ["a", "b"].map((name, index) =>
    object(name, { ...usual, id: "rlp_1" }, policy("default", block(index + 1), { id: "rlp_1" })),
  );
  const contested: Duplicates = new Map([["rate limit policy rlp_1", two]]);
  const moving = (name: string) => object(name, undefined, policy(unknown, block(9)));

  /** `who: before -> after by selector (what the plan does; assumptions)` */
  function told(objects: PlannedObject[], others?: Values[], duplicates?: Duplicates): string[] {
    const side = (limit: Limit | null) => (limit ? `${limit.action} ${limit.limit} by ${limit.by}` : "none");
    const names = Object.entries(assumed);
    return limitChanges(objects, others, duplicates).map(
      ({ consumer_selector, before, after, action, open, assumptions = [] }) => {
        const why = assumptions.map((text) => names.find(([, one]) => one === text)?.[0] ?? text);
        const does = `${action ?? "kept"}${open ? ", open" : ""}${why.length > 0 ? `; ${why.join(", ")}` : ""}`;
        return `${consumer_selector}: ${side(before)} -> ${side(after)} (${does})`;
      },
    );
  }

  const client = object("a", own());
  const plans: [string, ...Parameters<typeof told>][] = [
    ["is created", [object("a", undefined, usual)]],
    ["is destroyed, and the tenant may have a default", [object("a", third)]],
    ["of an application is destroyed, and nothing was read", [client]],
    ["of an application is destroyed, and the tenant has none", [client], []],
    ["of an application is destroyed, and the tenant has a default", [client], [remote.usual]],
    ["of an application is destroyed, and a group has one", [client], [remote.usual, remote.group]],
    ["of an application and a group are destroyed", [client, object("g", third)], [remote.usual]],
    ["of an application is destroyed, the default stays", [client, object("d", usual, usual)]],
    ["of an application changes", [object("a", own(), own(4))]],
    ["is replaced", [object("a", usual, own(5))], []],
    ["moves to another resource", [object("a", usual), object("b", undefined, policy("default", block(4)))]],
    ["is in the state and on the tenant", [object("a", own(50, { id: "1" }))], [{ id: "1", ...own(99) }]],
    ["is not the one of the tenant", [object("a", usual)], [remote.usual]],
    ["is managed by two resources", two, [], contested],
    ["may belong to another tenant", [object("a", undefined, usual, { unplaced: true })]],
    [
      "of another tenant beside the own one",
      [object("a", undefined, usual), object("b", undefined, policy("default", block(1)), { unplaced: true })],
    ],
    ["has an unknown limit", [object("a", usual, policy("default", block(unknown)))]],
    ["has an unknown address", [object("a", undefined, policy("default", redirect(unknown)))]],
    ["has unknown callers", [object("a", usual), moving("b")]],
  ];
  test("gives each consumer its limit, what the plan does, and the assumptions", () => {
    expect(table(plans, told)).toMatchInlineSnapshot(`
      "
      is created: default: none -> block 5 by default (create)
      is destroyed, and the tenant may have a default: third_party_clients: block 1 by third_party_clients -> none (destroy; usual)
      of an application is destroyed, and nothing was read: client_id:a: block 50 by client_id:a -> none (destroy; group, usual)
      of an application is destroyed, and the tenant has none: client_id:a: block 50 by client_id:a -> none (destroy)
      of an application is destroyed, and the tenant has a default: client_id:a: block 50 by client_id:a -> block 7 by default (destroy)
      of an application is destroyed, and a group has one: client_id:a: block 50 by client_id:a -> block 7 by default (destroy; group)
      of an application and a group are destroyed: client_id:a: block 50 by client_id:a -> block 7 by default (destroy; group) | third_party_clients: block 1 by third_party_clients -> block 7 by default (destroy)
      of an application is destroyed, the default stays: client_id:a: block 50 by client_id:a -> block 5 by default (destroy; group) | default: block 5 by default -> block 5 by default (kept)
      of an application changes: client_id:a: block 50 by client_id:a -> block 4 by client_id:a (update)
      is replaced: default: block 5 by default -> none (replace) | client_id:a: block 5 by default -> block 5 by client_id:a (replace)
      moves to another resource: default: block 5 by default -> block 4 by default (update)
      is in the state and on the tenant: client_id:a: block 50 by client_id:a -> none (destroy)
      is not the one of the tenant: default: block 5 by default -> block 7 by default (destroy)
      is managed by two resources: default: block 5 by default -> block 1 by default (update; order)
      may belong to another tenant: default: none -> block 5 by default (create; tenant)
      of another tenant beside the own one: default: none -> block 5 by default (create)
      has an unknown limit: default: block 5 by default -> block null by default (update, open)
      has an unknown address: default: none -> redirect 5 by default (create, open)
      has unknown callers: default: block 5 by default -> none (destroy; other) | (known after apply: policy.b): block 5 by default -> block 9 by (known after apply: policy.b) (create, open; callers)
      "
    `);
  });

  test("a change belongs to one resource and consumer, and names its plan", () => {
    const other = policy("default", block(3), { resource: "management_api" });
    const changes = limitChanges([object("a", undefined, usual, { plan: "edge" }), object("b", other, other)]);
    expect(changes).toMatchObject([
      { resource: "management_api", before: { limit: 3 }, after: { limit: 3 } },
      { resource: "oauth_authentication_api", before: null, after: { limit: 5 }, plan: "edge" },
    ]);
    expect(limitEffects(changes)).toMatchObject([{ address: "policy.a", plan: "edge" }]);
    const [addressed] = limitChanges([object("a", usual, policy("default", redirect(a)))]);
    expect(addressed!.before).not.toHaveProperty("redirect_uri");
    expect(addressed!.after).toHaveProperty("redirect_uri", a);
  });

  test("it is no replacement if another resource, or one of another plan, creates the policy", () => {
    const actionsOf = (one: Partial<PlannedObject>, other: Partial<PlannedObject>) =>
      limitChanges([
        object("a", own(), undefined, one),
        object("a", undefined, policy("client_id:b", block(5)), other),
      ]).map(({ action }) => action);
    expect(actionsOf({}, { address: "policy.b" })).toEqual(["destroy", "create"]);
    expect(actionsOf({ plan: "eu" }, { plan: "us" })).toEqual(["destroy", "create"]);
    expect(actionsOf({ plan: "eu" }, { plan: "eu" })).toEqual(["replace", "replace"]);
  });

  test.each(["resource", "consumer", "consumer_selector"] as const)("hides a sensitive %s", (name) => {
    const [change] = limitChanges([object("a", own(), own(4), { beforeSensitive: { [name]: true } })]);
    const shown = { resource: "oauth_authentication_api", consumer: "client", consumer_selector: "client_id:a" };
    expect(change).toMatchObject({ ...shown, [name]: "(sensitive)" });
    expect(JSON.stringify(change).includes("client_id:a")).toBe(name !== "consumer_selector");
    // A level of its own would show that the selector is the default.
    const levels = [own(0), policy("default", block(0))].map((after) => {
      const before = { ...after, configuration: block(5) };
      return limitEffects(limitChanges([object("a", before, after, { beforeSensitive: { [name]: true } })]))[0]!.level;
    });
    expect(levels).toEqual([name === "consumer_selector" ? "critical" : "high", "critical"]);
  });

  test("changes are open if a limit is sensitive and changes, on either side", () => {
    const secret = policy("default", block(77));
    const marks = { beforeSensitive: { configuration: true }, afterSensitive: { configuration: true } };
    const isOpen = (before?: Values, after?: Values, more: Partial<PlannedObject> = marks) =>
      limitChanges([object("a", before, after, more)])[0]!.open === true;
    const [was, is] = [marks.beforeSensitive, marks.afterSensitive];
    expect(isOpen(secret, policy("default", block(4)), { beforeSensitive: was })).toBe(true);
    expect(isOpen(policy("default", block(4)), secret, { afterSensitive: is })).toBe(true);
    expect([isOpen(secret, secret), isOpen(secret), isOpen(undefined, secret)]).toEqual([false, true, true]);
    const changes = limitChanges([object("a", secret, policy("default", block(0)), marks)], []);
    expect(JSON.stringify([...limitEffects(changes), ...limitEffects(changes)])).not.toContain("77");
  });

  test("a change may depend on an application that is hidden", () => {
    const [change] = limitChanges([object("a", own(), undefined, { beforeSensitive: { consumer_selector: true } })]);
    expect(change!.assumptions).toEqual([assumed.hiddenGroup, assumed.usual]);
  });
});
