/** Checks that synth reports every error with the names of the constructs, and skips unknown values. */
import { Fn, Lazy, TerraformIterator, TerraformStack, TerraformVariable, Token } from "cdktf";
import {
  DataTenantNetworkAclKey,
  DataTenantNetworkAcls,
  DataTenantOrganizationMembers,
  DataTenantRateLimitPolicies,
  NetworkAcl,
  OrganizationMemberSet,
  RateLimitPolicy,
  TenantProvider,
  type NetworkAclConfig,
  type NetworkAclRule,
  type TenantProviderConfig,
} from "../../src/constructs";
import { openProject, type Project } from "./support/project";

let project: Project;
beforeEach(() => (project = openProject()));

const rule: NetworkAclRule = { action: { block: true }, match: { asns: [64496] }, scope: "authentication" };

test("reports all errors together, with path, attribute and value", () => {
  const { stack } = project;
  new NetworkAcl(stack, "acl", {
    description: "x".repeat(256),
    priority: 0,
    rule: { action: { redirect: true }, match: { ipv4Cidrs: ["10.0.0.0/33"] }, scope: "tenant" },
  });
  new RateLimitPolicy(stack, "policy", { consumerSelector: "default", configuration: { action: "block" } });
  new OrganizationMemberSet(stack, "set", { organizationId: "", members: [""] });
  const complaints = project.complaints();
  expect(complaints).toEqual([
    expect.stringMatching(/^stack\/acl: `description` is "xxx.*255 characters/),
    expect.stringMatching(/^stack\/acl: `priority` is 0: .*1 to 100/),
    expect.stringMatching(/^stack\/acl: `rule\.match\.ipv4Cidrs` is "10\.0\.0\.0\/33": .*CIDR/),
    expect.stringMatching(/^stack\/acl: `rule\.action\.redirectUri` is missing/),
    expect.stringMatching(/^stack\/policy: `configuration\.limit` is missing/),
    expect.stringMatching(/^stack\/set: `organizationId` is ""/),
    expect.stringMatching(/^stack\/set: `members` is ""/),
  ]);
  expect(() => project.app.synth()).toThrow(/\[stack\/acl\].*\[stack\/policy\].*\[stack\/set\]/s);
});

test("accepts unknown members in each of the two forms", () => {
  const { value, stringValue, listValue } = new TerraformVariable(project.stack, "id", {});
  const forms = [
    { members: listValue },
    { membersWithNotes: { "auth0|a": "Ada", [stringValue]: "B" } },
    { membersWithNotes: Token.asStringMap(value) },
  ];
  forms.forEach((form, index) => {
    new OrganizationMemberSet(project.stack, `set${index}`, { organizationId: `org_${index}`, ...form });
  });
  expect(project.complaints()).toEqual([]);
});

test("keeps the spelling of a value that looks like an attribute name", () => {
  new RateLimitPolicy(project.stack, "policy", {
    consumerSelector: "default",
    configuration: { action: "redirect_uri", limit: 1 },
  });
  expect(project.complaints()).toEqual([expect.stringContaining('`configuration.action` is "redirect_uri"')]);
});

describe("an unknown value", () => {
  const attempts: Record<string, (stack: TerraformStack, variable: TerraformVariable) => NetworkAclConfig> = {
    "whole values": (_stack, { stringValue, numberValue, booleanValue }) => ({
      description: stringValue,
      priority: numberValue,
      active: booleanValue,
      rule: { ...rule, scope: stringValue },
    }),
    lists: (_stack, variable) => ({
      description: "",
      rule: {
        action: { block: true },
        match: { ipv4Cidrs: variable.listValue, asns: Token.asNumberList(variable.value) },
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

  test.each(Object.entries(attempts))("is not checked: %s", (_name, attempt) => {
    const { stack } = project;
    new NetworkAcl(stack, "acl", attempt(stack, new TerraformVariable(stack, "anything", { default: "" })));
    expect(project.complaints()).toEqual([]);
  });

  test("does not hide an error next to it", () => {
    const { listValue, numberValue, stringValue } = new TerraformVariable(project.stack, "anything", {});
    new NetworkAcl(project.stack, "acl", {
      description: stringValue,
      priority: numberValue,
      rule: { action: { block: true }, match: { asns: [-1, numberValue], userAgents: listValue }, scope: "tenant" },
    });
    expect(project.complaints()).toEqual([expect.stringContaining("`rule.match.asns` is -1")]);
  });
});

test("checks lazy values, setters and overrides with their final values", () => {
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

test.each([
  ["rule.dynamic.match", { match: undefined }],
  ["rule.dynamic.not_match", {}],
  ["dynamic.rule", {}],
])("takes %s by override as blocks that nobody knows", (at, more) => {
  const made = new NetworkAcl(project.stack, "acl", { description: "", priority: 4, rule: { ...rule, ...more } });
  if (at === "dynamic.rule") made.addOverride("rule", undefined);
  made.addOverride(at, { for_each: "${var.all}", content: { asns: "${match.value}" } });
  expect([project.complaints(), project.warnings()]).toEqual([[], []]);
});

test("counts null as absent, and reads escapes as Terraform does", () => {
  new NetworkAcl(project.stack, "acl", {
    description: "$${not} a %%{template}",
    priority: null as never,
    rule: { ...rule, notMatch: Token.nullValue() as never },
  });
  expect(project.complaints()).toEqual([]);
});

describe("warnings on standard error", () => {
  const ofCli = "CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS";
  let printed: string[];
  beforeEach(() => {
    printed = [];
    jest.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
    new TenantProvider(project.stack, "other", { alias: "other", clientSecret: "hush-4711" });
  });
  afterEach(() => {
    delete process.env[ofCli];
    jest.restoreAllMocks();
  });

  test("appear once if a program synthesizes alone, as in `npx tsx main.ts`", () => {
    project.app.synth();
    expect(printed).toEqual([
      expect.stringMatching(
        /^Warning: \[stack\/other\] \(test\/constructs\/validation\.test\.ts:\d+\) `clientSecret` is secret, and will appear /,
      ),
    ]);
    expect(printed.join("")).not.toContain("hush");
  });

  test("do not appear under cdktf-cli, which prints the annotations itself", () => {
    process.env[ofCli] = "true";
    project.app.synth();
    expect([printed, project.warnings()]).toEqual([[], [expect.stringContaining("`clientSecret` is secret")]]);
  });
});

test("warns once about a value that may be right", () => {
  new NetworkAcl(project.stack, "acl", { description: "", rule: { ...rule, scope: "galaxy" } });
  project.app.synth();
  const warning = expect.stringMatching(/^stack\/acl: This version does not know the `rule\.scope` "galaxy"/);
  expect(project.warnings()).toEqual([warning]);
  project.complaints();
  expect(project.warnings()).toEqual([warning]);
});

test.each<[string, (stack: TerraformStack) => unknown, RegExp[]]>([
  [
    "a misspelt attribute",
    (stack) => new DataTenantOrganizationMembers(stack, "data", { organisationId: "org_1" } as never),
    [/`organizationId` is missing/, /`organisationId` is unknown\. .*; `organizationId` is probably meant/],
  ],
  ["a key without id and name", (stack) => new DataTenantNetworkAclKey(stack, "data"), [/Neither `id` nor `name`/]],
  ["a wrong type", (stack) => new DataTenantRateLimitPolicies(stack, "data", { resource: 5 } as never), [/` is 5/]],
  ["nothing where all is known", (stack) => new DataTenantNetworkAcls(stack, "data", { dependsOn: [] }), []],
  [
    "nothing where a value is not known",
    (stack) =>
      new DataTenantOrganizationMembers(stack, "data", {
        organizationId: new TerraformVariable(stack, "id", {}).stringValue,
      }),
    [],
  ],
])("refuses %s in a data source, with the line of the program", (_, make, complaints) => {
  make(project.stack);
  expect(project.complaints()).toEqual(complaints.map((one) => expect.stringMatching(one) as string));
  const at = /\(test\/constructs\/validation\.test\.ts:\d+\)/;
  if (complaints.length > 0) expect(() => project.app.synth()).toThrow(at);
});

describe("a secret in the configuration", () => {
  const secret = (config: (stack: TerraformStack) => TenantProviderConfig) =>
    new TenantProvider(project.stack, "other", { alias: "other", ...config(project.stack) });
  const hush = "hush-4711";
  const variable = (stack: TerraformStack) => new TerraformVariable(stack, "input", { sensitive: true });

  const open: Record<string, (stack: TerraformStack) => TenantProviderConfig> = {
    literal: () => ({ clientSecret: hush }),
    "lazy value": () => ({ clientSecret: Lazy.stringValue({ produce: () => hush }) }),
    "private key": () => ({ clientAssertionPrivateKey: `-----BEGIN PRIVATE KEY-----\n${hush}` }),
  };
  test.each(Object.entries(open))("causes a warning without the secret: %s", (_name, config) => {
    secret(config);
    expect(project.complaints()).toEqual([]);
    expect(project.warnings()).toEqual([
      expect.stringMatching(/^stack\/other: `\w+` .*will appear as plain text in the synthesized stack: leave it out/),
    ]);
    expect(project.warnings().join()).not.toMatch(/hush|4711|aHVz/);
  });

  const closed: Record<string, (stack: TerraformStack) => TenantProviderConfig> = {
    variable: (stack) => ({ clientSecret: variable(stack).stringValue }),
    file: () => ({ clientAssertionPrivateKey: Fn.file("key.pem") }),
    "path and URL": () => ({
      clientAssertionPrivateKeyFile: "/run/secrets/key@2.pem",
      endpoint: "https://a.example.com/x@y",
    }),
  };
  test.each(Object.entries(closed))("causes no warning if it is not plain text: %s", (_name, config) => {
    secret(config);
    expect(project.complaints()).toEqual([]);
    expect(project.warnings()).toEqual([]);
  });
});

test("checks the provider block too", () => {
  const protectedRequest = [{ ip: "192.0.2.1" }, { ip: "nowhere", ips: [] }];
  new TenantProvider(project.stack, "other", { alias: "other", domain: "", accessToken: "", protectedRequest });
  expect(project.complaints()).toEqual([
    expect.stringContaining("`domain` is"),
    expect.stringContaining("`accessToken` is (sensitive)"),
    expect.stringContaining("`protectedRequest[1].ip` is"),
    expect.stringContaining("`protectedRequest[1].ips` is unknown"),
  ]);
});

const acl = (stack: TerraformStack, own = rule) =>
  new NetworkAcl(stack, "a", { description: "", priority: 1, rule: own });

test.each<[string, (stack: TerraformStack) => unknown, RegExp]>([
  [
    "a domain that is not allowed",
    (stack) => new TenantProvider(stack, "p", { alias: "p", domain: "acme.example", allowedDomains: ["b.example"] }),
    /^stack\/p: The tenant is "acme\.example", but `allowedDomains` has only/,
  ],
  [
    "an override of an unknown attribute",
    (stack) => acl(stack).addOverride("prioritie", 5),
    /^stack\/a: `prioritie` is unknown\. .*; `priority` is probably meant\.$/,
  ],
  [
    "an override of an unknown part",
    (stack) => acl(stack).addOverride("rule.match.asn", [1]),
    /^stack\/a: `rule\.match\.asn` is unknown\. .*; `rule\.match\.asns` is probably meant\.$/,
  ],
  [
    "an unknown name in putRule",
    (stack) => acl(stack).putRule({ ...rule, action: { blok: true } as never }),
    /^stack\/a: `rule\.action` is missing/,
  ],
  [
    "signals of another name, without a word of ACLs that match everything",
    (stack) => acl(stack, { ...rule, match: { ips: ["192.0.2.1"] } as never }),
    /^stack\/a: `rule\.match\.ips` is unknown/,
  ],
])("refuses %s, as the provider or Terraform would", (_, make, complaint) => {
  make(project.stack);
  expect([project.complaints(), project.warnings()]).toEqual([[expect.stringMatching(complaint)], []]);
});

test("names the line of the program in errors, conflicts and warnings", () => {
  const { stack, app } = project;
  for (const id of ["a", "b"])
    new NetworkAcl(stack, id, { description: "", priority: 7, rule: { ...rule, scope: "x" } });
  const at = /\(test\/constructs\/validation\.test\.ts:\d+\)/.source;
  new NetworkAcl(stack, "c", { description: "", priority: 0, rule });
  expect(() => app.synth()).toThrow(new RegExp(`\\[stack/c\\] ${at} .priority. is 0`));
  expect(() => app.synth()).toThrow(new RegExp(`is 7 for stack/a ${at} and for stack/b ${at},`));
  expect(stack.node.findChild("a").node.metadata.map(({ data }) => String(data))).toContainEqual(
    expect.stringMatching(new RegExp(`^${at} This version does not know`)),
  );
});
