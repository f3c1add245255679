/** Reads remote state from the data sources of plans, or takes what the tenant itself returned. */
import { andWords } from "../../judge/impact/phrases";
import type { Remote, Values } from "../../judge/impact/model";
import type { Kind } from "../../judge/kinds/kind";
import { kinds } from "../../judge/kinds/kinds";
import { readData } from "./objects";
import type { Plan } from "./plan";
import type { RemoteName } from "./site";

/** The lists of a tenant that a review reads: of every kind that has an effect of its own. */
export type Family = Exclude<keyof Remote, "people" | "organization_names">;

const read = kinds.filter(({ actsThrough }) => actsThrough === undefined);

export const families = read.map(({ family }) => family as Family);

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

/** `asked`: lists that the tenant itself returned. They replace lists that data sources read, without a filter. */
export function remoteIn(plans: readonly Plan[], asked: RemoteState = {}): RemoteState {
  const listOf = ({ family, dataSource: { type, objects, filters } }: Kind) => {
    const isWhole = (values: Values) => filters.every((filter) => (values[filter] ?? undefined) === undefined);
    const found = plans.flatMap((plan) => readData(plan, type)).filter(isWhole);
    const list = asked[family as Family] ?? found.flatMap((values) => (values[objects!] ?? []) as Values[]);
    return asked[family as Family] === undefined && found.length === 0 ? [] : [[family, list] as const];
  };
  const members = plans.flatMap((plan) => readData(plan, "tenant_organization_members"));
  const known = new Map(members.map((one) => [String(one["organization_id"]), (one["members"] ?? []) as string[]]));
  const organizations = asked.organization_members ?? (known.size > 0 ? known : undefined);
  return {
    ...(Object.fromEntries(read.filter(({ dataSource }) => dataSource.objects).flatMap(listOf)) as Remote),
    ...(organizations && { organization_members: organizations }),
    ...(asked.people && { people: asked.people }),
    ...(asked.organization_names && { organization_names: asked.organization_names }),
  };
}

const nameOf = (family: Family) => read.find((kind) => kind.family === family)!.plural;

export function refusedWords({ family, reason }: Refusal): string {
  return (
    `--tenant: the tenant refuses to list its ${nameOf(family)} (${reason.replace(/\.$/, "")}), so the review left them out, and nothing is ` +
    "proven. If the tenant does not have this feature, an apply cannot change them either."
  );
}

/** Which unmanaged objects a review could not see, and how to include them. */
export const blindWords = (unseen: readonly Family[]): string =>
  `Not read: ${andWords(unseen.map(nameOf))} outside the plan, such as those made in the dashboard. --tenant includes them.`;
