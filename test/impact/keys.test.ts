/** Signature keys that rules name. */
import type { PlannedObject, Values } from "../../src/impact/model";
import { earlyAccessIn, earlyAccessWords } from "../../src/impact/notes";
import { aclsNaming, keyEffects, keysIn, keyTitle, replacedWords } from "../../src/impact/network-acl/keys";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { acl } from "./support/acls";
import { table } from "./support/table";

const unknown = Symbol("unknown");
const signed = (...ids: unknown[]) => ({ http_message_signature: { keys: ids.map((id) => ({ id })) } });
const key = (after?: Values, more: Partial<PlannedObject> = {}): PlannedObject => ({
  address: "key.edge",
  type: "tenant_network_acl_key",
  actions: ["delete"],
  before: { id: "k1", name: "edge", fingerprint: "one" },
  ...(after && { after }),
  ...more,
});

test.each<[string, unknown, unknown[]]>([
  ["in match and not_match, each once", { match: signed("a", "b"), not_match: signed("b", "c") }, ["a", "b", "c"]],
  ["as unknown ids", { match: signed(unknown, "a") }, [unknown, "a"]],
  ["in an unknown rule", unknown, [unknown]],
  ["in an unknown side", { match: unknown }, [unknown]],
  ["in an unknown signal", { match: { http_message_signature: unknown } }, [unknown]],
  ["in an unknown list", { match: { http_message_signature: { keys: unknown } } }, [unknown]],
  ["not in other signals", { match: { asns: [1] } }, []],
  ["not in no rule", undefined, []],
  ["not without an id", { match: signed(null) }, []],
  ["not in a side that is null", { match: null }, []],
  ["not in a signal that is null", { match: { http_message_signature: null } }, []],
])("finds keys %s", (_what, rule, keys) => {
  expect(keysIn(rule)).toEqual(keys);
});

test("finds the ACLs that name a key, and those that perhaps name it", () => {
  const acls = [{ rule: { match: signed("k1") } }, { rule: { match: signed("k2") } }, { rule: unknown }];
  expect(aclsNaming("k1", acls)).toEqual([acls[0]]);
  expect(aclsNaming("k1", acls, { orPerhaps: true })).toEqual([acls[0], acls[2]]);
  expect(aclsNaming("k1", [{ rule: { match: signed("other", unknown) } }], { orPerhaps: true })).toHaveLength(1);
});

test("effects", () => {
  const naming = (id: unknown, more: Values = {}) => acl(5, { match: signed(id) }, more);
  const [ruled, open] = [naming("k1"), naming(unknown)];
  const { address: _address, ...unmanaged } = ruled;
  const asleep = (id: unknown) => naming(id, { active: false });
  const secret = acl(5, { match: signed("k1") }, {}, { rule: { match: { http_message_signature: true } } });
  const follow = (after: Values, actions = ["create", "delete"]) => key({ id: unknown, ...after }, { actions });
  const material = { name: "edge", fingerprint: "two" };
  const first = ["delete", "create"];
  const second = (actions: string[], after?: Values) =>
    key(after, { address: "key.b", before: { id: "k2", name: "b", fingerprint: "b" }, actions });
  const both = acl(5, { match: signed("k1", "k2") });
  const { before: _before, ...bare } = key();
  const cases: [string, PlannedObject[], PlannedAcl[], PlannedAcl[]][] = [
    ["a named key is destroyed", [key()], [ruled], [ruled]],
    ["a new rule names a destroyed key", [key()], [], [ruled]],
    ["an inactive rule names a destroyed key", [key()], [asleep("k1")], [asleep("k1")]],
    ["an unmanaged rule names a destroyed key", [key()], [unmanaged], [unmanaged]],
    ["a key that stays", [key(undefined, { actions: ["no-op"] })], [ruled], [ruled]],
    ["a forgotten key", [key(undefined, { actions: ["forget"] })], [ruled], [ruled]],
    ["a new key", [key(undefined, { actions: ["create"] })], [ruled], [ruled]],
    ["a key without a state", [bare], [], [ruled]],
    ["a rule that names another key", [key()], [ruled], [naming("k2")]],
    ["a named key is replaced", [follow(material)], [ruled], [ruled]],
    ["one named key is destroyed, and one replaced", [key(), second(["create", "delete"], material)], [], [both]],
    ["a rule follows new material", [follow(material)], [ruled], [open]],
    ["a rule follows a new id", [follow({ name: "new", fingerprint: "one" })], [ruled], [open]],
    ["an inactive rule follows", [follow(material)], [asleep("k1")], [asleep(unknown)]],
    ["an inactive rule follows, the old key goes first", [follow(material, first)], [asleep("k1")], [asleep(unknown)]],
    [
      "a rule follows two keys, one of which goes first",
      [follow({ name: "new", fingerprint: "one" }), second(first, material)],
      [both],
      [open],
    ],
    ["a sensitive rule names a destroyed key", [key()], [secret], [secret]],
    ["a rule that was sensitive follows", [follow(material)], [secret], [open]],
  ];
  const found = table(cases, (keys, before, after) =>
    keyEffects(keys, { before, after }).map((one) => `${one.code} ${one.level} ${one.address} ${one.text}`),
  );
  expect(found).toMatchInlineSnapshot(`
    "
    a named key is destroyed: TNF-KEY-IN-USE high acl.5 "ACL 5" (priority 5) still names the key "edge" (key.edge), which will be destroyed. The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.
    a new rule names a destroyed key: TNF-KEY-IN-USE high acl.5 "ACL 5" (priority 5) still names the key "edge" (key.edge), which will be destroyed. The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.
    an inactive rule names a destroyed key: TNF-KEY-IN-USE high acl.5 "ACL 5" (priority 5) still names the key "edge" (key.edge), which will be destroyed. The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.
    an unmanaged rule names a destroyed key: TNF-KEY-IN-USE high key.edge "ACL 5" (priority 5) still names the key "edge" (key.edge), which will be destroyed. The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.
    a named key is replaced: TNF-KEY-IN-USE high acl.5 "ACL 5" (priority 5) still names the key "edge" (key.edge), which will be replaced. The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.
    one named key is destroyed, and one replaced: TNF-KEY-IN-USE high acl.5 "ACL 5" (priority 5) still names the key "edge" (key.edge) and the key "b" (key.b), which will be destroyed or replaced. The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.
    a rule follows new material: TNF-KEY-ROTATED medium acl.5 "ACL 5" (priority 5) no longer names the key "edge" (key.edge), because a new key replaces it. Requests that are signed with the old material stop matching, so change the signers together with the apply.
    a rule follows a new id: TNF-KEY-ROTATED medium acl.5 "ACL 5" (priority 5) no longer names the key "edge" (key.edge), because a new key replaces it. Requests that are signed with the old id stop matching, so change the signers together with the apply.
    an inactive rule follows, the old key goes first: TNF-KEY-ROTATED medium acl.5 "ACL 5" (priority 5) no longer names the key "edge" (key.edge), because a new key replaces it. Terraform would delete the old key while the rule still names it, which the tenant refuses: set lifecycle { create_before_destroy = true } in the key.
    a rule follows two keys, one of which goes first: TNF-KEY-ROTATED medium acl.5 "ACL 5" (priority 5) no longer names the key "edge" (key.edge) and the key "b" (key.b), because a new key replaces it. Requests that are signed with the old material stop matching, so change the signers together with the apply. Terraform would delete the old key while the rule still names it, which the tenant refuses: set lifecycle { create_before_destroy = true } in the key.
    a sensitive rule names a destroyed key: TNF-KEY-IN-USE high acl.5 "ACL 5" (priority 5) still names the key (sensitive), which will be destroyed. The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.
    a rule that was sensitive follows: TNF-KEY-ROTATED medium acl.5 "ACL 5" (priority 5) no longer names the key (sensitive), because a new key replaces it. Requests that are signed with the old material stop matching, so change the signers together with the apply.
    nothing: a key that stays; a forgotten key; a new key; a key without a state; a rule that names another key; an inactive rule follows
    "
  `);
});

test.each<[string, Values, string]>([
  [
    "other material",
    { name: "edge", fingerprint: "two" },
    'rotated: key "edge" takes its place, with other material and another id',
  ],
  [
    "another name",
    { name: "new", fingerprint: "one" },
    'renamed: key "new" takes its place, with the same material and another id',
  ],
  ["another algorithm", { name: "edge", fingerprint: "one" }, 'replaced: key "edge" takes its place, with another id'],
  ["unknown material", { name: "edge" }, 'replaced: key "edge" takes its place, with another id'],
])("words a replacement with %s", (_what, after, words) => {
  expect(replacedWords(key(after))).toBe(words);
});

test("words a replacement of which one side is not shown", () => {
  expect(replacedWords({ after: { name: "b", fingerprint: "x" } })).toBe(
    'replaced: key "b" takes its place, with another id',
  );
  expect(replacedWords({ before: { fingerprint: "x" } })).toMatch(/^replaced: /);
});

test("titles a key by its old name, its new name, or its prefix", () => {
  expect(keyTitle(key({ name: "new" }))).toBe('key "edge"');
  expect(keyTitle({ after: { name: "new" } })).toBe('key "new"');
  expect(keyTitle({ after: { name_prefix: "edge-" } })).toBe(
    'key whose name that begins with "edge-" is known after apply',
  );
  expect(keyTitle({ after: {} })).toBe("key whose name is known after apply");
  expect(keyTitle({ before: { name: "edge" }, beforeSensitive: { name: true } })).toBe("key (sensitive)");
  expect(keyTitle({ after: { name: "edge" }, afterSensitive: { name_prefix: true } })).toBe("key (sensitive)");
});

test.each<[unknown, string[]]>([
  [{ match_all: true }, ["match_all"]],
  [{ match_all: false, match: { asns: [1] } }, []],
  [{ match: { auth0_managed: ["auth0.tor"] }, not_match: signed("a") }, ["curated lists", "HTTP message signatures"]],
  [{ match: { auth0_managed: null, http_message_signature: undefined } }, []],
  [unknown, []],
  [null, []],
  [undefined, []],
  ["text", []],
  [{ match: "text" }, []],
  [{ match: null }, []],
])("names the Early Access features of %p", (rule, features) => {
  expect(earlyAccessIn(rule).map(earlyAccessWords)).toEqual(features);
});
