/** `npm run debug` serves the provider to several Terraform commands. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { newFolder, root } from "../support/folder";
import { run, start } from "../support/program";
import { listeningTenant } from "../support/tenant";

test("lets several Terraform commands attach to the provider that runs from source", async () => {
  const directory = newFolder();
  const tenant = await listeningTenant();
  const env = { ...tenant.env, TMPDIR: directory };
  const program = path.join(root, "src/tools/debug/debug.ts");
  const provider = start(process.execPath, ["--import", require.resolve("tsx"), program], { cwd: root, env });
  try {
    await provider.prints(/'\n/);
    const [, attach] = /^export TF_REATTACH_PROVIDERS='(.*)'\n$/.exec(provider.stdout)!;
    await writeFile(
      path.join(directory, "main.tf"),
      `terraform {
         required_providers { tenant = { source = "tenantform/tenant" } }
       }
       data "tenant_network_acls" "all" {}
       output "held" { value = length(data.tenant_network_acls.all.network_acls) }`,
    );
    const surroundings = { cwd: directory, env: { TF_REATTACH_PROVIDERS: attach } };
    for (const command of ["plan", "apply"]) {
      const args = command === "apply" ? ["-auto-approve"] : [];
      const { code, stdout } = await run("terraform", [command, "-no-color", ...args], surroundings);
      expect(stdout).toContain("held = 0");
      expect(code).toBe(0);
    }
    provider.child.kill("SIGINT");
    expect(await provider.ended).toMatchObject({ code: 0 });
  } finally {
    provider.child.kill("SIGKILL");
    await provider.ended;
    await tenant.close();
  }
});
