/** Findings about objects in detail: texts, plans, unknown kinds, and scopes. */
import { actionFindings, subjectOf } from "../../src/impact/objects/actions";
import { driftFindings } from "../../src/impact/objects/drift";
import { duplicateFindings, duplicatesIn, managedBy } from "../../src/impact/objects/duplicates";
import { holdsOneEntry, identityOf, importedAs } from "../../src/impact/objects/identity";
import { scopesFor } from "../../src/impact/objects/scopes";
import type { PlannedObject, Values } from "../../src/impact/model";

const acl = { id: "acl_1", description: "Office", priority: 1, rule: { action: { block: true }, scope: "tenant" } };
const object = (type: string, actions: string[], more: Partial<PlannedObject> = {}): PlannedObject => ({
  address: `${type}.x`,
  type,
  actions,
  ...more,
});
const textsOf = (...objects: PlannedObject[]) => actionFindings(objects).map(({ text }) => text);

describe("actions", () => {
  const type = "tenant_network_acl";

  test("are worded", () => {
    expect(textsOf(object(type, ["delete", "create"]))).toEqual([
      `${type}.x is replaced: the apply destroys the old object and creates a new one with another id.`,
    ]);
    expect(textsOf(object(type, ["delete"]))).toEqual([`${type}.x is destroyed.`]);
    const key = { before: { name: "edge", fingerprint: "1" }, after: { name: "edge", fingerprint: "2" } };
    expect(textsOf(object("tenant_network_acl_key", ["create", "delete"], key))).toEqual([
      'tenant_network_acl_key.x (key "edge") is rotated: key "edge" takes its place, with other material and another id.',
      "The plan uses Early Access features, which the service may change or refuse: keys of HTTP message signatures.",
    ]);
  });

  test("have the address without the suffix of a deposed object, and the plan", () => {
    expect(subjectOf({ ...object(type, []), address: "a.b (deposed 0f)" })).toEqual({ address: "a.b" });
    expect(Object.keys(subjectOf(object(type, [])))).toEqual(["address"]);
    expect(subjectOf({ ...object(type, []), address: 'a["x (deposed 0f)"]', plan: "edge" })).toEqual({
      address: 'a["x (deposed 0f)"]',
      plan: "edge",
    });
    expect(subjectOf({ ...object(type, []), address: "a (deposed 0f) b" }).address).toBe("a (deposed 0f) b");
  });
});

describe("duplicates", () => {
  const set = (more: Values = {}): Values => ({ organization_id: "org_1", members: ["a"], exclusive: true, ...more });
  const type = "tenant_organization_member_set";

  test("are worded with every other resource", () => {
    const [a, b, c] = ["a", "b", "c"].map((address) =>
      object("tenant_network_acl", [], { address, before: acl, after: acl }),
    );
    expect(duplicateFindings(duplicatesIn([a!, b!, c!]))[0]!.text).toBe(
      "a and b and c manage the same network ACL acl_1. Each apply of one resource undoes the other, so the result is not known, " +
        "and nothing is proven. Remove all but one of these resources from Terraform, with a removed block (destroy = false) or " +
        "`terraform state rm`.",
    );
  });

  test("concern the organization that a set has after the apply", () => {
    const moved = object(type, ["update"], { before: set(), after: set({ organization_id: "org_2" }) });
    expect(managedBy(moved)).toBe("organization org_2");
    expect(managedBy(object(type, ["delete"], { before: set() }))).toBe("organization org_1");
    expect(managedBy(object(type, ["forget"], { before: set(), after: set() }))).toBeUndefined();
    expect(managedBy(object(type, ["create", "forget"], { before: set(), after: set(), leaves: true }))).toBe(
      "organization org_1",
    );
  });

  test("concern the id that any other object has before the apply", () => {
    const before = acl;
    const after = { ...acl, id: "acl_2" };
    expect(managedBy(object("tenant_network_acl", ["update"], { before, after }))).toBe("network ACL acl_1");
    expect(
      managedBy(object("tenant_network_acl", ["create", "forget"], { before, after, leaves: true })),
    ).toBeUndefined();
    expect(managedBy(object("tenant_network_acl", ["create"], { after }))).toBeUndefined();
    expect(managedBy(object("aws_acl", ["update"], { before, after }))).toBeUndefined();
  });

  test("are no duplicates if sets leave other entries alone after the apply", () => {
    const shared = set({ exclusive: false });
    const pair = (...sides: Partial<PlannedObject>[]) =>
      duplicatesIn(sides.map((side, at) => object(type, ["update"], { address: `${at}`, ...side }))).size;
    expect(pair({ before: set(), after: shared }, { before: shared, after: shared })).toBe(0);
    expect(pair({ before: shared, after: set() }, { before: shared, after: shared })).toBe(1);
    expect(pair({ before: shared }, { before: shared, after: shared })).toBe(0);
  });
});

test("objects of unknown kinds have no identity and no entries", () => {
  expect(importedAs("aws_acl", "acl_1")).toBeUndefined();
  expect(holdsOneEntry("aws_acl")).toBe(false);
  expect(holdsOneEntry("auth0_organization_members")).toBe(false);
  expect(holdsOneEntry("auth0_organization_member")).toBe(true);
  expect(identityOf("tenant_network_acl", null)).toBeUndefined();
  expect(identityOf("tenant_network_acl", { id: 1 })).toBeUndefined();
});

test("drift names every changed attribute, and reports each object", () => {
  const drifted = ["a", "b"].map((address) =>
    object("tenant_network_acl", [], {
      address,
      plan: "edge",
      before: acl,
      after: { ...acl, priority: 2, description: "x" },
    }),
  );
  expect(driftFindings(drifted, [])).toEqual(
    ["a", "b"].map((address) => ({
      code: "TF-DRIFT",
      level: "medium",
      address,
      plan: "edge",
      text: `${address} was changed (description, priority) outside Terraform since the last apply: the plan keeps that change.`,
    })),
  );
});

test("the apply undoes drift if it changes one of the attributes", () => {
  const drift = object("tenant_network_acl", [], { before: acl, after: { ...acl, priority: 2, description: "x" } });
  const planned = object("tenant_network_acl", ["update"], { after: { ...acl, description: "x" } });
  expect(driftFindings([drift], [planned])[0]!.text).toMatch(/: the apply undoes that change\.$/);
});

describe("scopes", () => {
  const type = "tenant_organization_member_set";
  const set = (organization: unknown, members: unknown, more: Values = {}): Values => ({
    organization_id: organization,
    members,
    exclusive: true,
    ...more,
  });
  const verbs = (one: PlannedObject, remote?: Record<string, string[]>) => {
    const { certain, possible } = scopesFor(one, remote && new Map(Object.entries(remote)));
    return [certain, possible].map((scopes) => scopes.map((scope) => scope.split(":")[0]));
  };
  const update = (before: Values, after: Values) => object(type, ["update"], { before, after });

  test("are listed for an update, and are empty for a read", () => {
    expect(scopesFor(object("tenant_network_acl", ["update"], { before: acl, after: acl }))).toEqual({
      certain: ["update:network_acls"],
      possible: [],
    });
    expect(scopesFor(object("tenant_network_acl", ["read"]))).toEqual({ certain: [], possible: [] });
  });

  test("depend on the members of the new organization if a set moves", () => {
    const moved = { ...update(set("org_1", ["a"]), set("org_2", ["a"])), actions: ["delete", "create"] };
    expect(verbs(moved)).toEqual([["create", "delete"], []]);
    expect(verbs(moved, { org_2: ["a"] })).toEqual([["delete"], []]);
  });

  test("depend on the members that the tenant shows for a set that is imported or destroyed", () => {
    const imported = object(type, ["no-op"], { after: set("org_1", ["a"]), isImported: true });
    expect(verbs(imported, { org_1: ["a"] })[0]).toEqual([]);
    expect(verbs(imported, { org_1: [] })[0]).toEqual(["create"]);
    expect(verbs(object(type, ["delete"], { before: set("org_1", ["a"]) }), { org_1: ["a"] })).toEqual([
      ["delete"],
      [],
    ]);
    expect(verbs(update(set("org_1", ["a"]), set("org_2", ["a"])), { org_2: ["a"] })[0]).not.toContain("create");
    expect(verbs(update(set("org_1", ["a"]), set("org_2", ["a"])), { org_2: [] })[0]).toContain("create");
  });

  test("depend on the members in the state if a set keeps its organization", () => {
    expect(verbs(update(set("org_1", ["a"]), set("org_1", ["a"])), { org_1: [] })).toEqual([[], []]);
  });

  test("include the creation of members for a new set in an unknown organization", () => {
    const unknown = Symbol("unknown");
    expect(verbs(object(type, ["create"], { after: set(unknown, ["a"]) }))).toEqual([["create"], []]);
    expect(verbs(object(type, ["delete"], { before: set(unknown, []) }))).toEqual([[], []]);
  });

  test("are empty for a set without a change", () => {
    expect(verbs(object(type, ["no-op"], { before: set("org_1", ["a"]), after: set("org_1", ["b"]) }))).toEqual([
      [],
      [],
    ]);
  });

  test("for a set that removes members from one of two organizations", () => {
    const removed = { ...update(set("org_1", ["a"]), set("org_2", [])), actions: ["delete", "create"] };
    expect(verbs(removed)).toEqual([["delete"], []]);
    expect(verbs({ ...removed, actions: ["update"] })).toEqual([[], ["delete"]]);
    const open = update(set("org_1", []), set("org_2", [], { exclusive: Symbol("unknown") }));
    expect(verbs({ ...open, actions: ["delete", "create"] })).toEqual([[], []]);
  });
});

describe("a rename", () => {
  const renames = (old: Partial<PlannedObject>, created: Partial<PlannedObject>, type = "tenant_network_acl") =>
    actionFindings([
      object(type, ["delete"], { address: "x.old", ...old }),
      object(type, ["create"], { address: "x.new", ...created }),
    ]).filter(({ code }) => code === "TF-RENAMED");

  test("is worded with the remedy, and has the plan of the new object only if it has one", () => {
    const found = {
      code: "TF-RENAMED",
      level: "medium",
      address: "x.new",
      text:
        "x.new creates the same network ACL that x.old manages. If you renamed the resource or moved it into a module, write `moved` " +
        "with from = x.old and to = x.new, so that the object stays unchanged. Otherwise Terraform creates and destroys in any order, " +
        "so the tenant could end with no object.",
    };
    expect(renames({ before: acl }, { after: acl })).toStrictEqual([found]);
    expect(renames({ before: acl }, { after: acl, plan: "edge" })).toStrictEqual([{ ...found, plan: "edge" }]);
  });

  test("of a key is found although its material is sensitive and not known", () => {
    const type = "tenant_network_acl_key";
    const key = (value: unknown, more: Values = {}): Values => ({ name: "edge", alg: "ed25519", value, ...more });
    const marks = { value: true, value_wo: true };
    const found = (before: Values, after: Values) =>
      renames({ before, beforeSensitive: marks }, { after, afterSensitive: marks }, type).length;
    expect(found(key("a"), key(Symbol("unknown")))).toBe(1);
    expect(found(key("a", { value_wo: "a" }), key("b"))).toBe(1);
    expect(found(key("a"), key("a", { name: "other" }))).toBe(0);
  });

  test.each<[string, Partial<PlannedObject>, Partial<PlannedObject>]>([
    ["another type", { before: acl }, { after: acl, type: "auth0_network_acl" }],
    ["a type that is not known", { before: acl, type: "aws_acl" }, { after: acl, type: "aws_acl" }],
    ["an old object that the plan does not show", {}, { after: acl }],
    ["a new object that the plan does not show", { before: acl }, {}],
    ["a part that was sensitive", { before: acl, beforeSensitive: { priority: true } }, { after: acl }],
    ["an old object that is replaced", { before: acl, actions: ["delete", "create"] }, { after: acl }],
    ["a new object that replaces one", { before: acl }, { after: acl, actions: ["create", "delete"] }],
    ["an object that is updated", { before: acl }, { after: acl, actions: ["update"] }],
    ["an old object that stays", { before: acl, actions: ["no-op"] }, { after: acl }],
    ["a part that was not known", { before: { ...acl, priority: Symbol("x") } }, { after: { ...acl, priority: null } }],
    [
      "a nested part that the old object lacks and that is not known yet",
      { before: { ...acl, rule: { scope: "tenant" } } },
      { after: { ...acl, rule: { scope: "tenant", action: Symbol("x") } } },
    ],
    [
      "parts that are not known on both sides",
      { before: { ...acl, rule: Symbol("x") } },
      { after: { ...acl, rule: Symbol("x") } },
    ],
  ])("is not assumed for %s", (_what, old, created) => {
    expect(renames(old, created)).toEqual([]);
  });
});

describe("a duplicate", () => {
  const type = "tenant_network_acl";
  const pair = (more: Partial<PlannedObject> = {}) =>
    ["a", "b"].map((address) => object(type, ["no-op"], { address, before: acl, after: acl, ...more }));

  test("existed before the plan if the plan does nothing to any of its resources", () => {
    const already = (...objects: PlannedObject[]) =>
      duplicateFindings(new Map([["network ACL acl_1", objects]])).map((found) => found.already === true);
    const [a, b] = pair() as [PlannedObject, PlannedObject];
    const { before: _before, ...unseen } = b;
    expect(already(a, b)).toEqual([true, true]);
    expect(already(a, { ...b, actions: ["update"] })).toEqual([false, false]);
    expect(already(a, { ...b, isImported: true })).toEqual([false, false]);
    expect(already(a, { ...b, actions: ["forget"] })).toEqual([false, false]);
    expect(already(a, unseen)).toEqual([false, false]);
  });

  test("is critical at each resource, and names the plan of the other", () => {
    const [a, b] = pair().map((one) => ({ ...one, plan: one.address })) as [PlannedObject, PlannedObject];
    expect(duplicateFindings(duplicatesIn([a, b]))).toMatchObject([
      {
        code: "TF-DUPLICATE",
        level: "critical",
        address: "a",
        plan: "a",
        text: expect.stringMatching(/^a and b of b /),
      },
      { code: "TF-DUPLICATE", level: "critical", address: "b", plan: "b" },
    ]);
    const after = duplicateFindings(duplicatesIn([a, { ...b, afterSensitive: { id: true } }]));
    expect(after.map(({ text }) => text.includes("network ACL (sensitive)."))).toEqual([true, true]);
  });

  test("hides an id that was sensitive, and no id because of another attribute", () => {
    const texts = (beforeSensitive: Record<string, boolean>) =>
      duplicateFindings(duplicatesIn(pair({ beforeSensitive }))).map(({ text }) => text.split(". ")[0]);
    expect(texts({ id: true })).toEqual([
      "a and b manage the same network ACL (sensitive)",
      "b and a manage the same network ACL (sensitive)",
    ]);
    expect(texts({ description: true })[0]).toBe("a and b manage the same network ACL acl_1");
  });

  test("is found for a set that keeps its members only when it is destroyed", () => {
    const values = { organization_id: "org_1", members: ["a"], on_destroy: "keep" };
    const set = object("tenant_organization_member_set", ["update"], { before: values, after: values });
    expect(managedBy(set)).toBe("organization org_1");
  });
});
