/** Checks that the constructs support cdktf's features for resources, in JSON and in HCL; the helpers, signature keys, and the embedded tenant of a stack. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import { TerraformOutput, TerraformStack, TerraformVariable, Testing } from "cdktf";
import "cdktf/lib/testing/adapters/jest";
import {
  Action,
  DataTenantNetworkAcls,
  DataTenantOrganizationMembers,
  DataTenantRateLimitPolicies,
  Match,
  NetworkAcl,
  NetworkAclKey,
  type NetworkAclRuleMatch,
  OrganizationMemberSet,
  RateLimitPolicy,
  TenantProvider,
} from "../../src/constructs";
import { embeddedTenant } from "../../src/constructs/embedded-tenant";
import { writtenOf } from "../../src/constructs/checks";
import { startCommand } from "../emulator/process";
import { newFolder } from "../support/folder";
import { openProject, type Project } from "./support/project";

describe("the constructs", () => {
  let project: Project;
  const open = (options?: { hclOutput: boolean }) => (project = openProject(options));

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
      const scope = new TerraformStack(Testing.app({ outdir: newFolder() }), "stack");
      new RateLimitPolicy(scope, "policy", { consumerSelector: "default", configuration: { action: "block", limit } });
      for (let index = 0; index < acls; index++) {
        const rule = { action: { block: true }, match: { asns: [index] }, scope: "tenant" };
        new NetworkAcl(scope, `acl${index}`, { description: "", rule });
      }
      return Testing.synth(scope);
    };
    expect(synthesize(25)).toContain('"limit": 25');
    expect(() => synthesize(-1, 2)).toThrow(/\[stack\] `priority` is 50 for .*\[stack\/policy\] .*limit.* is -1/s);
  });
});

test("looks up a text with quotes, and says which one the tenant lacks", () => {
  const project = openProject();
  const { id } = new DataTenantNetworkAcls(project.stack, "acls").find('The "old" office');
  new TerraformOutput(project.stack, "id", { value: id });
  project.app.synth();
  const written = JSON.parse(project.read("cdk.tf.json"));
  expect(written.output.id.value).toContain('network_acls[*].description, "The \\"old\\" office")].id}');
  expect(written.data.tenant_network_acls.acls.lifecycle.postcondition).toEqual([
    {
      condition: '${contains(self.network_acls[*].description, "The \\"old\\" office")}',
      error_message: 'The tenant has no network ACL whose `description` is "The "old" office". Check the value.',
    },
    expect.objectContaining({
      error_message: expect.stringContaining("The tenant has several network ACLs whose `description` is"),
    }),
  ]);
});

test("writes actions and signals in few words", () => {
  expect([Action.allow(), Action.block(), Action.log(), Action.redirect("https://example.com/")]).toEqual([
    { allow: true },
    { block: true },
    { log: true },
    { redirect: true, redirectUri: "https://example.com/" },
  ]);
  expect(Match.addresses("203.0.113.0/24", "2001:db8::/32", "::ffff:192.0.2.1")).toEqual({
    ipv4Cidrs: ["203.0.113.0/24"],
    ipv6Cidrs: ["2001:db8::/32", "::ffff:192.0.2.1"],
  });
  expect(Match.through("198.51.100.7")).toEqual({ connectingIpv4Cidrs: ["198.51.100.7"] });
  expect(
    Match.both(Match.countries("DE"), Match.hostnames("a.example"), Match.countries("AT"), Match.anonymizers()),
  ).toEqual({
    geoCountryCodes: ["DE", "AT"],
    hostnames: ["a.example"],
    auth0Managed: ["auth0.tor", "auth0.vpn", "auth0.proxy"],
  });
});

describe("signature keys", () => {
  let project: Project;
  beforeEach(() => (project = openProject()));

  const material = Buffer.alloc(32, "0123456789abcdef").toString("base64");

  test("accepts a key from an ephemeral variable, and rules name it by its id", () => {
    const { stack } = project;
    const variable = new TerraformVariable(stack, "edge_key", { type: "string" });
    variable.addOverride("ephemeral", true);
    const key = new NetworkAclKey(stack, "edge", {
      namePrefix: "edge-",
      valueWo: variable.stringValue,
      lifecycle: { createBeforeDestroy: true },
    });
    const notMatch = Match.signedBy(key.id, "key_other");
    const rule = { action: Action.block(), notMatch, scope: "dynamic_client_registration" };
    const acl = new NetworkAcl(stack, "unsigned", { description: "", rule });
    expect(project.complaints()).toEqual([]);
    expect(project.warnings()).toEqual([]);
    expect(writtenOf(key)).toMatchObject({ name_prefix: "edge-", value_wo: "${var.edge_key}" });
    const keys = [{ id: "${tenant_network_acl_key.edge.id}" }, { id: "key_other" }];
    expect(writtenOf(acl)).toMatchObject({ rule: { not_match: { http_message_signature: { keys } } } });
  });

  test("warns about literal material without repeating it", () => {
    new NetworkAclKey(project.stack, "edge", { name: "edge", valueWo: material });
    new NetworkAclKey(project.stack, "old", { name: "old", value: material });
    expect(project.complaints()).toEqual([]);
    expect(project.warnings()).toEqual([
      expect.stringMatching(
        /^stack\/edge: `valueWo` is secret, and .*: give a sensitive TerraformVariable, with addOverride/,
      ),
      expect.stringMatching(/^stack\/old: `value` is secret, and .*: give a sensitive TerraformVariable\.$/),
    ]);
    expect(project.warnings().join()).not.toContain(material.slice(0, 8));
  });
});

describe("the embedded tenant of a stack", () => {
  let folder: string;
  const given = { ...process.env };
  beforeEach(() => {
    folder = newFolder();
    process.env.CDKTF_OUTDIR = path.join(folder, "cdktf.out");
  });
  afterEach(() => void (process.env = { ...given }));

  const answers = (url = "") =>
    fetch(`${url}/.well-known/jwks.json`).then(
      ({ ok }) => ok,
      () => false,
    );

  const scopesOf = async (env: NodeJS.Dict<string>) => {
    const client = { client_id: env.TENANT_CLIENT_ID!, client_secret: env.TENANT_CLIENT_SECRET! };
    const audience = `${env.TENANT_ENDPOINT}/api/v2/`;
    const body = new URLSearchParams({ grant_type: "client_credentials", audience, ...client });
    const response = await fetch(`${env.TENANT_ENDPOINT}/oauth/token`, { method: "POST", body });
    return ((await response.json()) as { scope: string }).scope.split(" ");
  };

  test("starts a tenant once, whose settings hold no secret, and which ends with its folder", async () => {
    const settings = embeddedTenant();
    expect(settings).toEqual({
      endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      clientId: expect.stringMatching(/^\w+$/),
      clientAssertionPrivateKeyFile: expect.stringMatching(/client-key\.pem$/),
    });
    expect(embeddedTenant()).toEqual(settings);
    const written = parseEnv(readFileSync(path.join(process.env.CDKTF_OUTDIR!, "embedded-tenant.env"), "utf8"));
    expect(await scopesOf(written)).toContain("create:network_acl_keys");
    rmSync(folder, { recursive: true });
    while (await answers(settings.endpoint)) await new Promise(setImmediate);
  });

  test("starts a new tenant if another one listens at the address of the file", async () => {
    const other = await startCommand("--quiet");
    const { TENANT_ENDPOINT: url } = other.exports;
    mkdirSync(process.env.CDKTF_OUTDIR!);
    const file = `# written by tenantform emulate, and removed when it ends\nTENANT_ENDPOINT=${url}\nTENANT_CLIENT_ID=x\nTENANT_CLIENT_SECRET=y\n`;
    writeFileSync(path.join(process.env.CDKTF_OUTDIR!, "embedded-tenant.env"), file);
    const { endpoint } = embeddedTenant();
    expect(endpoint).not.toBe(url);
    expect(await answers(endpoint)).toBe(true);
    await other.end("SIGTERM");
  });

  test.each(["TENANT_ENDPOINT", "TENANT_EMBEDDED_ENDPOINT"])("starts none if %s names one", (name) => {
    process.env[name] = "http://127.0.0.1:1";
    expect(embeddedTenant()).toEqual({});
  });

  test("says why it cannot start", () => {
    writeFileSync(process.env.CDKTF_OUTDIR!, "");
    expect(() => embeddedTenant()).toThrow(/^No embedded tenant for this stack\. .*cdktf\.out/);
  });
});
