/** The planning process of an apply hands what it knows to the applying process. */
import { createEmulator } from "../../src/emulator/emulator";
import { install } from "../support/installation";
import { unwrapped } from "../support/workspace";

const block = (name: string, priority: number, asn: number) => `
  resource "tenant_network_acl" "${name}" {
    description = "${name}"
    priority    = ${priority}
    rule {
      action { block = true }
      match { asns = [${asn}] }
      scope  = "tenant"
    }
  }`;
const provider = `
  provider "tenant" {
    protected_requests {
      name = "ci"
      asn  = 64500
    }
  }`;

test.each([
  ["a taken priority", block("wanted", 20, 64501), "The priority is taken"],
  ["a lock-out", provider + block("wanted", 30, 64500), "A protected request is blocked"],
])("refuses %s before the first write, although the plan reads nothing", async (_name, hcl, words) => {
  const rule = { action: { block: true }, scope: "tenant", match: { asns: [64502] } };
  const emulator = createEmulator({
    seed: { network_acls: [{ description: "by hand", active: true, priority: 20, rule }] },
  });
  const tenant = await emulator.listen();
  const installation = await install(hcl + block("free", 5, 64503));
  try {
    const env = {
      TENANT_ENDPOINT: tenant.url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
      TMPDIR: installation.directory,
    };
    const { code, stderr } = await installation.terraform(["apply", "-auto-approve", "-parallelism=1"], env);
    expect([code, unwrapped(stderr)]).toEqual([1, expect.stringContaining(words)]);
    expect(emulator.snapshot().network_acls).toHaveLength(1);
  } finally {
    await installation.close();
    await tenant.close();
  }
});
