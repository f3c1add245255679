/** Actions, renames, drift, identities, duplicates, and the scopes that a change needs. */
import { worded } from "./support/worded";
import type { Effect } from "../../../src/judge/impact/effect";
import { actionEffects, driftEffects, scopesFor, subjectOf } from "../../../src/judge/impact/objects/actions";
import {
  duplicateEffects,
  duplicatesIn,
  holdsOneEntry,
  importedAs,
  objectIdentity,
} from "../../../src/judge/impact/objects/duplicates";
import { sameKeyEffects } from "../../../src/judge/impact/objects/same-key";
import type { PlannedObject, Values } from "../../../src/judge/impact/model";
import { table } from "./support/table";

const unknown = Symbol("not known yet");
const [aclType, keyType, setType] = ["tenant_network_acl", "tenant_network_acl_key", "tenant_organization_member_set"];
type More = Partial<PlannedObject>;
const object = (type: string, actions: string[], more: More = {}): PlannedObject => {
  return { address: "x", type, actions, ...more };
};
const acl = { id: "acl_1", description: "Office", priority: 1, rule: { action: { allow: true }, scope: "tenant" } };
const set = (more: Values = {}): Values => ({ organization_id: "org_1", members: ["a"], exclusive: true, ...more });

const line = (one: Effect) => {
  const { code, level, address, plan, text, already } = worded(one);
  return `${code} ${level} ${[address, plan, already && "already"].filter(Boolean).join(" ")}: ${text}`;
};

test("objects that a tenant cannot have together", () => {
  const callers = { resource: "oauth_authentication_api", consumer: "client", consumer_selector: "default" };
  const at = (type: string, address: string, after: Values, actions = ["create"], more: More = {}) =>
    object(type, actions, { address: `${type}.${address}`, after, ...more });
  const policy = (address: string, actions?: string[], more?: More) =>
    at("tenant_rate_limit_policy", address, callers, actions, more);
  const key = (address: string, name: unknown, more?: More) => at(keyType!, address, { name }, ["create"], more);
  const theirs = (address: string) => at("auth0_rate_limit_policy", address, callers);
  const cases: [string, ...PlannedObject[]][] = [
    ["two policies", policy("a"), policy("b")],
    ["three policies", policy("a"), policy("b"), policy("c")],
    ["a policy beside one that stays", policy("a", ["no-op"]), policy("b")],
    ["two that stay", policy("a", ["no-op"]), policy("b", ["no-op"])],
    ["one of two that is updated", policy("a", ["no-op"]), policy("b", ["update"], { before: callers })],
    ["two of other plans", policy("a", ["create"], { plan: "one" }), policy("a", ["create"], { plan: "two" })],
    ["two of the auth0 provider", theirs("a"), theirs("b")],
    ["one of each provider", theirs("a"), policy("b")],
    ["two keys", key("a", "edge"), key("b", "edge")],
    ["two keys of one secret name", key("a", "edge", { afterSensitive: { name: true } }), key("b", "edge")],
    ["two of other names", key("a", "edge"), key("b", "core")],
    ["two names that are not known", key("a", unknown), key("b", unknown)],
    ["one is destroyed", policy("a"), object("tenant_rate_limit_policy", ["delete"], { before: callers })],
    ["one is forgotten", policy("a"), policy("b", ["forget"])],
    ["one may belong to another tenant", policy("a"), policy("b", ["create"], { tenantUnknown: true })],
    ["a policy and a key", policy("a"), key("a", "edge")],
    ["a key of the tenant", key("a", "legacy")],
    ["a key of the tenant, of the auth0 provider", { ...key("a", "legacy"), type: "auth0_network_acl_key" }],
    [
      "an identical key of the tenant, for a new key that replaces one",
      at(keyType!, "a", { name: "legacy", alg: "hmac-sha256", fingerprint: "f1" }, ["create", "delete"]),
    ],
    [
      "a managed key that gives the name up",
      key("a", "legacy"),
      object(keyType!, ["update"], { before: { id: "key_1", name: "legacy" }, after: { id: "key_1", name: "b" } }),
    ],
  ];
  const remote = {
    rate_limit_policies: [{ id: "rlp_1", ...callers, consumer_selector: "client_id:b", configuration: { limit: 1 } }],
    network_acl_keys: [{ id: "key_1", name: "legacy", alg: "hmac-sha256", fingerprint: "f1" }],
  };
  const found = table(cases, (...objects) =>
    sameKeyEffects({ objects, remote }, { before: [], after: [] }).map((one) => `${line(one)} ${String(one.refuses)}`),
  );
  expect(found).toMatchInlineSnapshot(`
    "
    two policies: TNF-POLICY-SAME-CALLERS high tenant_rate_limit_policy.a: \`consumer_selector\` is "default" for tenant_rate_limit_policy.a and for tenant_rate_limit_policy.b, but a tenant can have only one rate limit policy with the same \`resource\`, \`consumer\` and \`consumer_selector\`. Give one of the two another \`consumer_selector\`. true
    three policies: TNF-POLICY-SAME-CALLERS high tenant_rate_limit_policy.a: \`consumer_selector\` is "default" for tenant_rate_limit_policy.a, for tenant_rate_limit_policy.b and for tenant_rate_limit_policy.c, but a tenant can have only one rate limit policy with the same \`resource\`, \`consumer\` and \`consumer_selector\`. Give each of them another \`consumer_selector\`. true
    a policy beside one that stays: TNF-POLICY-SAME-CALLERS high tenant_rate_limit_policy.b: \`consumer_selector\` is "default" for tenant_rate_limit_policy.a and for tenant_rate_limit_policy.b, but a tenant can have only one rate limit policy with the same \`resource\`, \`consumer\` and \`consumer_selector\`. Give one of the two another \`consumer_selector\`. true
    two that stay: TNF-POLICY-SAME-CALLERS high tenant_rate_limit_policy.a already: \`consumer_selector\` is "default" for tenant_rate_limit_policy.a and for tenant_rate_limit_policy.b, but a tenant can have only one rate limit policy with the same \`resource\`, \`consumer\` and \`consumer_selector\`. Give one of the two another \`consumer_selector\`. false
    one of two that is updated: TNF-POLICY-SAME-CALLERS high tenant_rate_limit_policy.a already: \`consumer_selector\` is "default" for tenant_rate_limit_policy.a and for tenant_rate_limit_policy.b, but a tenant can have only one rate limit policy with the same \`resource\`, \`consumer\` and \`consumer_selector\`. Give one of the two another \`consumer_selector\`. false
    two of other plans: TNF-POLICY-SAME-CALLERS high tenant_rate_limit_policy.a one: \`consumer_selector\` is "default" for tenant_rate_limit_policy.a of one and for tenant_rate_limit_policy.a of two, but a tenant can have only one rate limit policy with the same \`resource\`, \`consumer\` and \`consumer_selector\`. Give one of the two another \`consumer_selector\`. undefined | TNF-POLICY-SAME-CALLERS high tenant_rate_limit_policy.a two: \`consumer_selector\` is "default" for tenant_rate_limit_policy.a of one and for tenant_rate_limit_policy.a of two, but a tenant can have only one rate limit policy with the same \`resource\`, \`consumer\` and \`consumer_selector\`. Give one of the two another \`consumer_selector\`. undefined
    two of the auth0 provider: TNF-POLICY-SAME-CALLERS high auth0_rate_limit_policy.a: \`consumer_selector\` is "default" for auth0_rate_limit_policy.a and for auth0_rate_limit_policy.b, but a tenant can have only one rate limit policy with the same \`resource\`, \`consumer\` and \`consumer_selector\`. Give one of the two another \`consumer_selector\`. false
    one of each provider: TNF-POLICY-SAME-CALLERS high auth0_rate_limit_policy.a: \`consumer_selector\` is "default" for auth0_rate_limit_policy.a and for tenant_rate_limit_policy.b, but a tenant can have only one rate limit policy with the same \`resource\`, \`consumer\` and \`consumer_selector\`. Give one of the two another \`consumer_selector\`. undefined
    two keys: TNF-KEY-SAME-NAME high tenant_network_acl_key.a: \`name\` is "edge" for tenant_network_acl_key.a and for tenant_network_acl_key.b, but a tenant can have only one network ACL key with the same \`name\`. Give one of the two another \`name\`. true
    two keys of one secret name: TNF-KEY-SAME-NAME high tenant_network_acl_key.a: \`name\` is (sensitive) for tenant_network_acl_key.a and for tenant_network_acl_key.b, but a tenant can have only one network ACL key with the same \`name\`. Give one of the two another \`name\`. true
    a key of the tenant: TNF-KEY-SAME-NAME high tenant_network_acl_key.a: \`name\` is "legacy" for tenant_network_acl_key.a, but network ACL key key_1 ("legacy") already has it, and a tenant can have only one network ACL key with the same \`name\`. Give the planned one another \`name\`. If no configuration manages key_1, import it: \`terraform import tenant_network_acl_key.NAME key_1\`. true
    a key of the tenant, of the auth0 provider: TNF-KEY-SAME-NAME high tenant_network_acl_key.a: \`name\` is "legacy" for tenant_network_acl_key.a, but network ACL key key_1 ("legacy") already has it, and a tenant can have only one network ACL key with the same \`name\`. Give the planned one another \`name\`. If no configuration manages key_1, import it: \`terraform import auth0_network_acl_key.NAME key_1\`. undefined
    an identical key of the tenant, for a new key that replaces one: TNF-KEY-SAME-NAME high tenant_network_acl_key.a: \`name\` is "legacy" for tenant_network_acl_key.a, but network ACL key key_1 ("legacy") already has it, and a tenant can have only one network ACL key with the same \`name\`. If Terraform destroys the replaced network ACL key first, it cannot make the new one. It is identical to the planned one, so an interrupted apply probably made it. To keep it, take the old network ACL key out of the state (terraform state rm), delete that one on the tenant, and import it: \`terraform import tenant_network_acl_key.NAME key_1\`. true
    nothing: two of other names; two names that are not known; one is destroyed; one is forgotten; one may belong to another tenant; a policy and a key; a managed key that gives the name up
    "
  `);
});

test("what a plan does to an object", () => {
  const policy = (...actions: string[]) => object("tenant_rate_limit_policy", actions);
  const rule = (more: object) => ({ after: { ...acl, rule: { ...acl.rule, ...more } } });
  const signed = rule({ match: { http_message_signature: { keys: [{ id: "k" }] } } });
  const all = rule({ match_all: true });
  const rotated = { before: { name: "edge", fingerprint: "1" }, after: { name: "edge", fingerprint: "2" } };
  const deposed = { address: "x (deposed a1b2)", isDeposed: true as const, plan: "edge" };
  const cases: [string, ...PlannedObject[]][] = [
    ["a policy is created", policy("create")],
    ["a policy stays", policy("no-op")],
    ["a policy is destroyed", policy("delete")],
    ["a policy is replaced", policy("delete", "create")],
    ["a member set is replaced", object(setType!, ["delete", "create"], { before: set(), after: set() })],
    ["a policy is forgotten", policy("forget")],
    ["a policy is forgotten and created", policy("create", "forget")],
    ["an ACL is imported", object(aclType!, ["no-op"], { isImported: true })],
    ["an ACL moves", object(aclType!, ["no-op"], { previousAddress: "old" })],
    ["an ACL moves nowhere", object(aclType!, ["no-op"], { previousAddress: "x" })],
    ["a deposed ACL is destroyed", object(aclType!, ["delete"], deposed)],
    ["a key is created", object(keyType!, ["create"], { after: { name: "edge" } })],
    ["a key is rotated", object(keyType!, ["create", "delete"], rotated)],
    ["an ordinary ACL is created", object(aclType!, ["create"], { after: acl })],
    [
      "early features",
      object(aclType!, ["create"], { ...signed, address: "a" }),
      object(aclType!, ["update"], { ...all, address: "b" }),
      { ...policy("create"), address: "c" },
    ],
    ["an early feature of a plan", object(aclType!, ["create"], { ...all, plan: "edge" })],
    ["an early feature that stays", object(aclType!, ["no-op"], all)],
    ["an early feature of another provider", object("aws_acl", ["create"], all)],
  ];
  const found = table(cases, (...objects) => actionEffects(objects).map(line));
  expect(found).toMatchInlineSnapshot(`
    "
    a policy is created: TNF-EARLY-ACCESS info : The plan uses Early Access features, which Auth0 may change or refuse: rate limit policies.
    a policy is destroyed: TNF-DESTROYED low x: x is destroyed.
    a policy is replaced: TNF-REPLACED low x: x is replaced: the apply destroys the old object and creates a new one with another id. | TNF-EARLY-ACCESS info : The plan uses Early Access features, which Auth0 may change or refuse: rate limit policies.
    a member set is replaced: TNF-REPLACED low x: x is replaced: the apply destroys the list and creates it again.
    a policy is forgotten: TNF-FORGOTTEN low x: x is no longer managed by Terraform. The object stays on the tenant unchanged.
    a policy is forgotten and created: TNF-FORGOTTEN low x: x is replaced. The old object stays on the tenant unchanged, but Terraform no longer manages it. The apply creates a new object. | TNF-EARLY-ACCESS info : The plan uses Early Access features, which Auth0 may change or refuse: rate limit policies.
    an ACL is imported: TNF-IMPORTED info x: Terraform imports x from the tenant.
    an ACL moves: TNF-MOVED info x: old is now x; the object itself stays.
    a deposed ACL is destroyed: TNF-DESTROYED low x edge: x (deposed a1b2) is destroyed: an earlier apply replaced it, and could not destroy it.
    a key is created: TNF-KEY-CREATED info x: x (key "edge") is created. | TNF-EARLY-ACCESS info : The plan uses Early Access features, which Auth0 may change or refuse: keys of HTTP message signatures.
    a key is rotated: TNF-REPLACED low x: x (key "edge") is rotated: the key "edge" takes its place, with another secret and another id. | TNF-EARLY-ACCESS info : The plan uses Early Access features, which Auth0 may change or refuse: keys of HTTP message signatures.
    early features: TNF-EARLY-ACCESS info : The plan uses Early Access features, which Auth0 may change or refuse: rate limit policies, HTTP message signatures, match_all.
    an early feature of a plan: TNF-EARLY-ACCESS info edge: The plan uses Early Access features, which Auth0 may change or refuse: match_all.
    nothing: a policy stays; an ACL moves nowhere; an ordinary ACL is created; an early feature that stays; an early feature of another provider
    "
  `);
  expect(actionEffects([object(aclType!, ["create"], all)], true)).toEqual([]);
});

test("a effect has the address without the suffix of a deposed object, and the plan only if there is one", () => {
  const of = (address: string, more: More = {}) => subjectOf(object(aclType!, [], { address, ...more }));
  expect(of("a.b (deposed 0f)")).toStrictEqual({ address: "a.b" });
  expect(of('a["x (deposed 0f)"]', { plan: "edge" })).toEqual({ address: 'a["x (deposed 0f)"]', plan: "edge" });
  expect(of("a (deposed 0f) b").address).toBe("a (deposed 0f) b");
});

test("a renamed resource", () => {
  const [gone, made] = [{ before: { ...acl, active: false } }, { after: { ...acl, id: unknown, active: null } }];
  const entry = (user: string) => ({ organization_id: "org_1", user_id: user });
  const key = (value: unknown, more: Values = {}): Values => ({ name: "edge", alg: "ed25519", value, ...more });
  const marks = { value: true, value_wo: true };
  const keys = (before: Values, after: Values): [More, More, string] => [
    { before, beforeSensitive: marks },
    { after, afterSensitive: marks },
    keyType!,
  ];
  const bare = (more: Values) => ({ ...acl, rule: { scope: "tenant", ...more } });
  const cases: [string, More, More, string?][] = [
    ["the same content", gone, made],
    ["an object that is left out", { before: acl, after: acl, actions: ["no-op"], notTargeted: true }, made],
    ["another content", { before: { ...acl, priority: 2 } }, made],
    ["an unknown part", gone, { after: { ...acl, rule: { ...acl.rule, scope: unknown } } }],
    ["an unknown part that was absent", { before: bare({}) }, { after: bare({ action: unknown }) }],
    ["a sensitive part", gone, { ...made, afterSensitive: { rule: true } }],
    ["a deposed object", { ...gone, isDeposed: true }, made],
    ["a type that is not known", gone, made, "aws_acl"],
    ["an old object that the plan does not show", {}, made],
    ["an old object that is replaced", { ...gone, actions: ["delete", "create"] }, made],
    ["an old object that stays", { before: acl, after: acl, actions: ["no-op"] }, made],
    ["a new object that replaces one", gone, { ...made, actions: ["create", "delete"] }],
    ["another member", { before: entry("a") }, { after: entry("b") }, "auth0_organization_member"],
    ["one member", { before: entry("a") }, { after: entry("a") }, "auth0_organization_member"],
    ["a key with unknown material", ...keys(key("a"), key(unknown))],
    ["a key with other material", ...keys(key("a", { value_wo: "a" }), key("b"))],
    ["a key with another name", ...keys(key("a"), key("a", { name: "other" }))],
  ];
  const renamed = (old: More, created: More, type = aclType!) => {
    const destroyed = object(type, ["delete"], { address: "x.old", ...old });
    const both = [destroyed, object(type, ["create"], { address: "x.new", ...created })];
    const found = [both, both.toReversed()].map((objects) =>
      actionEffects(objects).filter(({ code }) => code === "TNF-RENAMED"),
    );
    expect(found[1]).toEqual(found[0]);
    return found[0]!.map(line);
  };
  expect(table(cases, renamed)).toMatchInlineSnapshot(`
    "
    the same content: TNF-RENAMED medium x.new: x.new creates the same network ACL that x.old manages. If you renamed the resource or moved it into a module, write \`moved\` with from = x.old and to = x.new, so that the object stays unchanged. Otherwise Terraform creates and destroys in any order, so the tenant could end with no object.
    an object that is left out: TNF-RENAMED medium x.new: x.new creates the same network ACL that x.old manages. If you renamed the resource or moved it into a module, write \`moved\` with from = x.old and to = x.new, so that the object stays unchanged. Otherwise Terraform creates and destroys in any order, so the tenant could end with no object.
    one member: TNF-RENAMED medium x.new: x.new creates the same organization member set that x.old manages. If you renamed the resource or moved it into a module, write \`moved\` with from = x.old and to = x.new, so that the object stays unchanged. Otherwise Terraform creates and destroys in any order, so the tenant could end with no object.
    a key with unknown material: TNF-RENAMED medium x.new: x.new creates the same network ACL key that x.old manages. If you renamed the resource or moved it into a module, write \`moved\` with from = x.old and to = x.new, so that the object stays unchanged. Otherwise Terraform creates and destroys in any order, so the tenant could end with no object.
    a key with other material: TNF-RENAMED medium x.new: x.new creates the same network ACL key that x.old manages. If you renamed the resource or moved it into a module, write \`moved\` with from = x.old and to = x.new, so that the object stays unchanged. Otherwise Terraform creates and destroys in any order, so the tenant could end with no object.
    nothing: another content; an unknown part; an unknown part that was absent; a sensitive part; a deposed object; a type that is not known; an old object that the plan does not show; an old object that is replaced; an old object that stays; a new object that replaces one; another member; a key with another name
    "
  `);
  expect(actionEffects([object(aclType!, ["create"], made)]).map(({ code }) => code)).not.toContain("TNF-RENAMED");
});

test("drift", () => {
  const now = { ...acl, description: "other" };
  const twice = { ...now, priority: 2 };
  const before = { ...acl, updated_at: "2026-01-01", active: null };
  const computed = { ...acl, updated_at: "2026-02-01", created_at: "2026-01-01", active: false };
  const moved = { before: { ...acl, active: null }, after: { ...acl, active: true, created_at: "2026-01-01" } };
  const goes = (name: string) => ({ previousAddress: `${name}.x`, address: `${aclType}.x` });
  const cases: [string, More, PlannedObject?][] = [
    ["that the apply undoes", { before: acl, after: now }, object(aclType!, ["update"], { after: acl })],
    ["that it undoes in part", { before: acl, after: twice }, object(aclType!, ["update"], { after: now })],
    ["that the plan keeps", { before: acl, after: now }, object(aclType!, ["no-op"], { after: now })],
    ["of an object that is destroyed", { before: acl, after: now }, object(aclType!, ["delete"])],
    ["of an object that is forgotten", { before: acl, after: now }, object(aclType!, ["forget"], { after: acl })],
    ["a delete", { before: acl }, object(aclType!, ["create"], { after: acl })],
    ["another spelling and computed attributes", { before, after: computed }],
    ["what a move from the Go provider adds", { ...moved, ...goes("auth0_network_acl") }],
    ["the same in another move", { ...moved, ...goes("tenant_network_acl") }],
    ["more than a move adds", { ...moved, after: { ...moved.after, priority: 2 }, ...goes("auth0_network_acl") }],
  ];
  const found = table(cases, (drifted, planned) =>
    driftEffects([object(aclType!, ["update"], drifted)], planned ? [planned] : []).map(line),
  );
  expect(found).toMatchInlineSnapshot(`
    "
    that the apply undoes: TNF-DRIFT medium x: x was changed (description) outside Terraform since the last apply: the apply undoes that change.
    that it undoes in part: TNF-DRIFT medium x: x was changed (description, priority) outside Terraform since the last apply: the apply undoes that change.
    that the plan keeps: TNF-DRIFT medium x: x was changed (description) outside Terraform since the last apply: the plan keeps that change.
    of an object that is destroyed: TNF-DRIFT medium x: x was changed (description) outside Terraform since the last apply: the apply destroys it.
    of an object that is forgotten: TNF-DRIFT medium x: x was changed (description) outside Terraform since the last apply: the plan keeps that change.
    a delete: TNF-DRIFT medium x: x was deleted outside Terraform since the last apply: the apply undoes that change.
    the same in another move: TNF-DRIFT medium tenant_network_acl.x: tenant_network_acl.x was changed (active) outside Terraform since the last apply: the plan keeps that change.
    more than a move adds: TNF-DRIFT medium tenant_network_acl.x: tenant_network_acl.x was changed (priority) outside Terraform since the last apply: the plan keeps that change.
    nothing: another spelling and computed attributes; what a move from the Go provider adds
    "
  `);
  const two = ["a", "b"].map((address) => object(aclType!, [], { address, before: acl, after: now }));
  expect(
    driftEffects(two, [])
      .map(worded)
      .map(({ address }) => address),
  ).toEqual(["a", "b"]);
});

test("objects are identified by the id of their kind", () => {
  const ids: [string, Values | null | undefined, string | undefined][] = [
    [aclType!, acl, "network ACL acl_1"],
    ["auth0_network_acl", acl, "network ACL acl_1"],
    [setType!, set(), "organization org_1"],
    [aclType!, { id: "" }, undefined],
    [aclType!, { id: 1 }, undefined],
    [aclType!, undefined, undefined],
    [aclType!, null, undefined],
    ["aws_instance", acl, undefined],
  ];
  for (const [type, values, identity] of ids) expect(objectIdentity(type, values)).toBe(identity);
  expect(importedAs(setType!, "org_1")).toBe("organization org_1");
  expect([importedAs(aclType!, undefined), importedAs("aws_acl", "acl_1")]).toEqual([undefined, undefined]);
  const types = ["aws_acl", "auth0_organization_members", "auth0_organization_member"];
  expect(types.map(holdsOneEntry)).toEqual([false, false, true]);
});

test("two resources that manage one object", () => {
  const one = { before: acl, after: acl, actions: ["no-op"] };
  const [shared, exclusive] = [set({ exclusive: false }), set()];
  const left = { actions: ["create", "forget"], keepsOld: true as const };
  const member = { organization_id: "org_1", user_id: "a" };
  const single = { type: "auth0_organization_member" };
  const sides = (before?: Values, after?: Values): More => {
    return { ...(before && { before }), ...(after && { after }), actions: ["update"] };
  };
  const owned = sides(exclusive, exclusive);
  const cases: [string, string, ...More[]][] = [
    ["one id", aclType!, one, one],
    ["one id in two plans", aclType!, { ...one, plan: "edge" }, { ...one, plan: "core" }],
    ["another id", aclType!, one, { ...one, before: { ...acl, id: "acl_2" } }],
    ["one is imported", aclType!, one, { ...one, isImported: true }],
    ["one is imported, and not shown", aclType!, one, { after: acl, isImported: true, importId: "acl_1" }],
    ["one is forgotten", aclType!, one, { ...one, actions: ["forget"] }],
    ["one is destroyed", aclType!, { before: acl, actions: ["delete"] }, one],
    ["both are destroyed", aclType!, { before: acl, actions: ["delete"] }, { before: acl, actions: ["delete"] }],
    ["a sensitive id", aclType!, { ...one, beforeSensitive: { id: true } }, one],
    ["one exclusive set", setType!, sides(exclusive, exclusive), sides(shared, shared)],
    ["no exclusive set", setType!, sides(shared, shared), sides(shared, shared)],
    ["a set that stops being exclusive", setType!, sides(exclusive, shared), sides(shared, shared)],
    ["a set that moves in", setType!, sides(set({ organization_id: "org_2" }), exclusive), sides(exclusive)],
    ["a set that keeps its members", setType!, { before: set({ on_destroy: "keep" }) }, sides(exclusive, exclusive)],
    ["a set that is left and made", setType!, { ...one, ...owned, ...left }, owned],
    ["an ACL that is left and created again", aclType!, { ...one, ...left }, one],
    ["an ACL with another id after the apply", aclType!, { ...one, after: { ...acl, id: "acl_2" } }, one],
    ["a set that becomes exclusive", setType!, sides(shared, exclusive), sides(shared, shared)],
    ["an exclusive set and a member", setType!, sides(exclusive, exclusive), { ...sides(member, member), ...single }],
    ["a shared set and a member", setType!, sides(shared, shared), { ...sides(member, member), ...single }],
    ["a set and a member that goes", setType!, sides(undefined, exclusive), { ...sides(member), ...single }],
    ["single members", "auth0_organization_member", sides(member, member), sides(member, member)],
  ];
  const told = (type: string, ...objects: More[]) => {
    const all = objects.map((more, at) => object(type, [], { address: "abc"[at]!, ...more }));
    return duplicateEffects(duplicatesIn(all)).map((each) => line(each).replace(/ Each apply of one.*/, " …"));
  };
  expect(table(cases, told)).toMatchInlineSnapshot(`
    "
    one id: TNF-DUPLICATE critical a already: a and b manage the same network ACL acl_1. … | TNF-DUPLICATE critical b already: a and b manage the same network ACL acl_1. …
    one id in two plans: TNF-DUPLICATE critical a edge already: a of edge and b of core manage the same network ACL acl_1. … | TNF-DUPLICATE critical b core already: a of edge and b of core manage the same network ACL acl_1. …
    one is imported: TNF-DUPLICATE critical a: a and b manage the same network ACL acl_1. … | TNF-DUPLICATE critical b: a and b manage the same network ACL acl_1. …
    one is imported, and not shown: TNF-DUPLICATE critical a: a and b manage the same network ACL acl_1. … | TNF-DUPLICATE critical b: a and b manage the same network ACL acl_1. …
    one is destroyed: TNF-DUPLICATE critical a: a (destroyed) and b manage the same network ACL acl_1. … | TNF-DUPLICATE critical b: a (destroyed) and b manage the same network ACL acl_1. …
    a sensitive id: TNF-DUPLICATE critical a already: a and b manage the same network ACL (sensitive). … | TNF-DUPLICATE critical b already: a and b manage the same network ACL (sensitive). …
    one exclusive set: TNF-DUPLICATE critical a: a and b manage the same organization org_1. … | TNF-DUPLICATE critical b: a and b manage the same organization org_1. …
    a set that moves in: TNF-DUPLICATE critical a: a and b (destroyed) manage the same organization org_1. … | TNF-DUPLICATE critical b: a and b (destroyed) manage the same organization org_1. …
    a set that is left and made: TNF-DUPLICATE critical a: a and b manage the same organization org_1. … | TNF-DUPLICATE critical b: a and b manage the same organization org_1. …
    an ACL with another id after the apply: TNF-DUPLICATE critical a already: a and b manage the same network ACL acl_1. … | TNF-DUPLICATE critical b already: a and b manage the same network ACL acl_1. …
    a set that becomes exclusive: TNF-DUPLICATE critical a: a and b manage the same organization org_1. … | TNF-DUPLICATE critical b: a and b manage the same organization org_1. …
    an exclusive set and a member: TNF-DUPLICATE critical a: a and b manage the same organization org_1. … | TNF-DUPLICATE critical b: a and b manage the same organization org_1. …
    nothing: another id; one is forgotten; both are destroyed; no exclusive set; a set that stops being exclusive; a set that keeps its members; an ACL that is left and created again; a shared set and a member; a set and a member that goes; single members
    "
  `);
  const pair = ["a", "b"].map((address) => object(aclType!, ["no-op"], { address, before: acl, after: acl }));
  expect(worded(duplicateEffects(duplicatesIn(pair))[0]!).text.replace(/^.*?\. /, "")).toBe(
    "Each apply of one resource undoes the other, so the result is not known. Remove all but one of " +
      "these resources from Terraform, with a removed block (destroy = false) or `terraform state rm`.",
  );
  const forgotten = new Map([["network ACL acl_1", [pair[0]!, { ...pair[1]!, actions: ["forget"] }]]]);
  expect(duplicateEffects(forgotten).map(({ already }) => already)).toEqual([undefined, undefined]);
});

test("the scopes that a change needs", () => {
  const [both, none] = [set({ members: ["a", "b"] }), set({ members: [] })];
  const elsewhere = (more: Values = {}) => set({ organization_id: "org_2", ...more });
  const replaced = { actions: ["delete", "create"] };
  const moves = { before: set(), after: elsewhere(), ...replaced };
  const inPlace = { ...moves, actions: ["update"] };
  const emptied = { ...inPlace, after: elsewhere({ members: [] }) };
  const perhapsExclusive = { ...moves, before: none, after: elsewhere({ members: [], exclusive: unknown }) };
  const imported = { actions: ["no-op"], after: set(), isImported: true as const };
  const some = { before: set(), after: set({ members: unknown }) };
  const nowhere = (more: Values = {}) => set({ organization_id: unknown, ...more });
  const gone = nowhere({ members: [] });
  const adopts = { after: set({ remove_existing: true }), actions: ["create"] };
  const cases: [what: string, needed: string, string, More, Record<string, string>?][] = [
    ["an ACL is created", "create:network_acls", aclType!, { actions: ["create"] }],
    ["an ACL is replaced", "delete:network_acls, create:network_acls", "auth0_network_acl", replaced],
    ["an ACL stays", "", aclType!, { actions: ["no-op"] }],
    ["a key changes in the state only", "", keyType!, {}],
    ["an unrelated resource", "", "aws_instance", { actions: ["create"] }],
    ["a set adds", "create", setType!, { before: set(), after: both }],
    ["a set removes", "delete", setType!, { before: set(), after: none }],
    ["a set without a change, whose list differs", "", setType!, { actions: ["no-op"], before: set(), after: both }],
    ["a set has unknown members", "perhaps create, perhaps delete", setType!, some],
    ["a set keeps its members, which the tenant lacks", "", setType!, { before: set(), after: set() }, { org_1: "" }],
    ["a set is new", "create", setType!, { actions: ["create"], after: set() }],
    ["a set is new and lists the present members", "", setType!, { actions: ["create"], after: set() }, { org_1: "a" }],
    ["a set is new in an unknown organization", "create", setType!, { actions: ["create"], after: nowhere() }],
    ["a set adopts unseen members", "create, perhaps delete", setType!, adopts],
    ["a set adopts other members", "delete", setType!, adopts, { org_1: "ab" }],
    ["a set is destroyed", "delete", setType!, { actions: ["delete"], before: set() }],
    ["a set is destroyed without members", "", setType!, { actions: ["delete"], before: none }],
    ["an empty set of an unknown organization goes", "", setType!, { actions: ["delete"], before: gone }],
    ["a set moves", "create, delete", setType!, moves],
    ["a set moves in place to present members", "perhaps delete", setType!, inPlace, { org_2: "a" }],
    ["a set moves in place, empty", "perhaps delete", setType!, emptied],
    ["a set without members moves and may be exclusive", "", setType!, perhapsExclusive],
    ["an empty set is imported", "create", setType!, imported, { org_1: "" }],
  ];
  const scopes = (type: string, more: More, remote?: Record<string, string>) => {
    const present = remote && new Map(Object.entries(remote).map(([id, letters]) => [id, [...letters]]));
    const { certain, possible } = scopesFor(object(type, ["update"], more), present);
    const short = (all: readonly string[]) => all.map((one) => one.replace(":organization_members", ""));
    return [...short(certain), ...short(possible).map((one) => `perhaps ${one}`)];
  };
  for (const [what, needed, ...change] of cases) expect([what, scopes(...change).join(", ")]).toEqual([what, needed]);
});
