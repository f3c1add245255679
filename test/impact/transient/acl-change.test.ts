/** The writes that Terraform sends for the network ACLs of a plan. */
import type { PlannedObject } from "../../../src/impact/model";
import { aclVersions } from "../../../src/impact/network-acl/versions";
import { aclChanges, asides, isAside } from "../../../src/impact/transient/acl-change";
import { acl, planned, values } from "../support/acls";

const all = { match_all: true };
const one = values(1, all);
const { id: _id, ...fresh } = one;
const object = (
  before: Parameters<typeof planned>[0],
  after: Parameters<typeof planned>[1],
  more: Partial<PlannedObject> = {},
) => planned(before, after, more);
const read = (objects: readonly PlannedObject[], remote: Parameters<typeof aclVersions>[1] = []) => {
  const { changes, unchanged } = aclChanges(aclVersions([objects], remote), objects);
  return {
    changes: changes.map(({ how, before, after }) => [how, before?.priority, after?.priority]),
    unchanged: unchanged.map(({ priority }) => priority),
    isOwn: changes.map(({ isOwn }) => isOwn),
  };
};

test.each<[string, PlannedObject, unknown[]]>([
  ["create", object(undefined, fresh, { actions: ["create"] }), ["create", undefined, 1]],
  ["delete", object(one, undefined, { actions: ["delete"] }), ["delete", 1, undefined]],
  ["update", object(one, values(2, all, { id: "acl_1" })), ["update", 1, 2]],
  ["delete, then create", object(one, fresh, { actions: ["delete", "create"] }), ["delete, then create", 1, 1]],
  ["create, then delete", object(one, fresh, { actions: ["create", "delete"] }), ["create, then delete", 1, 1]],
  [
    "update, if the plan only creates the object again",
    object(one, values(2, all), { actions: ["create"] }),
    ["update", 1, 2],
  ],
  [
    "update, if the plan deletes an object that stays",
    object(one, values(2, all), { actions: ["delete"] }),
    ["update", 1, 2],
  ],
])("reads %s", (_what, given, change) => {
  expect(read([given])).toMatchObject({ changes: [change], unchanged: [] });
});

test.each<[string, PlannedObject]>([
  ["keeps", object(one, one, { actions: ["no-op"] })],
  ["updates only in its description", object(one, { ...one, description: "New" })],
  ["forgets", object(one, undefined, { actions: ["forget"] })],
])("writes nothing for an ACL that the plan %s", (_what, given) => {
  expect(read([given])).toEqual({ changes: [], unchanged: [1], isOwn: [] });
});

test("writes an ACL that is replaced by an equal one", () => {
  expect(read([object(one, fresh, { actions: ["delete", "create"] })]).changes).toHaveLength(1);
});

test("keeps unmanaged ACLs", () => {
  expect(read([object(undefined, fresh, { actions: ["create"] })], [values(7, all)])).toMatchObject({
    changes: [["create", undefined, 1]],
    unchanged: [7],
  });
});

test("writes an ACL for which another resource takes over the management", () => {
  const [old, now] = [
    object(one, undefined, { address: "acl.a", actions: ["forget"] }),
    object(one, values(2, all, { id: "acl_1" }), { address: "acl.b", isImported: true, importId: "acl_1" }),
  ];
  expect(read([old, now])).toMatchObject({ changes: [["update", 1, 2]], unchanged: [] });
});

test("pairs two versions by their id, and never by a missing id", () => {
  const changesOf = (...versions: Parameters<typeof acl>[2][]) => {
    const [before, after] = versions.map((more, index) => ({ ...acl(1, all, more), key: `key ${index}` }));
    return aclChanges({ before: [before!], after: [after!] }, []);
  };
  const updated = changesOf({}, {});
  expect(updated.changes.map(({ how }) => how)).toEqual(["update"]);
  expect(updated.unchanged).toEqual([]);
  const none = { id: undefined };
  expect(changesOf(none, none).changes.map(({ how }) => how)).toEqual(["delete", "create"]);
  expect(changesOf({}, { id: "acl_2" }).changes.map(({ how }) => how)).toEqual(["delete", "create"]);
});

test("tells which changes the provider tenant writes", () => {
  const isOwn = (type: string) => read([object(one, undefined, { type, actions: ["delete"] })]).isOwn;
  expect(isOwn("tenant_network_acl")).toEqual([true]);
  expect(isOwn("auth0_network_acl")).toEqual([false]);
});

test("reads plans apart that have the same address", () => {
  const [eu, us] = [
    object(one, undefined, { plan: "eu", actions: ["delete"] }),
    object(values(2, all), values(3, all, { id: "acl_2" }), { plan: "us" }),
  ];
  const { changes } = aclChanges(aclVersions([[eu], [us]]), [eu, us]);
  expect(changes.map(({ how }) => how)).toEqual(["delete", "update"]);
});

test("knows the statuses of an ACL that waits at a free priority", () => {
  expect(asides.every(isAside)).toBe(true);
  expect((["old", "gone", "both", "new"] as const).some(isAside)).toBe(false);
});
