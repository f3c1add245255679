import { decodeNetworkAcls, decodeNetworkAcl } from "../../src/tenant/network-acl";
import { aclBody } from "./support/embedded";
import { scripted } from "./support/scripted";

const moment = "2026-01-01T00:00:00.000Z";
const acl = { ...aclBody(1), id: "acl_1", created_at: moment, updated_at: moment };

test.each([{ id: 1 }, { active: "yes" }, { rule: null }, { rule: { scope: "tenant" } }, { rule: { action: {} } }])(
  "refuses an incomplete ACL: %j",
  (part) => {
    expect([decodeNetworkAcl(acl), decodeNetworkAcls([acl])]).toEqual([acl, [acl]]);
    const broken = { ...acl, ...part };
    expect([decodeNetworkAcl(broken), decodeNetworkAcls([acl, broken])]).toEqual([undefined, undefined]);
  },
);

test("accepts both forms of a successful deletion", async () => {
  for (const reply of [{ status: 204 }, { body: { code: 204 } }]) {
    await scripted(() => reply).tenant.networkAcls.delete("acl_1");
  }
  for (const body of [{ code: 200 }, { code: "204" }, [], {}]) {
    const deleting = scripted(() => ({ body })).tenant.networkAcls.delete("acl_1");
    await expect(deleting).rejects.toMatchObject({ code: "unlike_service" });
  }
});
