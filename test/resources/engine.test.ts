/** What messages give to copy, for the engine that drives the provider. */
import { engineOf } from "../../src/resources/engine";

test("an import command takes an id as one word, whatever the id holds", () => {
  const commands = ["1.11.4", "1.0.0+pulumi-terraform-bridge"].map((version) => {
    const { importCommand } = engineOf(version);
    return ["acl_8mJ2", "$(touch x); 'y'"].map((id) => importCommand("tenant_network_acl", id));
  });
  expect(commands).toEqual([
    [
      "terraform import tenant_network_acl.NAME acl_8mJ2",
      "terraform import tenant_network_acl.NAME '$(touch x); '\\''y'\\'",
    ],
    [
      "pulumi import tenant:index/networkAcl:NetworkAcl NAME acl_8mJ2",
      "pulumi import tenant:index/networkAcl:NetworkAcl NAME '$(touch x); '\\''y'\\'",
    ],
  ]);
});
