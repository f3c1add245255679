/** `npm run debug` serves the provider to several Terraform commands. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { run, start } from "../support/program";

const root = path.join(__dirname, "../..");

test("lets several Terraform commands attach to the provider that runs from source", async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  const emulator = createEmulator({ seed: { network_acls: [] } });
  const { url, close } = await emulator.listen();
  const env = {
    TENANT_ENDPOINT: url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
    TMPDIR: directory,
  };
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
    await close();
    await rm(directory, { recursive: true, force: true });
  }
});
