/** What the constructs say at synth: all of it, in the author's names, and nothing about what is not known yet. */
import { Fn, Lazy, TerraformIterator, TerraformStack, TerraformVariable, Token } from "cdktf";
import {
  NetworkAcl,
  OrganizationMemberSet,
  RateLimitPolicy,
  TenantProvider,
  type NetworkAclConfig,
  type NetworkAclRule,
} from "../../src/constructs";
import { openProject, type Project } from "./support/project";

let project: Project;
beforeEach(() => (project = openProject()));
afterEach(() => project.close());

const rule: NetworkAclRule = { action: { block: true }, match: { asns: [64496] }, scope: "authentication" };

test("a sound stack has no complaints and no warnings", () => {
  const { stack } = project;
  new NetworkAcl(stack, "acl", { description: "", priority: 1, rule });
  new RateLimitPolicy(stack, "policy", {
    consumerSelector: "client_id:abc",
    configuration: { action: "redirect", limit: 0, redirectUri: "https://example.com/later" },
  });
  new OrganizationMemberSet(stack, "set", { organizationId: "org_0123456789abcdef", members: [] });
  expect(project.complaints()).toEqual([]);
  expect(project.warnings()).toEqual([]);
});

test("everything wrong is said at once, with path, attribute and value", () => {
  const { stack } = project;
  new NetworkAcl(stack, "acl", {
    description: "x".repeat(256),
    priority: 0,
    rule: { action: { redirect: true }, match: { ipv4Cidrs: ["10.0.0.0/33"] }, notMatch: {}, scope: "tenant" },
  });
  new RateLimitPolicy(stack, "policy", { consumerSelector: "default", configuration: { action: "block" } });
  new OrganizationMemberSet(stack, "set", { organizationId: "", members: [""] });
  const complaints = project.complaints();
  expect(complaints).toEqual([
    expect.stringMatching(/^stack\/acl: `description` is "xxx.*255 characters/),
    expect.stringMatching(/^stack\/acl: `priority` is 0: .*1 to 100/),
    expect.stringMatching(/^stack\/acl: `rule\.match\.ipv4Cidrs` is "10\.0\.0\.0\/33": .*CIDR/),
    expect.stringMatching(/^stack\/acl: `rule\.notMatch` is empty: .*geoCountryCodes/),
    expect.stringMatching(/^stack\/acl: `rule\.action\.redirectUri` is missing/),
    expect.stringMatching(/^stack\/policy: `configuration\.limit` is missing/),
    expect.stringMatching(/^stack\/set: `organizationId` is ""/),
    expect.stringMatching(/^stack\/set: `members` is ""/),
  ]);
  expect(() => project.app.synth()).toThrow(/\[stack\/acl\].*\[stack\/policy\].*\[stack\/set\]/s);
});

test("a value keeps its letters where it looks like an attribute", () => {
  new RateLimitPolicy(project.stack, "policy", {
    consumerSelector: "default",
    configuration: { action: "redirect_uri", limit: 1 },
  });
  expect(project.complaints()).toEqual([expect.stringContaining('`configuration.action` is "redirect_uri"')]);
});

describe("what is not known yet", () => {
  const attempts: Record<string, (stack: TerraformStack, variable: TerraformVariable) => NetworkAclConfig> = {
    "whole values": (_stack, { stringValue, numberValue, booleanValue }) => ({
      description: stringValue,
      priority: numberValue,
      active: booleanValue,
      rule: { ...rule, scope: stringValue },
    }),
    "objects and lists": (_stack, variable) => ({
      description: "",
      rule: {
        action: Token.asAny(variable.value) as never,
        match: { ipv4Cidrs: variable.listValue, asns: Token.asNumberList(variable.value) },
        notMatch: Fn.lookup(variable.value, "not_match") as never,
        scope: "tenant",
      },
    }),
    "elements of lists": (_stack, { stringValue, numberValue }) => ({
      description: "",
      rule: {
        action: { redirect: true, redirectUri: stringValue },
        match: { ipv4Cidrs: ["10.0.0.0/8", stringValue], asns: [numberValue] },
        scope: "tenant",
      },
    }),
    "parts of texts": (_stack, { stringValue }) => ({
      description: "",
      rule: { ...rule, match: { ipv4Cidrs: [`${stringValue}/24`], hostnames: [`login.${stringValue}`] } },
    }),
    "templates by hand": () => ({
      description: "${var.anything}",
      rule: { ...rule, match: { ipv6Cidrs: ["%{ if var.wide }::/0%{ else }::1%{ endif }"] } },
    }),
    "elements of a loop": () => {
      const blocks = TerraformIterator.fromList(["10.0.0.0/8"]);
      return { description: "", forEach: blocks, rule: { ...rule, match: { ipv4Cidrs: [blocks.value] } } };
    },
    "nested objects made by a loop": (_stack, variable) => ({
      description: "",
      rule: {
        ...rule,
        match: {
          httpMessageSignature: {
            keys: TerraformIterator.fromList(variable.listValue).dynamic({ id: "each.value" }) as never,
          },
        },
      },
    }),
  };

  test.each(Object.entries(attempts))("is passed over: %s", (_name, attempt) => {
    const { stack } = project;
    new NetworkAcl(stack, "acl", attempt(stack, new TerraformVariable(stack, "anything", { default: "" })));
    expect(project.complaints()).toEqual([]);
  });

  test("does not hide what is wrong beside it", () => {
    const { listValue, numberValue, stringValue } = new TerraformVariable(project.stack, "anything", {});
    new NetworkAcl(project.stack, "acl", {
      description: stringValue,
      priority: numberValue,
      rule: { action: { block: true }, match: { asns: [-1, numberValue], userAgents: listValue }, scope: "tenant" },
    });
    expect(project.complaints()).toEqual([expect.stringContaining("`rule.match.asns` is -1")]);
  });
});

test("a lazy value, a setter and an override are judged as they end up in the file", () => {
  const { stack } = project;
  new NetworkAcl(stack, "lazy", {
    description: Lazy.stringValue({ produce: () => "y".repeat(256) }),
    priority: 1,
    rule,
  });
  const set = new NetworkAcl(stack, "set", { description: "", priority: 2, rule });
  set.priority = 101;
  const put = new NetworkAcl(stack, "put", { description: "", priority: 3, rule });
  put.putRule({ ...rule, match: { hostnames: ["https://example.com"] } });
  const overridden = new NetworkAcl(stack, "overridden", { description: "", priority: 4, rule });
  overridden.addOverride("rule.match.asns", [-1]);
  const mended = new NetworkAcl(stack, "mended", { description: "", priority: 0, rule });
  mended.addOverride("priority", 5);
  expect(project.complaints()).toEqual([
    expect.stringMatching(/^stack\/lazy: `description`/),
    expect.stringMatching(/^stack\/set: `priority` is 101/),
    expect.stringMatching(/^stack\/put: `rule\.match\.hostnames` is "https:\/\/example\.com"/),
    expect.stringMatching(/^stack\/overridden: `rule\.match\.asns` is -1/),
  ]);
});

test("null is absent, and Terraform's escapes are read as it reads them", () => {
  new NetworkAcl(project.stack, "acl", {
    description: "$${not} a %%{template}",
    priority: null as never,
    rule: { ...rule, notMatch: Token.nullValue() as never },
  });
  expect(project.complaints()).toEqual([]);
});

test("what the generated class would silently drop is an error", () => {
  const misspelt = { ipv4Cidr: ["10.0.0.0/8"], asns: [64496], httpMessageSignature: { keys: [{ id: "a", use: "b" }] } };
  const config = { description: "", rule: { ...rule, match: misspelt }, created_at: "now", lifecycle: {} };
  new NetworkAcl(project.stack, "acl", config);
  expect(project.complaints()).toEqual([
    expect.stringMatching(/^stack\/acl: `rule\.match\.ipv4Cidr` is unknown: there are .*ipv4Cidrs/),
    expect.stringMatching(/^stack\/acl: `rule\.match\.httpMessageSignature\.keys\.use` is unknown: there are id\./),
    expect.stringMatching(/^stack\/acl: `created_at` is unknown/),
  ]);
});

test("what may be right is a warning, said once, and passes", () => {
  new NetworkAcl(project.stack, "acl", { description: "", rule: { ...rule, scope: "galaxy" } });
  project.app.synth();
  const warning = expect.stringMatching(/^stack\/acl: `rule\.scope` is "galaxy"/);
  expect(project.warnings()).toEqual([warning]);
  project.complaints();
  expect(project.warnings()).toEqual([warning]);
});

test("a secret in the open is a warning that does not repeat it, a variable is none", () => {
  const { stack } = project;
  new TenantProvider(stack, "open", { alias: "open", clientId: "id", clientSecret: "hush" });
  const variable = new TerraformVariable(stack, "secret", { sensitive: true });
  new TenantProvider(stack, "closed", { alias: "closed", clientSecret: variable.stringValue });
  expect(project.complaints()).toEqual([]);
  expect(project.warnings()).toEqual([
    expect.stringMatching(/^stack\/open: `clientSecret` is secret.*TENANT_CLIENT_SECRET/),
  ]);
  expect(project.warnings().join()).not.toContain("hush");
});

test("the provider block is checked like everything else", () => {
  const protectedRequests = [{ ip: "192.0.2.1" }, { ip: "nowhere", ips: [] }];
  new TenantProvider(project.stack, "other", { alias: "other", domain: "", accessToken: "", protectedRequests });
  expect(project.complaints()).toEqual([
    expect.stringContaining("`domain` is"),
    expect.stringContaining("`accessToken` is (sensitive)"),
    expect.stringContaining("`protectedRequests[1].ip` is"),
    expect.stringContaining("`protectedRequests[1].ips` is unknown"),
  ]);
});
