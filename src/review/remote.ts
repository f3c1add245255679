/** Reads remote state from the data sources of plans, or takes what the tenant itself returned. */
import { andWords } from "../impact/phrases";
import type { Remote, Values } from "../impact/model";
import { readData } from "./objects";
import type { Plan } from "./input/plan";
import type { RemoteName } from "./site";

export const families = ["network_acls", "rate_limit_policies", "organization_members"] as const;

export type Family = (typeof families)[number];

/** A family that the tenant does not offer. */
export interface Refusal {
  readonly family: Family;
  readonly reason: string;
}

export interface RemoteState extends Remote {
  /** Families that were not read, because the plans cannot affect them. */
  readonly unaffected?: readonly Family[];
  readonly refused?: readonly Refusal[];
  /** Left out: data sources read the state. */
  readonly from?: RemoteName;
  /** Why it may be the state of another tenant, in a sentence. */
  readonly uncertainty?: string;
}

/** `asked`: lists that the tenant itself returned. They replace lists that data sources read. */
export function remoteIn(plans: readonly Plan[], asked: RemoteState = {}): RemoteState {
  const lists = (type: string, property: string) => {
    const found = plans.flatMap((plan) => readData(plan, type)).filter(isWhole);
    return found.length === 0 ? undefined : found.flatMap((values) => (values[property] ?? []) as Values[]);
  };
  const members = plans.flatMap((plan) => readData(plan, "tenant_organization_members"));
  const known = new Map(members.map((one) => [String(one["organization_id"]), (one["members"] ?? []) as string[]]));
  const acls = asked.network_acls ?? lists("tenant_network_acls", "network_acls");
  const policies = asked.rate_limit_policies ?? lists("tenant_rate_limit_policies", "rate_limit_policies");
  const organizations = asked.organization_members ?? (known.size > 0 ? known : undefined);
  return {
    ...(acls && { network_acls: acls }),
    ...(policies && { rate_limit_policies: policies }),
    ...(organizations && { organization_members: organizations }),
    ...(asked.people && { people: asked.people }),
    ...(asked.organization_names && { organization_names: asked.organization_names }),
  };
}

/** Whether the data source had no filter, so it read all objects. */
function isWhole({ resource, consumer, consumer_selector: selector }: Values): boolean {
  return [resource, consumer, selector].every((filter) => filter === undefined || filter === null);
}

const names: Record<Family, string> = {
  network_acls: "network ACLs",
  rate_limit_policies: "rate limit policies",
  organization_members: "members of organizations",
};

export function refusedWords({ family, reason }: Refusal): string {
  return (
    `--tenant: the tenant refuses to list its ${names[family]} (${reason.replace(/\.$/, "")}), so the review left them out, and nothing is ` +
    "proven. If the tenant does not have this feature, an apply cannot change them either."
  );
}

/** Which unmanaged objects a review could not see, in two sentences. */
export function blindWords(unseen: readonly Family[]): string {
  const shown = andWords(unseen.map((family) => names[family]));
  const sources = andWords(unseen.map((family) => `data.tenant_${family}`));
  return (
    `The review covers only objects that a plan manages. Other ${shown}, such as those made in the dashboard, may change the result. ` +
    `To include them, give --tenant, or read ${sources} in the configuration.`
  );
}
