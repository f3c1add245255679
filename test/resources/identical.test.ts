/** A create adopts an identical object that the tenant already has. */
import type { Titled } from "../../src/codes/codes";
import { networkAcl } from "../../src/kinds/network-acl";
import { engineOf } from "../../src/resources/engine";
import { createOrAdopt } from "../../src/resources/identical";
import { Conflict } from "../../src/tenant/conflict";

const conflict = (identical: boolean) => () =>
  Promise.reject(new Conflict("There is one with priority 7", { id: "acl_1" }, identical, { status: 409 }));

test("adopts an identical object with a warning, and refuses a different one with an import command", async () => {
  const said: Titled[] = [];
  const context = { warn: (code: Titled) => said.push(code), client: engineOf("1.11.4") };
  expect(await createOrAdopt(networkAcl, conflict(true), context)).toEqual({ id: "acl_1" });
  expect(said).toEqual([["TNF-ADOPTED", "network ACL"]]);
  await expect(createOrAdopt(networkAcl, conflict(false), context)).rejects.toThrow(
    "terraform import tenant_network_acl.NAME acl_1",
  );
});

test("refuses to adopt an object in Pulumi, which would delete the object later under its old name", async () => {
  const context = { warn: () => {}, client: engineOf("1.0.0+pulumi-terraform-bridge") };
  await expect(createOrAdopt(networkAcl, conflict(true), context)).rejects.toThrow("`aliases`");
  await expect(createOrAdopt(networkAcl, conflict(false), context)).rejects.toThrow(
    "pulumi import tenant:index/networkAcl:NetworkAcl NAME acl_1",
  );
});
