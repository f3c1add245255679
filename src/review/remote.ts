/** What is on the tenant, whoever made it: told by data sources of the plans, or by the tenant itself. */
import type { Values } from "../impact/model";
import { readData } from "./objects";
import type { Plan } from "./plan";

export const families = ["network_acls", "rate_limit_policies", "organization_members"] as const;

export type Family = (typeof families)[number];

/** Each is left out where it is not known. */
export interface Living {
  /** Why it is perhaps another tenant's, in a sentence. */
  readonly doubt?: string;
  readonly network_acls?: readonly Values[];
  readonly rate_limit_policies?: readonly Values[];
  /** Organization -> user ids; organizations that no plan is about are left out. */
  readonly organization_members?: ReadonlyMap<string, readonly string[]>;
}

/** `asked`, of the tenant itself, goes before what data sources read. */
export function livingOf(plans: readonly Plan[], asked: Living = {}): Living {
  const lists = (type: string, property: string) => {
    const found = plans.flatMap((plan) => readData(plan, type)).filter(isWhole);
    return found.length === 0 ? undefined : found.flatMap((values) => (values[property] ?? []) as Values[]);
  };
  const members = plans.flatMap((plan) => readData(plan, "tenant_organization_members"));
  const known = new Map(members.map((one) => [String(one["organization_id"]), (one["members"] ?? []) as string[]]));
  const acls = asked.network_acls ?? lists("tenant_network_acls", "network_acls");
  const policies = asked.rate_limit_policies ?? lists("tenant_rate_limit_policies", "rate_limit_policies");
  return {
    ...(acls && { network_acls: acls }),
    ...(policies && { rate_limit_policies: policies }),
    ...(asked.organization_members
      ? { organization_members: asked.organization_members }
      : known.size > 0 && { organization_members: known }),
  };
}

/** Without a filter: what was read is all that there is. */
function isWhole({ resource, consumer, consumer_selector: selector }: Values): boolean {
  return [resource, consumer, selector].every((filter) => filter === undefined || filter === null);
}
