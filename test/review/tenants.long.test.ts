/** Reads plans of real Terraform with several provider configurations. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { withPlaces } from "../../src/review/input/places";
import { parsePlan } from "../../src/review/input/plan";
import { tenantsIn } from "../../src/review/input/tenants";
import { acl } from "../support/hcl";
import { install } from "../support/installation";
import { reviewTenant } from "./support/plan";

const at = (name: string) => `tenant_network_acl.${name}`;
const list = (name: string, priority: string, rest = "") => {
  const description = `${name} \${${priority}}`;
  return acl(name, { action: "block", priority, match: 'geo_country_codes = ["KP"]', description, rest });
};
const required = (more = "") => `terraform {
  required_providers {
    tenant = {
      source = "tenantform/tenant"
      ${more}
    }
  }
}
`;

test("shows the tenant of objects in modules and for_each, and not of objects that the configuration no longer has", async () => {
  const [eu, us] = [createEmulator(), createEmulator()];
  const [euHost, usHost] = await Promise.all([eu.listen(), us.listen()]);
  // Each provider process serves one configuration, so a provider inside the test cannot serve two.
  const { directory, terraform, close } = await install("");
  try {
    const write = async (folder: string, hcl: string) => {
      await mkdir(path.join(directory, folder), { recursive: true });
      await writeFile(path.join(directory, folder, "main.tf"), hcl);
    };
    const succeed = async (...args: string[]) => {
      const secrets = { TENANT_CLIENT_ID: eu.clientId, TENANT_CLIENT_SECRET: eu.clientSecret };
      const { code, stdout, stderr } = await terraform(args, secrets);
      expect([code, stderr]).toEqual([0, ""]);
      return stdout;
    };
    const own = list("own", "var.first") + list("away", "var.first", "provider = tenant.other");
    await write("edge", `${required("configuration_aliases = [tenant.other]")}variable "first" {}\n${own}`);
    const root = (keys: string, more = "") => `${required()}
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
