/** Synth refuses two resources of one stack that claim what a tenant has only once. */
import * as cdktf from "cdktf";
import { TerraformCount, TerraformIterator, TerraformStack, TerraformVariable } from "cdktf";
import { Construct } from "constructs";
import type * as constructs from "../../src/constructs";
import { NetworkAcl, OrganizationMemberSet, RateLimitPolicy, TenantProvider } from "../../src/constructs";
import { openProject, type Project } from "./support/project";

let project: Project;
beforeEach(() => (project = openProject()));
afterEach(() => project.close());

type Extra = Partial<ConstructorParameters<typeof NetworkAcl>[2]>;

function acl(scope: Construct, id: string, extra: Extra = {}): NetworkAcl {
  const rule = { action: { block: true }, match: { asns: [64496] }, scope: "authentication" };
  return new NetworkAcl(scope, id, { description: id, rule, ...extra });
}

function policy(id: string, consumerSelector: string, extra: { resource?: string } = {}): void {
  new RateLimitPolicy(project.stack, id, { consumerSelector, configuration: { action: "allow" }, ...extra });
}

function members(id: string, organizationId: string): void {
  new OrganizationMemberSet(project.stack, id, { organizationId, members: [] });
}

test("refuses ACLs with the same priority from two copies of this package", () => {
  const { stack } = project;
  jest.resetModules();
  jest.doMock("cdktf", () => cdktf);
  const other = jest.requireActual<typeof constructs>("../../src/constructs");
  expect(other.NetworkAcl).not.toBe(NetworkAcl);
  acl(stack, "a", { priority: 10 });
  const rule = { action: { block: true }, match: { asns: [64496] }, scope: "authentication" };
  new other.NetworkAcl(stack, "b", { description: "b", priority: 10, rule });
  expect(project.complaints()).toEqual([
    expect.stringMatching(/^stack: 2 network ACLs of this stack have the same priority 10: stack\/a, stack\/b\./),
  ]);
  new other.TenantProvider(stack, "second");
  expect(project.complaints()).toContainEqual(expect.stringContaining("stack/tenant and stack/second both have no"));
});

test("refuses ACLs with the same priority, including the default, anywhere in the tree", () => {
  const { stack } = project;
  acl(stack, "a", { priority: 10 });
  acl(stack, "b", { priority: 11 });
  const group = new Construct(stack, "group");
  acl(group, "c", { priority: 10 });
  acl(group, "d");
  acl(stack, "e", { priority: 50 });
  acl(stack, "f", { priority: 10 });
  expect(project.complaints()).toEqual([
    expect.stringMatching(
      /^stack: 3 network ACLs of this stack have the same priority 10: stack\/a, stack\/group\/c, stack\/f\./,
    ),
    expect.stringMatching(/^stack: 2 network ACLs .* priority 50: stack\/group\/d, stack\/e\./),
  ]);
});

test("refuses two ACLs that import the same id", () => {
  const { stack } = project;
  const id = "acl_4uZ2xYq8mJ2rTqZsWv5nYx";
  acl(stack, "a", { priority: 10 }).importFrom(id);
  acl(new Construct(stack, "group"), "b", { priority: 11 }).importFrom(id);
  acl(stack, "c", { priority: 12 }).importFrom("acl_8eXtA6txdN6i8fLs6z5YUK");
  const known = new TerraformVariable(stack, "known", { type: "string" });
  for (const priority of [13, 14]) acl(stack, `d${priority}`, { priority }).importFrom(known.stringValue);
  expect(project.complaints()).toEqual([
    `stack: 2 network ACLs of this stack have the same id to import, "${id}": stack/a, stack/group/b. Each apply of one ` +
      "resource would undo the other. Import the object once. [TNF-DUPLICATE]",
  ]);
});

test("refuses policies for the same resource, consumer and selector", () => {
  policy("a", "default");
  policy("b", "default", { resource: "oauth_authentication_api" });
  policy("c", "default", { resource: "another_api" });
  policy("d", "cimd_clients");
  expect(project.complaints()).toEqual([
    expect.stringMatching(/^stack: 2 rate limit policies .*: stack\/a, stack\/b\./),
  ]);
});

test("refuses two member sets of one organization", () => {
  members("a", "org_1");
  members("b", "org_2");
  members("c", "org_1");
  expect(project.complaints()).toEqual([
    expect.stringMatching(
      /^stack: 2 member sets of this stack have the same organizationId "org_1": stack\/a, stack\/c\./,
    ),
  ]);
});

test("compares the values after setters, overrides and removals", () => {
  const { stack } = project;
  acl(stack, "a", { priority: 1 });
  acl(stack, "b", { priority: 2 }).priority = 1;
  acl(stack, "c", { priority: 3 }).addOverride("priority", 1);
  acl(stack, "d", { priority: 1 }).addOverride("priority", 4);
  acl(stack, "e", { priority: 1 });
  stack.node.tryRemoveChild("e");
  expect(project.complaints()).toEqual([expect.stringMatching(/priority 1: stack\/a, stack\/b, stack\/c\./)]);
});

test("compares resources of two aliases that name the same tenant", () => {
  const { stack } = project;
  const provider = (id: string, domain: string) => new TenantProvider(stack, id, { alias: id, domain });
  acl(stack, "a", { provider: provider("one", "acme.example") });
  acl(stack, "b", { provider: provider("two", "ACME.example") });
  acl(stack, "c", { provider: provider("three", "other.example") });
  expect(project.complaints()).toEqual([expect.stringMatching(/^stack: 2 network ACLs .*: stack\/a, stack\/b\./)]);
});

test("accepts unknown values, other tenants and other stacks", () => {
  const { app, stack } = project;
  const { numberValue } = new TerraformVariable(stack, "number", {});
  acl(stack, "unknown", { priority: numberValue });
  acl(stack, "unknown-too", { priority: numberValue });
  acl(stack, "here");
  acl(stack, "on-some-days", { count: TerraformCount.of(numberValue) });
  acl(stack, "on-others", { count: 0 });
  acl(stack, "for-each", { forEach: TerraformIterator.fromList(["a"]) });
  acl(stack, "elsewhere", { provider: new TenantProvider(stack, "second", { alias: "second" }) });
  const other = new TerraformStack(app, "other");
  new TenantProvider(other, "tenant");
  acl(other, "there");
  expect(project.complaints()).toEqual([]);
});
