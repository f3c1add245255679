/** Terraform completes a replacement that was interrupted after the new object had adopted the old one. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { openWorkspace, unwrapped } from "../support/workspace";

const organization = "org_EJO5hMpodzItJ8tA";
const early = "lifecycle {\n create_before_destroy = true\n }";
const stack = `
resource "tenant_network_acl" "office" {
  description = "Office"
  priority    = 10
  rule {
    action { allow = true }
    match { asns = [64496] }
    scope = "tenant"
  }
  ${early}
}
resource "tenant_network_acl_key" "edge" {
  name  = "edge"
  value = "${Buffer.alloc(32, 7).toString("base64")}"
  ${early}
}
resource "tenant_rate_limit_policy" "all" {
  consumer_selector = "default"
  configuration {
    action = "block"
    limit  = 1
  }
  ${early}
}
resource "tenant_organization_member_set" "staff" {
  organization_id = "${organization}"
  members         = ["auth0|ada"]
  ${early}
}
`;
const addresses = [
  "tenant_network_acl.office",
  "tenant_network_acl_key.edge",
  "tenant_rate_limit_policy.all",
  "tenant_organization_member_set.staff",
];

interface State {
  serial: number;
  readonly resources: { readonly type: string; readonly instances: { deposed?: string }[] }[];
}

test("keeps an object of each kind, and removes only the deposed object from the state", async () => {
  const workspace = await openWorkspace({
    flags: ["tenant_acl_hmac_signature"],
    seed: { organizations: [{ id: organization, name: "acme" }] },
  });
  try {
    const file = path.join(workspace.directory, "terraform.tfstate");
    const read = async () => JSON.parse(await readFile(file, "utf8")) as State;
    await workspace.apply(stack);
    const before = await read();
    const again = await workspace.terraform("apply", "-auto-approve", ...addresses.map((each) => `-replace=${each}`));
    expect([again.code, again.stderr]).toEqual([0, ""]);
    // The state of an apply that was killed before it destroyed the old entries.
    const state = await read();
    for (const { type, instances } of state.resources) {
      const [old] = before.resources.find((resource) => resource.type === type)!.instances;
      instances.push({ ...old, deposed: "00000001" });
    }
    await writeFile(file, JSON.stringify({ ...state, serial: state.serial + 1 }));

    const tenant = workspace.emulator.snapshot();
    workspace.served();
    const apply = () => workspace.terraform("apply", "-auto-approve");
    let { code, stdout, stderr } = await apply();
    // Terraform chooses the order of the two entries. In one order, the provider refuses the plan.
    for (let tries = 1; code !== 0 && tries < 10; tries++) {
      expect(unwrapped(stderr)).toContain(
        "as a deposed object, an earlier apply was interrupted: run the command again.",
      );
      ({ code, stdout, stderr } = await apply());
    }
    expect([code, stdout]).toEqual([0, expect.stringContaining("0 added, 4 changed, 4 destroyed")]);
    expect(stdout).toContain("Warning: An interrupted replacement will be completed");
    expect(workspace.served().filter((call) => !call.startsWith("GET "))).toEqual([]);
    expect(workspace.emulator.snapshot()).toEqual(tenant);
    expect((await read()).resources.map(({ instances }) => instances.length)).toEqual([1, 1, 1, 1]);
    expect((await workspace.plan()).changes).toEqual([]);
  } finally {
    await workspace.close();
  }
});
