/** A create adopts an identical object that the tenant already has. */
import type { Titled } from "../../src/codes/codes";
import { networkAcl } from "../../src/kinds/network-acl";
import { createOrAdopt, importCommandOf } from "../../src/resources/claim";
import { Conflict } from "../../src/tenant/conflict";

const conflict = (identical: boolean) => () =>
  Promise.reject(new Conflict("There is one with priority 7", { id: "acl_1" }, identical, { status: 409 }));

test("adopts an identical object with a warning, unless another resource of the apply made it, and refuses a different one", async () => {
  const said: Titled[] = [];
  const context = { warn: (code: Titled) => said.push(code), madeHere: () => false };
  expect(await createOrAdopt(networkAcl, conflict(true), context)).toEqual({ id: "acl_1" });
  expect(said).toEqual([["TNF-ADOPTED", "network ACL"]]);
  const made = createOrAdopt(networkAcl, conflict(true), { ...context, madeHere: ({ id }) => id === "acl_1" });
  await expect(made).rejects.toThrow("Another resource of this configuration");
  await expect(createOrAdopt(networkAcl, conflict(false), context)).rejects.toThrow(
    "terraform import tenant_network_acl.NAME acl_1",
  );
});

test("quotes an id with shell characters in the import command", () => {
  expect(["acl_8mJ2", "$(touch x); 'y'"].map((id) => importCommandOf(networkAcl, id))).toEqual([
    "terraform import tenant_network_acl.NAME acl_8mJ2",
    "terraform import tenant_network_acl.NAME '$(touch x); '\\''y'\\'",
  ]);
});
