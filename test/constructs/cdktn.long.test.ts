/** Runs the constructs for cdktn, which are built from the same source, from the first deployment to the last. */
import { App, LocalBackend, Testing, TerraformStack } from "cdktn";
import * as cdktf from "cdktf";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import * as forCdktf from "tenantform/cdktf";
import { NetworkAcl, OrganizationMemberSet, RateLimitPolicy, TenantProvider } from "tenantform/cdktn";
import * as forCdktn from "tenantform/cdktn";
import { createEmulator } from "../../src/emulator/emulator";
import { run } from "../support/program";
import { outdir } from "../support/outdir";

let folder: string;
beforeEach(() => (folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "tenantform-test-")))));
afterEach(() => rmSync(folder, { recursive: true }));

const organizationId = "org_cdktn00000000001";

function fill(stack: TerraformStack, limit = 25): void {
  new TenantProvider(stack, "tenant");
  new NetworkAcl(stack, "sanctions", {
    description: "Not from there",
    priority: 10,
    rule: { action: { block: true }, match: { geoCountryCodes: ["KP"] }, scope: "authentication" },
  });
  new RateLimitPolicy(stack, "third-parties", {
    consumerSelector: "third_party_clients",
    configuration: { action: "block", limit },
  });
  new OrganizationMemberSet(stack, "staff", {
    organizationId,
    members: ["auth0|ada", "auth0|grace"],
    allowEmpty: true,
  });
}

test("exports the same names as for cdktf", () => {
  expect(Object.keys(forCdktn).toSorted()).toEqual(Object.keys(forCdktf).toSorted());
});

test("runs synth, diff, deploy, change and destroy", async () => {
  const emulator = createEmulator({ seed: { organizations: [{ id: organizationId, name: "acme" }] } });
  const tenant = await emulator.listen();
  try {
    const env = {
      TENANT_ENDPOINT: tenant.url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    };
    const synth = (limit: number) => {
      const app = new App({ outdir: folder, stackTraces: false });
      const stack = new TerraformStack(app, "stack");
      new LocalBackend(stack, { path: path.join(folder, "terraform.tfstate") });
      fill(stack, limit);
      app.synth();
    };
    const directory = path.join(folder, "stacks/stack");
    const terraform = async (...args: string[]) => {
      const { code, stdout, stderr } = await run("terraform", [...args, "-no-color"], { cwd: directory, env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return stdout;
    };
    synth(25);
    await terraform("init", "-lockfile=readonly");
    expect(await terraform("plan")).toContain("Plan: 3 to add, 0 to change, 0 to destroy.");
    await terraform("apply", "-auto-approve");
    expect(Array.from(emulator.store.members(organizationId)!, ([user]) => user)).toEqual(["auth0|ada", "auth0|grace"]);
    synth(30);
    expect(await terraform("plan")).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");
    await terraform("apply", "-auto-approve");
    expect(emulator.snapshot().rate_limit_policies).toMatchObject([{ configuration: { limit: 30 } }]);
    await terraform("destroy", "-auto-approve");
    expect(emulator.snapshot()).toMatchObject({ network_acls: [], rate_limit_policies: [] });
  } finally {
    await tenant.close();
  }
});

test("names the right import if a construct is in a stack of the other library", () => {
  const stack = new cdktf.TerraformStack(new cdktf.App({ outdir: folder, stackTraces: false }), "stack");
  expect(() => new TenantProvider(stack as never, "tenant")).toThrow(
    'stack/tenant is a construct for cdktn in a stack of cdktf: import it from "tenantform/cdktf".',
  );
  const other = new TerraformStack(Testing.app({ outdir: outdir() }), "stack");
  expect(() => new forCdktf.TenantProvider(other as never, "tenant")).toThrow(
    'stack/tenant is a construct for cdktf in a stack of cdktn: import it from "tenantform/cdktn".',
  );
});
