/** Checks that the constructs support cdktf's features for resources, in JSON and in HCL. */
import { TerraformStack, Testing } from "cdktf";
import "cdktf/lib/testing/adapters/jest";
import {
  DataTenantNetworkAcls,
  DataTenantOrganizationMembers,
  DataTenantRateLimitPolicies,
  NetworkAcl,
  OrganizationMemberSet,
  RateLimitPolicy,
  TenantProvider,
  type NetworkAclRuleMatch,
} from "../../src/constructs";
import { openProject, type Project } from "./support/project";
import { outdir } from "../support/outdir";

let project: Project;
const open = (options?: { hclOutput: boolean }) => (project = openProject(options));
afterEach(() => project.close());

beforeAll(() => Testing.setupJest());

const signals = (n: number): NetworkAclRuleMatch => ({
  asns: [64496 + n],
  // Auth0 accepts curated lists on one side only.
  ...(n === 0 && { auth0Managed: ["auth0.tor"] }),
  connectingIpv4Cidrs: [`198.51.100.${n}`],
  connectingIpv6Cidrs: [`2001:db8::${n}`],
  geoCountryCodes: [n ? "KP" : "IR"],
  geoSubdivisionCodes: [`US-C${n}`],
  hostnames: [`login${n}.example.com`],
  httpMessageSignature: { keys: [{ id: `one${n}` }, { id: `two${n}` }] },
  ipv4Cidrs: [`203.0.${n}.0/24`],
  ipv6Cidrs: [`2001:db${n}::/32`],
  ja3Fingerprints: [`e7d705a3286e19ea42f587b344ee686${n}`],
  ja4Fingerprints: [`t13d1516h2_8daaf6152771_02713d6af86${n}`],
  userAgents: [`the "quoted" agent ${n}`],
});

function fill({ stack }: Project) {
  new TenantProvider(stack, "guarded", {
    alias: "guarded",
    protectedRequest: [{ name: "our CI", ip: "192.0.2.1", asn: 64500 }, { userAgent: "terraform" }],
    lockoutGuard: "warn",
  });
  const acls = new DataTenantNetworkAcls(stack, "acls");
  const policies = new DataTenantRateLimitPolicies(stack, "policies", { consumerSelector: "default" });
  const present = new DataTenantOrganizationMembers(stack, "present", { organizationId: "org_0123456789abcdef" });
  const acl = new NetworkAcl(stack, "acl", {
    description: `next to ${acls.networkAcls.get(0).id}`,
    active: false,
    priority: 7,
    rule: {
      action: { redirect: true, redirectUri: "https://example.com/?a=b" },
      match: signals(0),
      notMatch: signals(1),
      scope: "authentication",
    },
    lifecycle: { preventDestroy: true },
  });
  const policy = new RateLimitPolicy(stack, "policy", {
    consumerSelector: "client_id:abc",
    configuration: { action: "block", limit: policies.rateLimitPolicies.get(0).configuration.limit },
    dependsOn: [acl],
  });
  const set = new OrganizationMemberSet(stack, "set", {
    organizationId: present.organizationId,
    members: present.members,
  });
  return { acl, policy, set };
}

test.each([
  ["JSON", false],
  ["HCL", true],
])("writes all three resources with every attribute for Terraform, in %s", async (_name, hclOutput) => {
  const { app, terraform, read } = open({ hclOutput });
  fill(project);
  app.synth();
  expect(read(hclOutput ? "cdk.tf" : "cdk.tf.json")).toContain("geo_subdivision_codes");
  expect(await terraform("init")).toMatchObject({ code: 0 });
  const { stdout } = await terraform("validate", "-json");
  expect(JSON.parse(stdout)).toMatchObject({ valid: true, error_count: 0 });
});

test("supports cdktf's matchers", () => {
  open();
  fill(project);
  const synthesized = Testing.synth(project.stack, true);
  expect(synthesized).toHaveProvider(TenantProvider);
  expect(synthesized).toHaveDataSource(DataTenantNetworkAcls);
  expect(synthesized).toHaveResourceWithProperties(OrganizationMemberSet, {
    organization_id: "${data.tenant_organization_members.present.organization_id}",
  });
  expect(synthesized).toHaveResourceWithProperties(NetworkAcl, {
    rule: expect.objectContaining({ action: { redirect: true, redirect_uri: "https://example.com/?a=b" } }),
    lifecycle: { prevent_destroy: true },
  });
});

test("writes imports, moves and references", async () => {
  const { app, stack, terraform, read } = open();
  const { acl, policy, set } = fill(project);
  acl.importFrom("acl_1111111111111111111111");
  policy.moveFromId("tenant_rate_limit_policy.old");
  NetworkAcl.generateConfigForImport(stack, "found", "acl_2222222222222222222222");
  set.addMoveTarget("set");
  app.synth();
  const written = JSON.parse(read("cdk.tf.json"));
  expect(written.import).toMatchObject([
    { id: "acl_1111111111111111111111", to: "tenant_network_acl.acl" },
    { id: "acl_2222222222222222222222", to: "tenant_network_acl.found" },
  ]);
  expect(written.moved).toEqual([{ from: "tenant_rate_limit_policy.old", to: "tenant_rate_limit_policy.policy" }]);
  expect(await terraform("init")).toMatchObject({ code: 0 });
});

test("does not check a resource that has moved away", () => {
  const { stack } = open();
  const rule = { action: { block: true }, match: { asns: [1] }, scope: "tenant" };
  new NetworkAcl(stack, "new", { description: "", priority: 1, rule }).addMoveTarget("there");
  new NetworkAcl(stack, "old", { description: "", priority: 0, rule }).moveTo("there");
  expect(project.complaints()).toEqual([]);
});

test("refuses errors in Testing.synth as in an app, all together, each with its path", () => {
  const synthesize = (limit: number, acls = 1) => {
    const scope = new TerraformStack(Testing.app({ outdir: outdir() }), "stack");
    new RateLimitPolicy(scope, "policy", { consumerSelector: "default", configuration: { action: "block", limit } });
    for (let index = 0; index < acls; index++) {
      const rule = { action: { block: true }, match: { asns: [index] }, scope: "tenant" };
      new NetworkAcl(scope, `acl${index}`, { description: "", rule });
    }
    return Testing.synth(scope);
  };
  expect(synthesize(25)).toContain('"limit": 25');
  expect(() => synthesize(-1, 2)).toThrow(
    /\[stack\] 2 network ACLs .* priority 50.*\[stack\/policy\] .*limit.* is -1/s,
  );
});
