/** Messages print commands of the engine that runs the provider. */
import { engineOf } from "../../src/resources/engine";

test("quotes an id with shell characters in the import command of each engine", () => {
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
