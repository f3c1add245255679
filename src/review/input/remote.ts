/**
 * Remote state: what the data sources of plans read, or what the tenant itself returned.
 *
 * The tenant is what is there. A state may be old, so `refreshed` shows the objects that no plan changes as the tenant has them now, and
 * `adopted` shows a new object that the tenant has already as one that the apply adopts instead of creating a second one.
 */
import { andWords } from "../../formats/text/lists";
import type { TenantDoubt } from "../../judge/impact/effect";
import { isSensitive, placeIn, type PlannedObject, type Remote, type Values } from "../../judge/impact/model";
import { adoptions, asAdopted } from "../../judge/impact/objects/duplicates";
import { type Kind, textOf } from "../../judge/kinds/kind";
import { kindOf, kinds } from "../../judge/kinds/kinds";
import { type PlanInput, withObjects } from "./plan-input";
import type { RemoteName } from "./tenant-address";

/** The lists of a tenant that a review reads: of every kind that has an effect of its own. */
export type Family = "network_acls" | "rate_limit_policies" | "organization_members";

const read = kinds.filter(({ actsThrough }) => actsThrough === undefined);

export const families = read.map(({ family }) => family as Family);

/** A family that the tenant does not offer. */
export interface Refusal {
  readonly family: Family;
  readonly reason: string;
}

/** What the tenant itself returned. */
export interface RemoteState extends Remote {
  /** Families that were not read, because the plans cannot affect them. */
  readonly unaffected?: readonly Family[];
  readonly refused?: readonly Refusal[];
  /** Left out: data sources read the state. */
  readonly from?: RemoteName;
  /** Why it may be the state of another tenant, in a sentence. */
  readonly uncertainty?: TenantDoubt;
}

/** `asked`: lists that the tenant itself returned. They replace lists that data sources read, without a filter. */
export function remoteIn(plans: readonly PlanInput[], asked: RemoteState = {}): Remote {
  const data = plans.flatMap((plan) => plan.data);
  const readBy = (source: string): Values[] => data.flatMap(({ type, values }) => (type === source ? [values] : []));
  const listOf = ({ family, dataSource: { type, objects, filters } }: Kind) => {
    const isWhole = (values: Values) => filters.every((filter) => (values[filter] ?? undefined) === undefined);
    const found = readBy(type).filter(isWhole);
    const list = asked[family as Family] ?? found.flatMap((values) => (values[objects!] ?? []) as Values[]);
    return asked[family as Family] === undefined && found.length === 0 ? [] : [[family, list] as const];
  };
  const members = readBy("tenant_organization_members");
  const known = new Map(members.map((one) => [textOf(one["organization_id"]), (one["members"] ?? []) as string[]]));
  const organizations = asked.organization_members ?? (known.size > 0 ? known : undefined);
  return {
    ...(Object.fromEntries(kinds.filter(({ dataSource }) => dataSource.objects).flatMap(listOf)) as Remote),
    ...(organizations && { organization_members: organizations }),
    ...(asked.people && { people: asked.people }),
    ...(asked.organization_names && { organization_names: asked.organization_names }),
  };
}

/** The plan with the objects that it does not change as the tenant has them now: one may be gone, or changed by hand. */
export function refreshed(plan: PlanInput, remote: RemoteState | undefined): PlanInput {
  if (!remote || remote.uncertainty !== undefined) return plan;
  return { ...plan, ...withObjects(plan.all.flatMap((one) => (isKept(one) ? present(one, remote) : [one]))) };
}

/** Whether the plan leaves the object as it is. */
const isKept = ({ actions }: PlannedObject) => actions.every((action) => ["no-op", "forget"].includes(action));

/** Empty: the tenant does not have the object. */
function present(object: PlannedObject, remote: RemoteState): PlannedObject[] {
  const kind = kindOf(object.type);
  const values = object.before ?? object.after ?? {};
  if (kind?.list) {
    const ids = remote.organization_members?.get(values["organization_id"] as string);
    return [ids ? withValues(object, { members: staying(values, ids), members_with_notes: null }) : object];
  }
  // The lists have no keys.
  const all = kind && remote[kind.family as Exclude<Family, "organization_members">];
  if (!all) return [object];
  return all.filter(({ id }) => id === values["id"]).map((own) => withValues(object, own));
}

/** A set that is not exclusive manages only the members that it lists. */
function staying({ members, members_with_notes: notes, user_id: user, exclusive }: Values, ids: readonly string[]) {
  if (exclusive !== false && (user ?? undefined) === undefined) return ids;
  const listed = [members ?? (notes && Object.keys(notes)) ?? user ?? []].flat();
  return ids.filter((id) => listed.includes(id));
}

/** A sensitive attribute is sensitive as a whole then, because its marks have the form of the state. */
function withValues(object: PlannedObject, values: Values): PlannedObject {
  const { before, after } = object;
  const names = [...new Set(Object.keys({ ...before, ...after }))];
  const marks = Object.fromEntries(names.map((name) => [name, isSensitive(placeIn(object, name))]));
  return {
    ...object,
    ...(before && { before: { ...before, ...values }, beforeSensitive: marks }),
    ...(after && { after: { ...after, ...values }, afterSensitive: marks }),
  };
}

/** The plans, with each object that an apply adopts as the tenant has it before the apply. `remote`: managed and unmanaged objects. */
export function adopted(plans: readonly PlanInput[], remote: Remote): readonly PlanInput[] {
  if (Object.values(remote).every((list) => list === undefined)) return plans;
  const found = adoptions({ objects: plans.flatMap(({ objects }) => objects), remote });
  if (found.size === 0) return plans;
  return plans.map((plan) => ({ ...plan, ...withObjects(plan.all.map((one) => asAdopted(one, found.get(one)))) }));
}

export const nameOf = (family: Family) => read.find((kind) => kind.family === family)!.plural;

/** Which unmanaged objects a review could not see, and how to include them. */
export const blindWords = (unseen: readonly Family[]): string =>
  `Not read: ${andWords(unseen.map(nameOf))} outside the plan, such as those made in the dashboard. --tenant includes them.`;
