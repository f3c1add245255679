/** Limits before and after a change: the code, level and certainty of each, one row for each decision. `words/effects.test.ts` pins the words. */
import { worded } from "./support/worded";
import type { Duplicates } from "../../../src/judge/impact/objects/duplicates";
import type { PlannedObject, Values } from "../../../src/judge/impact/model";
import { limitChanges, type LimitChange } from "../../../src/judge/impact/rate-limit-policy/changes";
import { builtIn } from "../../../src/judge/impact/statement/built-in";
import { ownLimitEffects } from "../../../src/judge/impact/rate-limit-policy/own-client";
import { limitEffects } from "../../../src/judge/impact/rate-limit-policy/effects";
import { type Limit, policyFrom } from "../../../src/judge/impact/rate-limit-policy/policy";
import { policyValues as policy } from "./support/policies";
import { table } from "./support/table";

const unknown = Symbol("not known yet");
const pending = "(known after apply)";
const group = "third_party_clients";
const blockAbove = (limit: number | null, by = group): Limit => ({ action: "block", limit, by });
const logAbove = (limit: number | null): Limit => ({ action: "log", limit, by: group });
const redirectAbove = (limit: number | null, redirect_uri?: string): Limit => ({
  action: "redirect",
  limit,
  ...(redirect_uri !== undefined && { redirect_uri }),
  by: group,
});
const block = (limit: unknown) => ({ action: "block", limit });
const a = "https://a.example/x";
const redirect = (redirect_uri: unknown, limit: unknown = 5) => ({ action: "redirect", limit, redirect_uri });
const object = (name: string, before?: Values, after?: Values, more: Partial<PlannedObject> = {}): PlannedObject => ({
  address: `policy.${name}`,
  type: "tenant_rate_limit_policy",
  actions: ["update"],
  ...(before && { before }),
  ...(after && { after }),
  ...more,
});

const changeFrom = (before: Limit | null, after: Limit | null, more: Partial<LimitChange> = {}): LimitChange => {
  const fixed = { address: "policy.a", resource: "oauth_authentication_api", consumer: "client" };
  return { ...fixed, action: "update", consumer_selector: group, before, after, ...more };
};

/** Code, level and certainty. */
function judgement(before: Limit | null, after: Limit | null, more: Partial<LimitChange> = {}): string | undefined {
  const [effect] = limitEffects([changeFrom(before, after, more)]);
  return effect && `${effect.code.slice("TNF-LIMIT-".length)} ${effect.level} ${effect.certainty}`;
}

type Row = [before: Limit | null, after: Limit | null, judgement: string | undefined];

test.each<Row>([
  [blockAbove(5), blockAbove(5), undefined],
  [blockAbove(5), blockAbove(4), "TIGHTENED low certain"],
  [blockAbove(50), blockAbove(10), "TIGHTENED medium certain"],
  [null, blockAbove(5), "TIGHTENED low certain"],
  [{ action: "allow", limit: 5, by: group }, { action: "allow", limit: 6, by: group }, undefined],
  [{ action: "allow", limit: null, by: group }, logAbove(1), "LOGGED info certain"],
  [logAbove(0), null, "LOGGED info certain"],
  [logAbove(5), blockAbove(1), "TIGHTENED low certain"],
  [blockAbove(5), logAbove(9), "LOOSENED low certain"],
  [blockAbove(5), blockAbove(0), "BLOCKED high certain"],
  [blockAbove(0), blockAbove(0), undefined],
  [redirectAbove(0, "https://a.example/x"), blockAbove(0), "REDIRECT medium certain"],
  [redirectAbove(5, "https://a.example/x"), redirectAbove(0, "https://a.example/x"), "TIGHTENED high certain"],
  [redirectAbove(0, "https://a.example/x"), redirectAbove(0, "https://a.example/y"), "REDIRECT medium certain"],
  [blockAbove(0), redirectAbove(0, "https://a.example/x"), "REDIRECT medium certain"],
  [blockAbove(5), redirectAbove(5, "https://a.example/x"), "REDIRECT medium certain"],
  [null, redirectAbove(4, "https://a.example/x"), "REDIRECT medium certain"],
  [redirectAbove(5, "https://a.example/x"), blockAbove(5), "REDIRECT medium certain"],
  [redirectAbove(5, "https://a.example/x"), blockAbove(4), "TIGHTENED low certain"],
  [redirectAbove(5, "https://a.example/x"), redirectAbove(5, "https://a.example/x"), undefined],
  [redirectAbove(5, "https://a.example/x"), redirectAbove(5, "https://b.example/x"), "REDIRECT high certain"],
  [redirectAbove(5, "https://a.example/x"), redirectAbove(5, "https://a.example@b.example/"), "REDIRECT high certain"],
  [redirectAbove(5, "https://a.example/x"), redirectAbove(5, "https://A.EXAMPLE/x"), "REDIRECT medium certain"],
  [redirectAbove(5, "no address"), redirectAbove(5, "nowhere"), "REDIRECT high certain"],
  [blockAbove(5), redirectAbove(5, "mailto:a@b.example"), "REDIRECT medium certain"],
  [blockAbove(null), blockAbove(null), undefined],
  [blockAbove(null), blockAbove(5), "UNKNOWN high possible"],
  [null, redirectAbove(null, "https://a.example/x"), "UNKNOWN high possible"],
  [{ action: "slow", limit: 5, by: group }, { action: "slow", limit: 6, by: group }, "UNKNOWN medium possible"],
  [blockAbove(5), blockAbove(4, "default"), "TIGHTENED low possible"],
  [blockAbove(5), blockAbove(6, "default"), "LOOSENED low certain"],
  [blockAbove(5), blockAbove(0, "default"), "BLOCKED high certain"],
  [blockAbove(5, "default"), blockAbove(4), "TIGHTENED medium certain"],
  [blockAbove(5, "default"), blockAbove(5), "TIGHTENED medium possible"],
  [blockAbove(5, "default"), blockAbove(8), "TIGHTENED medium possible"],
  [blockAbove(5), blockAbove(5, "default"), "LOOSENED low possible"],
  [blockAbove(0, "default"), blockAbove(5), "LOOSENED low certain"],
])("a group of applications: %j -> %j is %s", (before, after, expected) => {
  expect(judgement(before, after)).toBe(expected);
});

test.each<Row>([
  [blockAbove(100), blockAbove(1), "TIGHTENED high certain"],
  [blockAbove(100), blockAbove(10), "TIGHTENED high certain"],
  [blockAbove(100), blockAbove(11), "TIGHTENED medium certain"],
  [blockAbove(100), blockAbove(51), "TIGHTENED low certain"],
  [null, blockAbove(9000), "TIGHTENED medium certain"],
  [blockAbove(5), null, "LOOSENED medium certain"],
  [blockAbove(5), blockAbove(0, "default"), "BLOCKED critical certain"],
  [blockAbove(5), redirectAbove(0, "https://a.example/x"), "TIGHTENED critical certain"],
])("all applications without a policy of their own: %j -> %j is %s", (before, after, expected) => {
  expect(judgement(before, after, { consumer_selector: "default" })).toBe(expected);
});

test.each<Row>([
  // It may be 0.
  [blockAbove(1200), blockAbove(null), "UNKNOWN high possible"],
  [null, blockAbove(null), "UNKNOWN high possible"],
  [logAbove(5), blockAbove(null), "UNKNOWN high possible"],
  [{ action: "slow", limit: 5, by: group }, blockAbove(null), "UNKNOWN high possible"],
  [blockAbove(0), blockAbove(null), "UNKNOWN medium possible"],
  // The callers are not known.
  [blockAbove(90), blockAbove(9), "UNKNOWN high possible"],
  [blockAbove(89), blockAbove(9), "UNKNOWN medium possible"],
  [null, blockAbove(9), "UNKNOWN medium possible"],
  [redirectAbove(5, "https://a.example/x"), redirectAbove(5, "(known after apply)"), "UNKNOWN high possible"],
  [blockAbove(5), redirectAbove(5, "(known after apply)"), "UNKNOWN medium possible"],
  [blockAbove(0), redirectAbove(0, "(known after apply)"), "UNKNOWN medium possible"],
  [blockAbove(5), blockAbove(0), "UNKNOWN high possible"],
  [null, redirectAbove(0, "(known after apply)"), "UNKNOWN high possible"],
  [{ action: "(sensitive)", limit: null, by: group }, blockAbove(5), "UNKNOWN medium possible"],
  [blockAbove(5), { action: "(sensitive)", limit: null, by: group }, "UNKNOWN high possible"],
])("limits that are known only after the apply, or that are sensitive: %j -> %j is %s", (before, after, expected) => {
  expect(judgement(before, after, { open: true })).toBe(expected);
});

test("a tighter limit is high if the log shows that limits reject requests", () => {
  const changes = [changeFrom(blockAbove(50), blockAbove(40)), changeFrom(blockAbove(50), blockAbove(60))];
  expect(limitEffects(changes, true).map(({ level }) => level)).toEqual(["high", "low"]);
});

test("an unknown limit says why", () => {
  const why = (before: Limit, after: Limit, more: Partial<LimitChange> = { open: true }) =>
    worded(limitEffects([changeFrom(before, after, more)])[0]!).assumptions;
  expect(why(blockAbove(5), blockAbove(null), { open: true, assumptions: [{ is: "order" }] })).toEqual([
    "the limit is known only after the apply",
    "several resources manage the policy, and the one that is applied last sets the limit",
  ]);
  expect(why(blockAbove(5), { action: "(sensitive)", limit: null, by: group })).toEqual(["the limit is sensitive"]);
  expect(why(blockAbove(5), { action: "slow", limit: 5, by: group }, {})).toEqual([
    "the plan does not show the whole limit",
  ]);
});

test("a limit says how the plan changes its policy, and which requests it limits", () => {
  const of = (action: LimitChange["action"], more: Partial<LimitChange> = {}) =>
    limitEffects([changeFrom(blockAbove(5), blockAbove(4), { plan: "eu", ...(action && { action }), ...more })])[0]!;
  const kinds = (["create", "update", "replace", "destroy"] as const).map((action) => of(action).cause[0]!.change.kind);
  expect(kinds).toEqual(["created", "changed", "replaced", "destroyed"]);
  expect(of("update").cause).toMatchObject([{ address: "policy.a", plan: "eu" }]);
  expect(worded(of("update")).apis).toEqual(["authentication"]);
  expect(worded(of("update", { resource: "management_api" })).apis).toEqual([]);
});

describe("a policy", () => {
  const read = (values: Values, more = {}) => policyFrom({ address: "policy.x", ...more }, values);

  test("without a resource and a consumer limits applications of the Authentication API", () => {
    expect(read({ configuration: block(1) }, { plan: "edge", tenantUnknown: true })).toStrictEqual({
      address: "policy.x",
      plan: "edge",
      tenantUnknown: true,
      hasUnknownCallers: true,
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
    expect(read({ ...policy("default", block(1)), [name]: unknown }).hasUnknownCallers).toBe(true);
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
    return limitChanges(objects, others, duplicates).map(
      ({ consumer_selector, before, after, action, open, assumptions = [] }) => {
        const why = assumptions.map(({ is }) => is);
        const does = `${action ?? "kept"}${open ? ", open" : ""}${why.length > 0 ? `; ${why.join(", ")}` : ""}`;
        return `${consumer_selector}: ${side(before)} -> ${side(after)} (${does})`;
      },
    );
  }

  const client = object("a", own());
  const documents = policy("cimd_clients", block(0));
  const documented = policy("client_id:https://a.example/client.json", block(50));
  const plans: [string, ...Parameters<typeof told>][] = [
    ["is created", [object("a", undefined, usual)]],
    ["is destroyed, and the tenant may have a default", [object("a", third)]],
    ["of an application is destroyed, and nothing was read", [client]],
    ["of an application is destroyed, and the tenant has none", [client], []],
    ["of an application is destroyed, and the tenant has a default", [client], [remote.usual]],
    ["of an application is destroyed, and a group has one", [client], [remote.usual, remote.group]],
    ["of an application and a group are destroyed", [client, object("g", third)], [remote.usual]],
    ["of an application is destroyed, the default stays", [client, object("d", usual, usual)]],
    ["of a documented application ends", [object("a", documented)], [remote.usual, { id: "rlp_c", ...documents }]],
    ["of a documented application begins", [object("a", undefined, documented), object("c", documents, documents)], []],
    ["of a documented application ends, and nothing was read", [object("a", documented)]],
    ["of an application changes", [object("a", own(), own(4))]],
    ["is replaced", [object("a", usual, own(5))], []],
    ["moves to another resource", [object("a", usual), object("b", undefined, policy("default", block(4)))]],
    ["is in the state and on the tenant", [object("a", own(50, { id: "1" }))], [{ id: "1", ...own(99) }]],
    ["is not the one of the tenant", [object("a", usual)], [remote.usual]],
    ["is managed by two resources", two, [], contested],
    ["may belong to another tenant", [object("a", undefined, usual, { tenantUnknown: true })]],
    [
      "of another tenant beside the own one",
      [object("a", undefined, usual), object("b", undefined, policy("default", block(1)), { tenantUnknown: true })],
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
      of an application is destroyed, and a group has one: client_id:a: block 50 by client_id:a -> block 7 by default (destroy; group) | client_id:a: block 50 by client_id:a -> block 1 by third_party_clients (destroy; group)
      of an application and a group are destroyed: client_id:a: block 50 by client_id:a -> block 7 by default (destroy) | third_party_clients: block 1 by third_party_clients -> block 7 by default (destroy)
      of an application is destroyed, the default stays: client_id:a: block 50 by client_id:a -> block 5 by default (destroy; group) | default: block 5 by default -> block 5 by default (kept)
      of a documented application ends: client_id:https://a.example/client.json: block 50 by client_id:https://a.example/client.json -> block 0 by cimd_clients (destroy)
      of a documented application begins: cimd_clients: block 0 by cimd_clients -> block 0 by cimd_clients (kept) | client_id:https://a.example/client.json: block 0 by cimd_clients -> block 50 by client_id:https://a.example/client.json (create)
      of a documented application ends, and nothing was read: client_id:https://a.example/client.json: block 50 by client_id:https://a.example/client.json -> none (destroy; group, usual)
      of an application changes: client_id:a: block 50 by client_id:a -> block 4 by client_id:a (update)
      is replaced: default: block 5 by default -> none (replace) | client_id:a: block 5 by default -> block 5 by client_id:a (replace)
      moves to another resource: default: block 5 by default -> block 4 by default (update)
      is in the state and on the tenant: client_id:a: block 50 by client_id:a -> none (destroy)
      is not the one of the tenant: default: block 5 by default -> block 7 by default (destroy)
      is managed by two resources: default: block 5 by default -> block 1 by default (update; order)
      may belong to another tenant: default: none -> block 5 by default (create; policy tenant)
      of another tenant beside the own one: default: none -> block 5 by default (create)
      has an unknown limit: default: block 5 by default -> block null by default (update, open)
      has an unknown address: default: none -> redirect 5 by default (create, open)
      has unknown callers: default: block 5 by default -> none (destroy; other policies) | (known after apply: policy.b): block 5 by default -> block 9 by (known after apply: policy.b) (create, open; callers)
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
    expect(limitEffects(changes)).toMatchObject([{ subject: { address: "policy.a", plan: "edge" } }]);
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
    expect(change!.assumptions).toEqual([{ is: "hidden group" }, { is: "usual" }]);
  });
});

test("names one of two policies for the same applications with its own limit, as possible", () => {
  const created = (name: string, limit: number) => ({
    address: `tenant_rate_limit_policy.${name}`,
    type: "tenant_rate_limit_policy",
    actions: ["create"],
    after: policy("third_party_clients", block(limit)),
  });
  const changes = limitChanges([created("a", 10), created("b", 50)]);
  expect(changes).toMatchObject([{ address: "tenant_rate_limit_policy.a", action: "create", after: { limit: 10 } }]);
  expect(limitEffects(changes).map(({ certainty }) => certainty)).toEqual(["possible"]);
});

const ownLimit = { stated: builtIn().at(-1)!, isEnforced: true };

test("an imported policy replaces the one on the tenant, also for Terraform's own application", () => {
  const own = (limit: number) => policy("client_id:OWN", block(limit));
  const imported = object("own", undefined, own(0), { importId: "rlp_1", isImported: true });
  const remote = { rate_limit_policies: [{ id: "rlp_1", ...own(9) }] };
  const [found] = ownLimitEffects({ objects: [imported], remote }, ownLimit, { client: "OWN" });
  expect(found).toMatchObject({ level: "critical", certainty: "certain", refuses: true });
});

test("a limit whose applications are known only after apply, on Terraform's own application", () => {
  const created = object("p", undefined, policy(unknown as never, block(0)));
  const [found] = ownLimitEffects({ objects: [created], remote: {} }, ownLimit, { client: "OWN" });
  expect(found).toMatchObject({ certainty: "possible", facts: { selector: "(known after apply)" } });
});
