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

const rule = { action: { block: true }, match: { asns: [64496] }, scope: "authentication" };
const acl = (scope: Construct, id: string, extra: Extra = {}) =>
  new NetworkAcl(scope, id, { description: id, rule, ...extra });
const provider = (scope: Construct, id: string, domain?: string) =>
  new TenantProvider(scope, id, { alias: id, ...(domain && { domain }) });

test("refuses ACLs with the same priority from two copies of this package", () => {
  const { stack } = project;
  jest.resetModules();
  jest.doMock("cdktf", () => cdktf);
  const other = jest.requireActual<typeof constructs>("../../src/constructs");
  expect(other.NetworkAcl).not.toBe(NetworkAcl);
  acl(stack, "a", { priority: 10 });
  new other.NetworkAcl(stack, "b", { description: "b", priority: 10, rule });
  expect(project.complaints()).toEqual([
    expect.stringMatching(/^stack: `priority` is 10 for stack\/a and for stack\/b, /),
  ]);
  new other.TenantProvider(stack, "second");
  expect(project.complaints()).toContainEqual(expect.stringContaining("stack/tenant and stack/second both have no"));
});

const rows: Record<string, readonly [make: (stack: TerraformStack) => void, ...complaints: RegExp[]]> = {
  "the same priority, including the default, anywhere in the tree": [
    (stack) => {
      const group = new Construct(stack, "group");
      for (const [id, scope, priority] of [
        ["a", stack, 10],
        ["b", stack, 11],
        ["c", group, 10],
        ["d", group, undefined],
        ["e", stack, 50],
        ["f", stack, 10],
      ] as const)
        acl(scope, id, priority === undefined ? {} : { priority });
    },
    /^stack: `priority` is 10 for stack\/group\/c and for stack\/a and for stack\/f, .* \[TNF-ACL-SAME-PRIORITY\]$/,
    /^stack: `priority` is 50 for stack\/group\/d and for stack\/e, /,
  ],
  "the same id to import, if it is known": [
    (stack) => {
      const known = new TerraformVariable(stack, "known", { type: "string" }).stringValue;
      const [one, other] = ["acl_4uZ2xYq8mJ2rTqZsWv5nYx", "acl_8eXtA6txdN6i8fLs6z5YUK"];
      for (const [index, id] of [one, one, other, known, known].entries())
        acl(stack, `a${index}`, { priority: index + 1 }).importFrom(id!);
    },
    /^stack: stack\/a0 and stack\/a1 manage the same network ACL acl_4u\w+: .* \[TNF-DUPLICATE\]$/,
  ],
  "policies for the same resource, consumer and selector": [
    (stack) => {
      for (const [index, more] of [{}, { resource: "oauth_authentication_api" }, { resource: "x" }].entries())
        new RateLimitPolicy(stack, `p${index}`, {
          consumerSelector: "default",
          configuration: { action: "allow" },
          ...more,
        });
    },
    /^stack: `consumerSelector` is "default" for stack\/p0 and for stack\/p1, .* \[TNF-POLICY-SAME-CALLERS\]$/,
  ],
  "two member sets of one organization": [
    (stack) => {
      for (const [index, organizationId] of ["org_1", "org_2", "org_1"].entries())
        new OrganizationMemberSet(stack, `s${index}`, { organizationId, members: [] });
    },
    /^stack: stack\/s0 and stack\/s2 manage the same organization org_1: .* \[TNF-DUPLICATE\]$/,
  ],
  "values after setters, overrides and removals": [
    (stack) => {
      acl(stack, "a", { priority: 1 });
      acl(stack, "b", { priority: 2 }).priority = 1;
      acl(stack, "c", { priority: 3 }).addOverride("priority", 1);
      acl(stack, "d", { priority: 1 }).addOverride("priority", 4);
      acl(stack, "e", { priority: 1 });
      stack.node.tryRemoveChild("e");
    },
    /`priority` is 1 for stack\/a and for stack\/b and for stack\/c, /,
  ],
  "two aliases that name the same tenant": [
    (stack) => {
      for (const [id, domain] of [
        ["a", "acme.example"],
        ["b", "ACME.example"],
        ["c", "other.example"],
      ] as const)
        acl(stack, id, { provider: provider(stack, `of-${id}`, domain) });
    },
    /^stack: `priority` is 50 for stack\/a and for stack\/b, /,
  ],
  "no unknown values, other tenants and other stacks": [
    (stack) => {
      const { numberValue } = new TerraformVariable(stack, "number", {});
      acl(stack, "unknown", { priority: numberValue });
      acl(stack, "unknown-too", { priority: numberValue });
      acl(stack, "here");
      acl(stack, "on-some-days", { count: TerraformCount.of(numberValue) });
      acl(stack, "on-others", { count: 0 });
      acl(stack, "for-each", { forEach: TerraformIterator.fromList(["a"]) });
      acl(stack, "elsewhere", { provider: provider(stack, "second") });
      const other = new TerraformStack(project.app, "other");
      new TenantProvider(other, "tenant");
      acl(other, "there");
    },
  ],
};

test.each(Object.entries(rows))("refuses %s", (_what, [make, ...complaints]) => {
  make(project.stack);
  expect(project.complaints()).toEqual(complaints.map((one) => expect.stringMatching(one) as string));
});
