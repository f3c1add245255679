/** A destroy by real processes: Terraform plans the deletions in a process that reads nothing. */
import { createEmulator } from "../../src/emulator/emulator";
import { install } from "../support/installation";
import { unwrapped } from "../support/workspace";

const acl = (name: string, priority: number, action: string, match: string) => `
  resource "tenant_network_acl" "${name}" {
    description = "${name}"
    priority    = ${priority}
    rule {
      action { ${action} = true }
      match { ${match} }
      scope  = "tenant"
    }
  }`;

test.each([["destroy"], ["apply", "-destroy"]])(
  "refuses a lock-out in the plan of %s %s, before it deletes anything",
  async (...command) => {
    const emulator = createEmulator({
      seed: {
        network_acls: [
          {
            description: "by hand",
            active: true,
            priority: 50,
            rule: { action: { block: true }, scope: "tenant", match: { ipv4_cidrs: ["198.51.100.0/24"] } },
          },
        ],
      },
    });
    const tenant = await emulator.listen();
    const installation = await install(
      `provider "tenant" {
         protected_request {
           name = "ci"
           ip   = "198.51.100.10"
         }
       }` +
        acl("office", 10, "allow", 'ipv4_cidrs = ["198.51.100.10/32"]') +
        acl("korea", 60, "block", 'geo_country_codes = ["KP"]'),
    );
    try {
      const env = {
        TENANT_ENDPOINT: tenant.url,
        TENANT_CLIENT_ID: emulator.clientId,
        TENANT_CLIENT_SECRET: emulator.clientSecret,
      };
      expect((await installation.terraform(["apply", "-auto-approve"], env)).code).toBe(0);
      const { code, stderr } = await installation.terraform([...command, "-auto-approve"], env);
      expect([code, unwrapped(stderr)]).toEqual([1, expect.stringContaining("blocks the protected request")]);
      expect(emulator.snapshot().network_acls).toHaveLength(3);
    } finally {
      await installation.close();
      await tenant.close();
    }
  },
);
