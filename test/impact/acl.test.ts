/** Network ACLs as plans, states and tenants show them. */
import { aclFrom, secretTexts } from "../../src/impact/network-acl/acl";
import { aclVersions } from "../../src/impact/network-acl/versions";
import { withName, withUnknown } from "../../src/impact/value";
import { planned, values } from "./support/acls";

const read = (more: object, rule: object = { match: { asns: [1] } }) =>
  aclFrom(values(1, { ...rule }, { ...more }))[0]!;

describe("reads an ACL", () => {
  test.each<[unknown, boolean, boolean]>([
    [true, true, false],
    [false, false, false],
    ["true", true, false],
    ["false", false, false],
    [null, true, false],
    [undefined, true, false],
    [Symbol("unknown"), true, true],
    ["perhaps", true, true],
  ])("with active %p", (active, isActive, isUnknown) => {
    const found = read({ active });
    expect(found.active).toBe(isActive);
    expect("active" in found.rule).toBe(isUnknown);
  });

  test.each<[unknown, number]>([
    [7, 7],
    ["7", 7],
    [null, 50],
    [undefined, 50],
    ["", NaN],
    [Symbol("unknown"), NaN],
  ])("with priority %p", (priority, expected) => {
    expect(read({ priority }).priority).toBe(expected);
  });

  test("only if it has a rule", () => {
    expect(aclFrom({ ...values(1, {}), rule: null })).toEqual([]);
    expect(aclFrom({ ...values(1, {}), rule: [] })).toEqual([]);
  });

  test("with blocks as lists, and without blank values", () => {
    const { rule } = read({
      rule: [
        {
          scope: "tenant",
          action: [{ block: true, allow: false }],
          match: [{ asns: [1], hostnames: [] }],
          not_match: [{}],
          match_all: null,
        },
      ],
    });
    expect(rule).toEqual({ scope: "tenant", action: { block: true }, match: { asns: [1] } });
    const signed = read({}, { match: { http_message_signature: [{ keys: [{ id: "k1" }] }] } });
    expect(signed.rule.match).toEqual({ http_message_signature: { keys: [{ id: "k1" }] } });
  });

  test("by its address, else its id, else its description", () => {
    const keys = [
      aclFrom(values(1, {}), undefined, "acl.x"),
      aclFrom(values(1, {})),
      aclFrom({ ...values(1, {}), id: null }),
    ];
    expect(keys.map(([found]) => found!.key)).toEqual(["acl.x", "acl_1", "ACL 1"]);
    expect(read({ description: Symbol("unknown") }).description).toBe("(known after apply)");
    expect(read({ description: null }).description).toBe("");
  });

  test("with the names of its sensitive properties", () => {
    const rule = {
      action: { redirect: true, redirect_uri: "https://a.example" },
      match: { asns: [1], later: "x" },
      scope: "tenant",
    };
    const sensitive = {
      description: true,
      priority: true,
      rule: { scope: true, action: { redirect_uri: true }, match: { later: true } },
    };
    const [found] = aclFrom(values(1, rule), sensitive);
    expect([...found!.secret].toSorted()).toEqual(["description", "later", "priority", "redirect_uri", "scope"]);
    expect(found!.description).toBe("(sensitive)");
    expect(secretTexts(found!).toSorted()).toEqual(["https://a.example", "tenant", "x"]);
    expect(aclFrom(values(1, rule))[0]!.secret.size).toBe(0);
  });
});

describe("versions", () => {
  const [old, now] = [values(1, { match: { asns: [1] } }), values(1, { match: { asns: [2] } })];
  const summary = ({ before, after }: ReturnType<typeof aclVersions>) =>
    [before, after].map((acls) => acls.map(({ key, rule }) => [key, rule.match]));

  test("for a created, changed and destroyed ACL", () => {
    const [one, two] = [{ asns: [1] }, { asns: [2] }];
    expect(summary(aclVersions([[planned(old, now)]]))).toEqual([[["acl.x", one]], [["acl.x", two]]]);
    expect(summary(aclVersions([[planned(undefined, now)]]))).toEqual([[], [["acl.x", two]]]);
    expect(summary(aclVersions([[planned(old, undefined)]]))).toEqual([[["acl.x", one]], []]);
  });

  test("contain each unmanaged ACL of the tenant once, on both sides", () => {
    const other = values(2, { match: { asns: [3] } });
    const { before, after } = aclVersions([[planned(old, now)]], [old, other, other]);
    expect(before.map(({ id }) => id)).toEqual(["acl_1", "acl_2"]);
    expect(after.map(({ id, address }) => [id, address])).toEqual([
      ["acl_1", "acl.x"],
      ["acl_2", undefined],
    ]);
  });

  test("know that an imported ACL existed, although the plan does not show its values", () => {
    const { before } = aclVersions([[planned(undefined, now, { isImported: true, importId: "acl_1" })]], [old]);
    expect(before).toMatchObject([{ id: "acl_1", priority: NaN, description: "(known after apply)" }]);
  });

  test("name the plan in keys of an address that two plans have", () => {
    const second = planned(undefined, values(2, {}));
    const { after } = aclVersions([[planned(undefined, now)], [second]]);
    expect(after.map(({ key }) => key)).toEqual(["acl.x of plan 1", "acl.x of plan 2"]);
  });

  test("take the values of the resource that keeps an ACL, not of the one that forgets it", () => {
    const forgotten = planned(old, old, { address: "acl.old", actions: ["forget"] });
    const adopted = planned(undefined, now, { address: "acl.new", isImported: true, importId: "acl_1" });
    expect(aclVersions([[forgotten], [adopted]]).after.map(({ key }) => key)).toEqual(["acl.new"]);
  });

  test("keep two results of one ACL, each as an assumption, and one result once", () => {
    const other = values(1, { match: { asns: [9] } });
    const contested = aclVersions([[planned(old, now)], [planned(old, other, { address: "acl.y" })]]);
    expect(contested.before).toHaveLength(1);
    expect(contested.after.map(({ rule }) => "order" in rule)).toEqual([true, true]);
    const agreed = aclVersions([[planned(old, now)], [planned(old, now, { address: "acl.y" })]]);
    expect([agreed.before.length, agreed.after.length]).toEqual([1, 1]);
    expect("order" in agreed.after[0]!.rule).toBe(false);
  });

  test("mark an ACL that may belong to another tenant", () => {
    const { before, after } = aclVersions([[planned(old, now, { unplaced: true, plan: "edge" })]]);
    for (const found of [before[0]!, after[0]!]) {
      expect(found).toMatchObject({ unplaced: true, plan: "edge" });
      expect("tenant" in found.rule).toBe(true);
    }
  });
});

test("symbols stand for unknown values, with one name for each object", () => {
  const found = withUnknown({ a: 1, list: [1, 2] }, { b: true, list: [false, true] }, "x") as Record<string, unknown>;
  expect(found).toMatchObject({ a: 1, list: [1, expect.any(Symbol)], b: expect.any(Symbol) });
  const named = withName({ a: [Symbol("old")], b: { c: Symbol("old"), d: null } }, "new") as {
    a: [symbol];
    b: { c: symbol; d: null };
  };
  expect([named.a[0].description, named.b.c.description, named.b.d]).toEqual(["new", "new", null]);
});
