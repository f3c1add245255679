/** Names the tenants of a plan with several provider configurations in each format, and reads such plans of real Terraform. */
import type { Values } from "../../src/impact/model";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { formats } from "../../src/review/command";
import { withPlaces } from "../../src/review/places/places";
import { parsePlan } from "../../src/review/input/plan";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import { install } from "../support/installation";
import { run } from "../support/program";
import { acl, allow, block, change, planText } from "./support/plan";
import { faultOf } from "./support/schema";

const at = (name: string) => `tenant_network_acl.${name}`;
const constant = (domain: string): Values => ({ domain: { constant_value: domain } });

/** `homes`: address of a resource -> the key of its provider configuration. */
function configured(configs: Readonly<Record<string, Values>>, homes: Readonly<Record<string, string>>): Values {
  const provider_config = Object.entries(configs).map(([key, expressions]) => {
    const [name] = key.split(":").at(-1)!.split(".");
    const within = key.includes(":") && { module_address: key.split(":")[0] };
    return [key, { name, ...within, full_name: `registry.terraform.io/x/${name}`, expressions }];
  });
  const resources = Object.entries(homes).map(([address, key]) => ({ address, provider_config_key: key }));
  return { configuration: { provider_config: Object.fromEntries(provider_config), root_module: { resources } } };
}
const two = { "tenant.eu": constant("eu.example"), "tenant.us": constant("us.example") };

const all = acl(1, { action: allow, match_all: true }, { id: "acl_eu", description: "All" });
const korea = acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { id: "acl_us", description: "Korea" });
const opening = [
  change(at("all"), all, all),
  change(at("korea"), korea, { ...korea, rule: { ...(korea.rule as Values), match: { asns: [1] } } }),
];
const homes = { [at("all")]: "tenant.eu", [at("korea")]: "tenant.us" };

describe("the command", () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-tenants-"))));
  afterAll(() => rm(folder, { recursive: true }));

  const cli = path.join(__dirname, "../../dist/cli.js");
  const tenantform = async (...args: string[]) => {
    await writeFile(path.join(folder, "infra.json"), planText(opening, configured(two, homes)));
    return run(process.execPath, [cli, ...args], { cwd: folder });
  };

  test.each(formats)("names the tenants in %s", async (format) => {
    const { code, stdout } = await tenantform("review", "infra.json", "--format", format, "--fail-on", "critical");
    expect(code).toBe(0);
    expect(stdout.replaceAll("\\", "")).toMatch(/infra(%20| )\(tenant\.us\)/);
    if (format !== "json") return;
    const read = JSON.parse(stdout) as { plans: Values[] };
    expect(faultOf(read)).toBeUndefined();
    expect(read).not.toHaveProperty("together");
    expect(read.plans.map((one) => [one.name, one.provider_configs])).toEqual([
      // The graver effect comes first.
      ["infra (tenant.us)", ["tenant.us"]],
      ["infra (tenant.eu)", ["tenant.eu"]],
    ]);
  });

  test("explains a request for each tenant", async () => {
    const { stdout } = await tenantform("explain", "infra.json", "--before", "--country", "KP");
    expect(stdout.split("\n").filter((line) => /:$|^=>/.test(line))).toEqual([
      "infra.json (tenant.eu):",
      '=> allowed by "All" (priority 1)',
      "infra.json (tenant.us):",
      '=> blocked by "Korea" (priority 10)',
    ]);
  });

  test("reads objects only from their own tenant", async () => {
    const env = { TENANT_DOMAIN: "other.example", TENANT_ACCESS_TOKEN: "x" };
    const args = [cli, "review", "infra.json", "--tenant"];
    const { code, stderr } = await run(process.execPath, args, { cwd: folder, env });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("--tenant: the environment names other.example, and no"),
    ]);
  });
});

describe("plans of real Terraform", () => {
  const rule = `rule {
    action { block = true }
    match { geo_country_codes = ["KP"] }
    scope = "tenant"
  }`;
  const list = (name: string, priority: string, more = "") => `resource "tenant_network_acl" "${name}" {
  ${more}
  description = "${name} \${${priority}}"
  priority    = ${priority}
  ${rule}
}
`;

  test("show the tenant of objects in modules and for_each, and not of objects that the configuration no longer has", async () => {
    const [eu, us] = [createEmulator(), createEmulator()];
    const [euHost, usHost] = await Promise.all([eu.listen(), us.listen()]);
    // Each provider process serves one configuration, so a provider inside the test cannot serve two.
    const { directory, terraform, close } = await install("");
    try {
      const write = async (folder_: string, hcl: string) => {
        await mkdir(path.join(directory, folder_), { recursive: true });
        await writeFile(path.join(directory, folder_, "main.tf"), hcl);
      };
      const succeed = async (...args: string[]) => {
        const { code, stdout, stderr } = await terraform(args, {
          TENANT_CLIENT_ID: eu.clientId,
          TENANT_CLIENT_SECRET: eu.clientSecret,
        });
        expect([code, stderr]).toEqual([0, ""]);
        return stdout;
      };
      const required = (more: string) => `terraform {
  required_providers {
    tenant = {
      source = "tenantform/tenant"
      ${more}
    }
  }
}
`;
      const own = list("own", "var.first") + list("away", "var.first", "provider = tenant.other");
      await write("edge", `${required("configuration_aliases = [tenant.other]")}variable "first" {}\n${own}`);
      const root = (keys: string, more = "") => `${required("")}
variable "us" { default = ${JSON.stringify(usHost.url)} }
provider "tenant" { endpoint = ${JSON.stringify(euHost.url)} }
provider "tenant" {
  alias         = "us"
  endpoint      = var.us
  client_id     = ${JSON.stringify(us.clientId)}
  client_secret = ${JSON.stringify(us.clientSecret)}
}
${list("many", "each.value", `provider = tenant.us\n  for_each = { ${keys} }`)}
module "edge" {
  source    = "./edge"
  for_each  = { "a.b" = 21 }
  first     = each.value
  providers = { tenant = tenant, tenant.other = tenant.us }
}
${more}`;
      const gone = list("gone", "31", "provider = tenant.us");
      const [both, one] = ['one = 11, "t]wo" = 12', "one = 11"];
      await write(".", root(both, gone));
      await succeed("init");
      await succeed("apply", "-auto-approve");
      expect([eu.store.networkAcls.size, us.store.networkAcls.size]).toEqual([1, 4]);
      const shown = async (hcl: string) => {
        await write(".", hcl);
        await succeed("plan", "-out=plan");
        const infra = withPlaces(parsePlan(await succeed("show", "-json", "plan"), "plan"), [directory]);
        return tenantsIn([{ name: "infra", plan: infra }]).map((tenant) => {
          const { name, acls } = reviewTenant(tenant, {}).whole;
          const [before, after] = [acls.before, acls.after].map((side) => side.map(({ address }) => address));
          return [name, acls.proven, before, after];
        });
      };
      const [inEdge, away] = ["own", "away"].map((name) => `module.edge["a.b"].${at(name)}`);
      const [first, second, last] = [`${at("many")}["one"]`, `${at("many")}["t]wo"]`, at("gone")];
      expect(await shown(root(one, gone))).toEqual([
        ["infra (tenant)", true, [inEdge], [inEdge]],
        ["infra (tenant.us)", true, [first, second, away, last], [first, away, last]],
      ]);
      expect(await shown(root(both))).toEqual([
        ["infra (tenant)", false, [inEdge, last], [inEdge]],
        ["infra (tenant.us)", false, [first, second, away, last], [first, second, away]],
      ]);
    } finally {
      await Promise.all([euHost.close(), usHost.close(), close()]);
    }
  });
});
