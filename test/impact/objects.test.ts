/** Duplicates, actions, drift, and the scopes that a change needs. */
import { actionFindings } from "../../src/impact/objects/actions";
import { driftFindings } from "../../src/impact/objects/drift";
import { duplicatesIn, managedBy } from "../../src/impact/objects/duplicates";
import { identityOf, importedAs } from "../../src/impact/objects/identity";
import { scopesFor } from "../../src/impact/objects/scopes";
import type { PlannedObject, Values } from "../../src/impact/model";

const unknown = Symbol("not known yet");
const object = (type: string, actions: string[], more: Partial<PlannedObject> = {}): PlannedObject => ({
  address: `${type}.x`,
  type,
  actions,
  ...more,
});
const acl = { id: "acl_1", description: "Office", priority: 1, rule: { action: { allow: true }, scope: "tenant" } };
const set = (more: Values = {}): Values => ({ organization_id: "org_1", members: ["a"], exclusive: true, ...more });
const codesOf = (one: PlannedObject) => actionFindings([one]).map(({ code }) => code);

test.each([
  [["create"], ["TF-EARLY-ACCESS"]],
  [["update"], ["TF-EARLY-ACCESS"]],
  [["no-op"], []],
  [["delete"], ["TF-DESTROYED"]],
  [
    ["delete", "create"],
    ["TF-REPLACED", "TF-EARLY-ACCESS"],
  ],
  [["forget"], ["TF-FORGOTTEN"]],
  [
    ["create", "forget"],
    ["TF-FORGOTTEN", "TF-EARLY-ACCESS"],
  ],
])("reports what a plan does to a policy: %j", (actions, codes) => {
  expect(codesOf(object("tenant_rate_limit_policy", actions))).toEqual(codes);
});

test("reports imports, moves, deposed objects and new keys", () => {
  const texts = (one: PlannedObject) => actionFindings([one]).map(({ code, text }) => `${code} ${text}`);
  const type = "tenant_network_acl";
  expect(texts(object(type, ["no-op"], { isImported: true }))).toEqual([
    `TF-IMPORTED Terraform imports ${type}.x from the tenant.`,
  ]);
  expect(texts(object(type, ["no-op"], { previousAddress: `${type}.old` }))).toEqual([
    `TF-MOVED ${type}.old is now ${type}.x; the object itself stays.`,
  ]);
  expect(texts(object(type, ["no-op"], { previousAddress: `${type}.x` }))).toEqual([]);
  const deposed = object(type, ["delete"], { address: `${type}.x (deposed a1b2)`, isDeposed: true, plan: "edge" });
  expect(actionFindings([deposed])).toMatchObject([
    {
      code: "TF-DESTROYED",
      address: `${type}.x`,
      plan: "edge",
      text: `${type}.x (deposed a1b2) is destroyed: an earlier apply replaced it, and could not destroy it.`,
    },
  ]);
  expect(texts(object("tenant_network_acl_key", ["create"], { after: { name: "edge" } }))[0]).toBe(
    'TF-KEY-CREATED tenant_network_acl_key.x (key "edge") is created.',
  );
  expect(texts(object(type, ["forget"]))[0]).toContain("is no longer managed by Terraform");
  expect(texts(object(type, ["create", "forget"]))[0]).toContain("The old object stays on the tenant unchanged");
});

test("names the Early Access features that created and updated objects use", () => {
  const signed = { ...acl, rule: { ...acl.rule, match: { http_message_signature: { keys: [{ id: "k" }] } } } };
  const all = { ...acl, rule: { action: { block: true }, match_all: true, scope: "tenant" } };
  const text = (...objects: PlannedObject[]) => actionFindings(objects).map((one) => one.text);
  expect(text(object("tenant_network_acl", ["create"], { after: acl }))).toEqual([]);
  expect(
    text(
      object("tenant_network_acl", ["create"], { after: signed }),
      object("tenant_network_acl", ["update"], { after: all }),
      object("tenant_rate_limit_policy", ["create"]),
    ),
  ).toEqual([
    "The plan uses Early Access features, which the service may change or refuse: rate limit policies, HTTP message signatures, match_all.",
  ]);
  expect(text(object("tenant_network_acl", ["no-op"], { after: all }))).toEqual([]);
  expect(text(object("aws_acl", ["create"], { after: all }))).toEqual([]);
  const created = object("tenant_network_acl", ["create"], { after: all, plan: "edge" });
  expect(actionFindings([created])).toMatchObject([{ code: "TF-EARLY-ACCESS", level: "info", plan: "edge" }]);
  expect(actionFindings([created], true)).toEqual([]);
});

test.each<[string, Values | undefined, PlannedObject | undefined, string]>([
  [
    "undoes a change",
    { ...acl, description: "other" },
    object("tenant_network_acl", ["update"], { after: acl }),
    "the apply undoes that change",
  ],
  [
    "keeps a change",
    { ...acl, description: "other" },
    object("tenant_network_acl", ["no-op"], { after: { ...acl, description: "other" } }),
    "the plan keeps that change",
  ],
  [
    "destroys a changed object",
    { ...acl, description: "other" },
    object("tenant_network_acl", ["delete"]),
    "the apply destroys it",
  ],
  [
    "forgets a changed object",
    { ...acl, description: "other" },
    object("tenant_network_acl", ["forget"], { after: acl }),
    "the plan keeps that change",
  ],
  ["leaves a changed object out", { ...acl, description: "other" }, undefined, "the plan keeps that change"],
  [
    "creates a deleted object again",
    undefined,
    object("tenant_network_acl", ["create"], { after: acl }),
    "the apply undoes that change",
  ],
])("reports drift, and that the plan %s", (_, now, planned, words) => {
  const drift = object("tenant_network_acl", ["update"], { before: acl, ...(now && { after: now }) });
  const [finding, ...more] = driftFindings([drift], planned ? [planned] : []);
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ code: "TF-DRIFT", level: "medium", address: "tenant_network_acl.x" });
  const change = now ? "was changed (description)" : "was deleted";
  expect(finding!.text).toBe(`tenant_network_acl.x ${change} outside Terraform since the last apply: ${words}.`);
});

test("reports no drift for attributes that a move from the Go provider adds", () => {
  const previousAddress = "auth0_network_acl.x";
  const before = { ...acl, active: null };
  const after = { ...acl, active: true, created_at: "2026-01-01" };
  const found = (more: Partial<PlannedObject>) =>
    driftFindings([object("tenant_network_acl", ["update"], { before, after, ...more })], []).length;
  expect(found({ previousAddress })).toBe(0);
  expect(found({ previousAddress: "tenant_network_acl.y" })).toBe(1);
  expect(found({ previousAddress, after: { ...after, priority: 2 } })).toBe(1);
});

test("reports no drift for another spelling or for a computed attribute", () => {
  const before = { ...acl, updated_at: "2026-01-01", active: null };
  const after = { ...acl, updated_at: "2026-02-01", created_at: "2026-01-01", active: false };
  expect(driftFindings([object("tenant_network_acl", ["update"], { before, after })], [])).toEqual([]);
});

test("identifies objects by the id of their kind", () => {
  expect(identityOf("tenant_network_acl", acl)).toBe("network ACL acl_1");
  expect(identityOf("auth0_network_acl", acl)).toBe("network ACL acl_1");
  expect(identityOf("tenant_organization_member_set", set())).toBe("organization org_1");
  expect(identityOf("tenant_network_acl", { id: "" })).toBeUndefined();
  expect(identityOf("tenant_network_acl", undefined)).toBeUndefined();
  expect(identityOf("aws_instance", acl)).toBeUndefined();
  expect(importedAs("tenant_organization_member_set", "org_1")).toBe("organization org_1");
  expect(importedAs("tenant_network_acl", undefined)).toBeUndefined();
});

test("finds two resources that manage one object, and no others", () => {
  const managed = (name: string, more: Partial<PlannedObject> = {}) =>
    object("tenant_network_acl", ["no-op"], { address: name, before: acl, after: acl, ...more });
  const count = (...objects: PlannedObject[]) => duplicatesIn(objects).size;
  expect(count(managed("a"), managed("b"))).toBe(1);
  expect(count(managed("a"), managed("b", { before: { ...acl, id: "acl_2" } }))).toBe(0);
  expect(count(managed("a"), managed("b", { actions: ["forget"] }))).toBe(0);
  const { after: _a, ...destroyed } = managed("a", { actions: ["delete"] });
  const { after: _b, ...destroyedToo } = managed("b", { actions: ["delete"] });
  expect(count(destroyed, destroyedToo)).toBe(0);
  expect(count(destroyed, managed("b"))).toBe(1);
  const { before: _c, ...imported } = managed("c", { isImported: true, importId: "acl_1" });
  expect(count(managed("a"), imported)).toBe(1);
});

test("allows several sets of one organization only if none is exclusive", () => {
  const managed = (type: string, values: Values) => object(type, ["no-op"], { before: values, after: values });
  const count = (...values: Values[]) =>
    duplicatesIn(values.map((one) => managed("tenant_organization_member_set", one))).size;
  expect(count(set(), set())).toBe(1);
  expect(count(set(), set({ exclusive: false }))).toBe(1);
  expect(count(set({ exclusive: false }), set({ exclusive: false }))).toBe(0);
  const single = managed("auth0_organization_member", { organization_id: "org_1", user_id: "a" });
  expect(duplicatesIn([single, { ...single, address: "b" }]).size).toBe(0);
  expect(
    managedBy(object("tenant_organization_member_set", ["delete"], { before: set({ on_destroy: "keep" }) })),
  ).toBeUndefined();
});

test.each<[string, PlannedObject, string[], string[]]>([
  ["an ACL that is created", object("tenant_network_acl", ["create"]), ["create:network_acls"], []],
  [
    "an ACL that is replaced",
    object("auth0_network_acl", ["delete", "create"]),
    ["delete:network_acls", "create:network_acls"],
    [],
  ],
  ["an ACL that stays", object("tenant_network_acl", ["no-op"]), [], []],
  ["a key that changes in the state only", object("tenant_network_acl_key", ["update"]), [], []],
  ["an unrelated resource", object("aws_instance", ["create"]), [], []],
])("knows the scopes for %s", (_, one, certain, possible) => {
  expect(scopesFor(one)).toEqual({ certain, possible });
});

test.each<[string, PlannedObject, string[] | undefined, string[], string[]]>(
  [
    [
      "that adds",
      { actions: ["update"], before: set(), after: set({ members: ["a", "b"] }) },
      undefined,
      ["create"],
      [],
    ],
    ["that removes", { actions: ["update"], before: set(), after: set({ members: [] }) }, undefined, ["delete"], []],
    ["that stays", { actions: ["no-op"], before: set(), after: set() }, undefined, [], []],
    [
      "whose members are unknown",
      { actions: ["update"], before: set(), after: set({ members: unknown }) },
      undefined,
      [],
      ["create", "delete"],
    ],
    ["that is new", { actions: ["create"], after: set() }, undefined, ["create"], []],
    ["that is new and lists the present members", { actions: ["create"], after: set() }, ["a"], [], []],
    [
      "that adopts unseen members",
      { actions: ["create"], after: set({ adopt_existing: true }) },
      undefined,
      ["create"],
      ["delete"],
    ],
    [
      "that adopts other members",
      { actions: ["create"], after: set({ adopt_existing: true }) },
      ["a", "b"],
      ["delete"],
      [],
    ],
    ["that is destroyed", { actions: ["delete"], before: set() }, undefined, ["delete"], []],
    ["that is destroyed without members", { actions: ["delete"], before: set({ members: [] }) }, undefined, [], []],
  ].map(
    ([name, one, ...rest]) => [name, object("tenant_organization_member_set", [], one as object), ...rest] as never,
  ),
)("knows the scopes for a member set %s", (_, one, present, certain, possible) => {
  const { certain: sure, possible: open } = scopesFor(one, present && new Map([["org_1", present]]));
  const verbs = (scopes: readonly string[]) => scopes.map((scope) => scope.replace(":organization_members", ""));
  expect([verbs(sure), verbs(open)]).toEqual([certain, possible]);
});

describe("a renamed resource", () => {
  const type = "tenant_network_acl";
  const at = (name: string, actions: string[], more: Partial<PlannedObject>) =>
    object(type, actions, { address: `${type}.${name}`, ...more });
  const renames = (...objects: PlannedObject[]) =>
    actionFindings(objects).flatMap(({ code, address, text }) => (code === "TF-RENAMED" ? [{ address, text }] : []));
  const created = { ...acl, id: unknown, active: null };
  const made = at("new", ["create"], { after: created });

  test("is reported with both addresses, also if the provider refused the plan before the delete", () => {
    const both = [{ address: `${type}.new`, text: expect.stringContaining(`from = ${type}.old and to = ${type}.new`) }];
    expect(renames(at("old", ["delete"], { before: { ...acl, active: false } }), made)).toEqual(both);
    expect(renames(made, at("old", ["no-op"], { before: acl, after: acl, leftOut: true }))).toEqual(both);
  });

  test.each<[string, Partial<PlannedObject>, Partial<PlannedObject>]>([
    ["another content", { before: { ...acl, priority: 2 } }, { after: created }],
    ["an unknown part", { before: acl }, { after: { ...created, rule: { ...acl.rule, scope: unknown } } }],
    ["a sensitive part", { before: acl }, { after: created, afterSensitive: { rule: true } }],
    ["a deposed object", { before: acl, isDeposed: true }, { after: created }],
  ])("is not assumed for %s", (_, old, other) => {
    expect(renames(at("old", ["delete"], old), at("new", ["create"], other))).toEqual([]);
  });

  test("is not assumed for another entry of the Go provider's list, or for an object that stays", () => {
    const entry = (name: string, actions: string[], user: string, side: "before" | "after") =>
      object("auth0_organization_member", actions, {
        address: `auth0_organization_member.${name}`,
        [side]: { organization_id: "org_1", user_id: user },
      });
    expect(renames(entry("a", ["delete"], "auth0|a", "before"), entry("b", ["create"], "auth0|b", "after"))).toEqual(
      [],
    );
    expect(
      renames(entry("a", ["delete"], "auth0|a", "before"), entry("b", ["create"], "auth0|a", "after")),
    ).toHaveLength(1);
    expect(renames(at("old", ["no-op"], { before: acl, after: acl }), made)).toEqual([]);
  });
});
