/** Signature keys that rules name. */
import type { PlannedObject, Values } from "../../src/impact/model";
import { earlyAccessIn, earlyAccessWords } from "../../src/impact/network-acl/early-access";
import { aclsNaming, keyFindings, keysIn, keyTitle, replacedWords } from "../../src/impact/network-acl/keys";
import { acl } from "./support/acls";

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
])("finds keys %s", (_what, rule, keys) => {
  expect(keysIn(rule)).toEqual(keys);
});

test("finds the ACLs that name a key, and those that perhaps name it", () => {
  const acls = [{ rule: { match: signed("k1") } }, { rule: { match: signed("k2") } }, { rule: unknown }];
  expect(aclsNaming("k1", acls)).toEqual([acls[0]]);
  expect(aclsNaming("k1", acls, { orPerhaps: true })).toEqual([acls[0], acls[2]]);
});

describe("findings", () => {
  const naming = (id: unknown, more: Values = {}) => acl(5, { match: signed(id) }, more);
  const found = (one: PlannedObject, before: ReturnType<typeof acl>[], after: ReturnType<typeof acl>[]) =>
    keyFindings([one], { before, after }).map(({ code, level, address, text }) => ({ code, level, address, text }));

  test("a rule that still names a deleted key is in use, also if the ACL is inactive", () => {
    for (const active of [true, false]) {
      expect(found(key(), [naming("k1", { active })], [naming("k1", { active })])).toEqual([
        {
          code: "TF-KEY-IN-USE",
          level: "high",
          address: "acl.5",
          text: expect.stringContaining("which will be destroyed."),
        },
      ]);
    }
  });

  test("an unmanaged ACL is reported at the key", () => {
    const { address: _address, ...unmanaged } = naming("k1");
    expect(found(key(), [unmanaged], [unmanaged])).toMatchObject([{ code: "TF-KEY-IN-USE", address: "key.edge" }]);
  });

  test("a kept, forgotten or new key has no finding", () => {
    for (const actions of [["no-op"], ["forget"], ["create"]]) {
      expect(found(key(undefined, { actions }), [naming("k1")], [naming("k1")])).toEqual([]);
    }
  });

  test("a rule that follows the new key is rotated", () => {
    const after = { id: unknown, name: "edge", fingerprint: "two" };
    const rotated = key(after, { actions: ["create", "delete"] });
    expect(found(rotated, [naming("k1")], [naming(unknown)])).toEqual([
      {
        code: "TF-KEY-ROTATED",
        level: "medium",
        address: "acl.5",
        text: expect.stringMatching(/old material stop matching, .*apply\.$/),
      },
    ]);
    const asleep = { active: false };
    expect(found(rotated, [naming("k1", asleep)], [naming(unknown, asleep)])).toEqual([]);
    const first = { ...rotated, actions: ["delete", "create"] };
    expect(found(first, [naming("k1", asleep)], [naming(unknown, asleep)])).toMatchObject([
      { text: expect.stringMatching(/replaces it\. Terraform would delete the old key/) },
    ]);
    expect(found(key(), [naming("k1")], [naming("k2")])).toEqual([]);
  });

  test("a rule that keeps the key secret does not show its name", () => {
    const secret = acl(5, { match: signed("k1") }, {}, { rule: { match: { http_message_signature: true } } });
    expect(found(key(), [secret], [secret])[0]!.text).not.toMatch(/edge|k1/);
  });
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
])("names the Early Access features of %p", (rule, features) => {
  expect(earlyAccessIn(rule).map(earlyAccessWords)).toEqual(features);
});
