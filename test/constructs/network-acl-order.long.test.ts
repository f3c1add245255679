/** Applies and destroys "deny everything, then open" with Terraform, one object at a time, on a tenant that enforces its ACLs. */
import { LocalBackend } from "cdktf";
import path from "node:path";
import { Action, Match, NetworkAclOrder, type TenantProvider } from "../../src/constructs";
import { listeningTenant } from "../support/tenant";
import { openProject } from "./support/project";

test("an order never locks out its own apply and destroy, one object at a time", async () => {
  const { emulator, env, close } = await listeningTenant({ enforce: true, flags: ["tenant_acl_match_all"] });
  const project = openProject();
  try {
    const own = (id: string) => ({
      id,
      description: id,
      rule: { action: Action.allow(), match: Match.addresses("127.0.0.1"), scope: "tenant" },
    });
    new LocalBackend(project.stack, { path: path.join(project.folder, "terraform.tfstate") });
    const provider = project.stack.node.findChild("tenant") as TenantProvider;
    provider.protectedRequest = [{ name: "this machine", ip: "127.0.0.1" }];
    new NetworkAclOrder(project.stack, "edge", {
      prioritiesFile: false,
      acls: [
        own("zebra"),
        { id: "any", description: "any", rule: { action: Action.block(), matchAll: true, scope: "tenant" } },
      ],
    });
    project.app.synth();
    expect(await project.terraform("init")).toMatchObject({ code: 0 });
    const writes = () =>
      emulator.requests
        .filter((request) => request.method !== "GET" && request.path.includes("network-acls"))
        .map(({ method, status }) => `${method} ${status}`);
    expect(await project.terraformWith(env, "apply", "-auto-approve", "-parallelism=1")).toMatchObject({ code: 0 });
    expect(emulator.store.networkAcls.values().map(({ description }) => description)).toEqual(["zebra", "any"]);
    expect(await project.terraformWith(env, "destroy", "-auto-approve", "-parallelism=1")).toMatchObject({ code: 0 });
    expect(emulator.store.networkAcls.size).toBe(0);
    expect(writes()).toEqual(["POST 201", "POST 201", "DELETE 200", "DELETE 200"]);
  } finally {
    await close();
  }
});
