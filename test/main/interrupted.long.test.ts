/** After Ctrl-C during an apply, the state has every finished change, so a destroy removes all objects. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { install } from "../support/installation";
import { start } from "../support/program";

const stack = `
  resource "tenant_rate_limit_policy" "each" {
    count             = 6
    consumer_selector = "client_id:client_\${count.index}"
    configuration {
      action = "block"
      limit  = 5
    }
  }
`;

test.each([1, 10])("records every created object with -parallelism=%d", async (parallelism) => {
  let interrupt = () => {};
  let made = 0;
  // The interrupt comes after the request was sent and before its late response.
  const emulator = createEmulator({ latency: 1_000 });
  const tenant = await emulator.listen();
  const installation = await install(stack);
  const env = {
    TENANT_ENDPOINT: tenant.url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
  };
  const policies = () => emulator.snapshot().rate_limit_policies ?? [];
  try {
    const watch = setInterval(() => {
      if (policies().length > made) interrupt();
      made = policies().length;
    }, 5);
    const args = ["apply", "-auto-approve", "-no-color", `-parallelism=${parallelism}`];
    const applying = start("terraform", args, { cwd: installation.directory, env, detached: true });
    // A terminal sends the signal to the whole process group.
    interrupt = () => {
      interrupt = () => {};
      process.kill(-applying.child.pid!, "SIGINT");
    };
    const ended = await applying.ended;
    clearInterval(watch);
    expect(ended.stdout).toContain("Interrupt received");
    expect(policies().length).toBeGreaterThan(0);

    const { resources } = JSON.parse(await readFile(path.join(installation.directory, "terraform.tfstate"), "utf8"));
    const known = resources.flatMap(({ instances }: { instances: { attributes: { id: string } }[] }) => instances);
    expect(known.map(({ attributes }: { attributes: { id: string } }) => attributes.id).toSorted()).toEqual(
      policies()
        .map(({ id }) => id)
        .toSorted(),
    );
    const destroyed = await installation.terraform(["destroy", "-auto-approve"], env);
    expect(destroyed.stderr).toBe("");
    expect(policies()).toEqual([]);
  } finally {
    await Promise.all([tenant.close(), installation.close()]);
  }
});
