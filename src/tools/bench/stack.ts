/** The stacks to measure: many small resources, and sets of many members. */
import type { Seed } from "../../emulator/emulator";
import { addingMembersOf, makingOf, readingMembersOf, readingOf, type Work } from "./limit";

/** By type and name, as Terraform's JSON. */
export type Blocks = Record<string, Record<string, object>>;

export interface Stack {
  /** "100 resources" or "100 members". */
  title: string;
  resources: Blocks;
  /** The same values for terraform_data, which needs no provider and no tenant. */
  bare: Blocks;
  /** The tenant before the stack is applied. */
  seed: Seed;
  /** A tenant with the objects to import; if absent, the stack is applied instead. */
  made?: { seed: Seed; address: string; id: string };
  /** Seconds that Terraform takes to compare the applied values with the planned ones. */
  checking: number;
  /** The least work of a plan without changes. */
  plan: Work;
  /** The least work of an apply. */
  apply: Work;
}

const fill = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
const bareOf = (inputs: readonly unknown[]): Blocks => ({
  terraform_data: named(
    "bare",
    inputs.map((input) => ({ input })),
  ),
});
const named = (prefix: string, blocks: readonly object[]) =>
  Object.fromEntries(blocks.map((block, index) => [`${prefix}${index + 1}`, block]));

/** A tenth are network ACLs, at most 100, because a tenant has 100 priorities. The rest are rate limit policies. */
export function objectsOf(count: number) {
  const acls = Math.min(100, Math.ceil(count / 10));
  return {
    networkAcls: fill(acls, (index) => ({
      description: `Benchmark ${index + 1}`,
      active: true,
      priority: index + 1,
      rule: {
        action: index % 2 === 0 ? { block: true as const } : { log: true as const },
        match: { ipv4_cidrs: [`198.51.100.${index}/32`, "203.0.113.0/24"], geo_country_codes: ["AQ"] },
        scope: "authentication",
      },
    })),
    rateLimitPolicies: fill(count - acls, (index) => ({
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: `client_id:benchmark${index + 1}`,
      configuration: { action: "block", limit: index + 1 },
    })),
  };
}

export function stackOf(count: number): Stack {
  const { networkAcls, rateLimitPolicies } = objectsOf(count);
  return {
    title: `${count} resources`,
    resources: {
      tenant_network_acl: named("acl", networkAcls),
      tenant_rate_limit_policy: named("policy", rateLimitPolicies),
    },
    bare: bareOf([...networkAcls, ...rateLimitPolicies]),
    seed: {},
    checking: 0,
    plan: readingOf(networkAcls.length, rateLimitPolicies.length),
    apply: makingOf(count),
  };
}

const organization = "org_benchmark0000001";

/** Terraform compares each planned element of a set with each applied one: measured seconds for a pair. */
const pair = 2e-6;

export const userIds = (count: number) => fill(count, (index) => `auth0|${index.toString(16).padStart(24, "0")}`);

export function memberSetOf(count: number): Stack {
  const members = userIds(count);
  const seed = (present: string[]) => ({ organizations: [{ id: organization, name: "benchmark", members: present }] });
  return {
    title: `${count} members`,
    resources: { tenant_organization_member_set: { set: { organization_id: organization, members } } },
    // One text, because a list without a schema costs Terraform more than a set with one.
    bare: bareOf([members.join(" ")]),
    seed: seed([]),
    made: { seed: seed(members), address: "tenant_organization_member_set.set", id: organization },
    checking: count ** 2 * pair,
    plan: readingMembersOf(count),
    apply: addingMembersOf(count),
  };
}
