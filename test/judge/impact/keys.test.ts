/** Signature keys that rules name, and the Early Access features of rules. */
import { keyWords } from "../../../src/judge/impact/words/objects";
import { worded } from "./support/worded";
import type { PlannedObject, Values } from "../../../src/judge/impact/model";
import { earlyAccessIn, ruleFeatures } from "../../../src/judge/kinds/network-acl";
import {
  aclsNaming,
  keyEffects,
  keysIn,
  keyName,
  successionOf,
  type KeyChange,
} from "../../../src/judge/impact/network-acl/keys";
import type { PlannedAcl } from "../../../src/judge/impact/network-acl/acl";
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

test.each<[unknown, unknown[], string[]]>([
  [{ match: signed("a", "b"), not_match: signed("b", "c") }, ["a", "b", "c"], ["HTTP message signatures"]],
  [{ match: signed(unknown, "a") }, [unknown, "a"], ["HTTP message signatures"]],
  [unknown, [unknown], []],
  [{ match: unknown }, [unknown], []],
  [{ match: { http_message_signature: unknown } }, [unknown], ["HTTP message signatures"]],
  [{ match: { http_message_signature: { keys: unknown } } }, [unknown], ["HTTP message signatures"]],
  [{ match: { asns: [1] }, match_all: false }, [], []],
  [{ match_all: true }, [], ["match_all"]],
  [
    { match: { auth0_managed: ["auth0.x"] }, not_match: signed(null) },
    [],
    ["curated lists", "HTTP message signatures"],
  ],
  [{ match: { auth0_managed: null, http_message_signature: null } }, [], []],
  [{ match: null, not_match: "text" }, [], []],
  [undefined, [], []],
])("the keys and the Early Access features of %p", (rule, keys, features) => {
  expect(keysIn(rule)).toEqual(keys);
  expect(earlyAccessIn(rule).map((name) => ruleFeatures[name])).toEqual(features);
});

const rotated = { name: "edge", fingerprint: "two" };

test("finds the ACLs that certainly name a key", () => {
  const acls = [{ rule: { match: signed("k1") } }, { rule: { match: signed("other", unknown) } }, { rule: unknown }];
  expect(aclsNaming("k1", acls)).toEqual([acls[0]]);
});

test("effects", () => {
  const naming = (id: unknown, more: Values = {}) => acl(5, { match: signed(id) }, more);
  const [ruled, open] = [naming("k1"), naming(unknown)];
  const { address: _address, ...unmanaged } = ruled;
  const asleep = (id: unknown) => naming(id, { active: false });
  const secret = acl(5, { match: signed("k1") }, {}, { rule: { match: { http_message_signature: true } } });
  const follow = (after: Values, actions = ["create", "delete"]) => key({ id: unknown, ...after }, { actions });
  const [other, same] = [{ name: "next", fingerprint: "two" }, { ...rotated }];
  const first = ["delete", "create"];
  const second = (actions: string[], after?: Values) =>
    key(after, { address: "key.b", before: { id: "k2", name: "b", fingerprint: "b" }, actions });
  const both = acl(5, { match: signed("k1", "k2") });
  const { before: _before, ...bare } = key();
  const cases: [string, PlannedObject[], PlannedAcl[], PlannedAcl[]][] = [
    ["a named key is destroyed", [key()], [ruled], [ruled]],
    ["an inactive new rule names a destroyed key", [key()], [], [asleep("k1")]],
    ["an unmanaged rule names a destroyed key", [key()], [unmanaged], [unmanaged]],
    ["a key that is forgotten", [key(undefined, { actions: ["forget"] })], [ruled], [ruled]],
    ["a key without a state", [bare], [], [ruled]],
    ["a rule that names another key", [key()], [ruled], [naming("k2")]],
    ["one named key is destroyed, and one replaced", [key(), second(["create", "delete"], other)], [], [both]],
    ["a rule follows new bytes", [follow(other)], [ruled], [open]],
    ["a rule follows a key of the same name", [follow(same)], [ruled], [open]],
    ["a rule names another key, and a key takes the old name", [follow(same)], [ruled], [naming("k2")]],
    ["a rule that stays, and a key takes the old name", [follow(same)], [unmanaged], [unmanaged]],
    ["a rule follows a new id", [follow({ name: "new", fingerprint: "one" })], [ruled], [open]],
    ["an inactive rule follows", [follow(other)], [asleep("k1")], [asleep(unknown)]],
    ["an inactive rule follows, the old key goes first", [follow(other, first)], [asleep("k1")], [asleep(unknown)]],
    ["a rule follows two keys", [follow({ name: "new", fingerprint: "one" }), second(first, other)], [both], [open]],
    ["a sensitive rule names a destroyed key", [key()], [secret], [secret]],
    ["a rule that was sensitive follows", [follow(other)], [secret], [open]],
  ];
  const found = table(cases, (keys, before, after) =>
    keyEffects({ objects: keys, remote: {} }, { before, after })
      .map(worded)
      .map((one) => `${one.code} ${one.level} ${String(one.refuses)} ${one.address} ${one.text}`),
  );
  expect(found).toMatchInlineSnapshot(`
    "
    a named key is destroyed: TNF-KEY-IN-USE high true acl.5 "ACL 5" (priority 5) still names the key "edge" (key.edge), which will be destroyed. The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.
    an inactive new rule names a destroyed key: TNF-KEY-IN-USE high true acl.5 "ACL 5" (priority 5) still names the key "edge" (key.edge), which will be destroyed. The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.
    an unmanaged rule names a destroyed key: TNF-KEY-IN-USE high undefined key.edge "ACL 5" (priority 5) still names the key "edge" (key.edge), which will be destroyed. The tenant refuses to delete a key that a rule names, so the apply fails unless that rule changes before. Name another key in the rule, in the same plan or before.
    one named key is destroyed, and one replaced: TNF-KEY-IN-USE high true acl.5 "ACL 5" (priority 5) still names the key "edge" (key.edge) and the key "b" (key.b), which will be destroyed or replaced. The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.
    a rule follows new bytes: TNF-KEY-ROTATED medium undefined acl.5 "ACL 5" (priority 5) no longer names the key "edge" (key.edge), because a new key replaces it. Requests that are signed with the old secret stop matching, so change the signers together with the apply.
    a rule follows a key of the same name: TNF-KEY-IN-USE high undefined acl.5 "ACL 5" (priority 5) names the key "edge" (key.edge), which a new key of the same name replaces. Names are unique, so the old key must go first, but the tenant refuses to delete a key that a rule names. Give the new key another \`name\`, or a \`name_prefix\`, and set lifecycle { create_before_destroy = true }. Terraform then makes the new key first, changes the rules, and removes the old key last.
    a rule names another key, and a key takes the old name: TNF-KEY-ROTATED medium undefined acl.5 "ACL 5" (priority 5) no longer names the key "edge" (key.edge), because a new key replaces it. Requests that are signed with the old secret stop matching, so change the signers together with the apply.
    a rule that stays, and a key takes the old name: TNF-KEY-IN-USE high true key.edge "ACL 5" (priority 5) names the key "edge" (key.edge), which a new key of the same name replaces. Names are unique, so the old key must go first, but the tenant refuses to delete a key that a rule names. Give the new key another \`name\`, or a \`name_prefix\`, and set lifecycle { create_before_destroy = true }. Terraform then makes the new key first, changes the rules, and removes the old key last.
    a rule follows a new id: TNF-KEY-ROTATED medium undefined acl.5 "ACL 5" (priority 5) no longer names the key "edge" (key.edge), because a new key replaces it. Requests that are signed with the old id stop matching, so change the signers together with the apply.
    an inactive rule follows, the old key goes first: TNF-KEY-ROTATED medium undefined acl.5 "ACL 5" (priority 5) no longer names the key "edge" (key.edge), because a new key replaces it. Terraform would delete the old key while the rule still names it, which the tenant refuses: set lifecycle { create_before_destroy = true } in the key.
    a rule follows two keys: TNF-KEY-ROTATED medium undefined acl.5 "ACL 5" (priority 5) no longer names the key "edge" (key.edge) and the key "b" (key.b), because a new key replaces it. Requests that are signed with the old secret stop matching, so change the signers together with the apply. Terraform would delete the old key while the rule still names it, which the tenant refuses: set lifecycle { create_before_destroy = true } in the key.
    a sensitive rule names a destroyed key: TNF-KEY-IN-USE high true acl.5 "ACL 5" (priority 5) still names the key (sensitive), which will be destroyed. The tenant refuses to delete a key that a rule names, so the apply fails. Name another key in the rule, in the same plan or before.
    a rule that was sensitive follows: TNF-KEY-ROTATED medium undefined acl.5 "ACL 5" (priority 5) no longer names the key (sensitive), because a new key replaces it. Requests that are signed with the old secret stop matching, so change the signers together with the apply.
    nothing: a key that is forgotten; a key without a state; a rule that names another key; an inactive rule follows
    "
  `);
});

test.each<[KeyChange, string, { readonly how: string; readonly next: object }?]>([
  [key(rotated), 'key "edge"', { how: "rotated", next: { name: "edge" } }],
  [key({ name: "new", fingerprint: "one" }), 'key "edge"', { how: "renamed", next: { name: "new" } }],
  [key({ name: "edge", fingerprint: "one" }), 'key "edge"', { how: "replaced", next: { name: "edge" } }],
  [key({ name: "edge" }), 'key "edge"', { how: "replaced", next: { name: "edge" } }],
  [{ after: { name: "new", fingerprint: "x" } }, 'key "new"', { how: "replaced", next: { name: "new" } }],
  [{ after: { name_prefix: "edge-" } }, 'key whose name begins with "edge-" and is known after apply'],
  [{ after: {} }, "key whose name is known after apply"],
  [{ before: { name: "edge" }, beforeSensitive: { name: true } }, "key (sensitive)"],
  [{ after: { name: "edge" }, afterSensitive: { name_prefix: true } }, "key (sensitive)"],
])("titles a key, and tells its replacement: %#", (...[change, title, succession]) => {
  expect(keyWords(keyName(change))).toBe(title);
  if (succession) expect(successionOf(change)).toEqual(succession);
});
