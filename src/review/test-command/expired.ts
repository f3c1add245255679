/** Finds network ACLs and members that have expired and are still active. */
import { endsIn, endWords, type End } from "../../impact/expiry";
import type { Remote } from "../../impact/model";
import { setFrom } from "../../impact/organization-member-set/set";
import type { Place } from "../../impact/cause";
import type { Family } from "../remote";
import { objectsOf } from "../objects";
import { placeOf, type Places } from "../places/lookup";
import type { Plan } from "../input/plan";

export interface StillActive {
  readonly address: string;
  /** `expires_at`, also of one member. */
  readonly subject: string;
  readonly text: string;
  readonly place?: Place;
}

export interface TestedEnds {
  /** How many ends the objects have. */
  readonly count: number;
  /** Expired but still active. */
  readonly stillActive: readonly StillActive[];
}

export function endsOfPlans(plans: readonly Plan[], now: number): End[] {
  return endsIn(
    plans.flatMap((plan) => objectsOf(plan)),
    now,
  );
}

/** `remote`: the objects that the tenant has, as far as they were read. */
export function testedEnds(ends: readonly End[], places: Places, now: number, remote: Remote = {}): TestedEnds {
  const late = ends.filter((end) => end.status === "still active" && isThere(end, remote) !== false);
  return {
    count: ends.length,
    stillActive: late.map((end) => {
      const { address, plan } = end.object;
      const place = placeOf({ places }, address, plan);
      const words = isThere(end, remote) === undefined && isDeclared(end) ? declared : active;
      const text = `${endWords(end, now)}. ${words}`;
      return { address, subject: end.subject, text, ...(place && { place }) };
    }),
  };
}

const active = "It is still active: plan with a refresh, and apply.";
const declared = "The configuration still declares it: plan and apply, then delete it.";

/** Whether only a configuration shows the object. */
const isDeclared = ({ object }: End) => object.before === undefined;

/** Whether the object is active on the tenant. Undefined: the tenant was not asked. */
function isThere({ object, member }: End, remote: Remote): boolean | undefined {
  const after = object.after!;
  if (member === undefined) {
    const isSame = (acl: NonNullable<Remote["network_acls"]>[number]) =>
      typeof after["id"] === "string"
        ? acl["id"] === after["id"]
        : acl["priority"] === (after["priority"] ?? 50) && acl["description"] === after["description"];
    return remote.network_acls?.some((acl) => isSame(acl) && acl["active"] !== false);
  }
  const { organization } = setFrom(object).after!;
  return organization === undefined ? undefined : remote.organization_members?.get(organization)?.includes(member);
}

/** The objects of the tenant that decide about the ends. */
export function neededForEnds(ends: readonly End[]): { families: Family[]; organizations: string[] } {
  const sets = ends.filter(({ member }) => member !== undefined);
  return {
    families: [
      ...(sets.length < ends.length ? (["network_acls"] as const) : []),
      ...(sets.length > 0 ? (["organization_members"] as const) : []),
    ],
    organizations: sets.flatMap(({ object }) => setFrom(object).after?.organization ?? []),
  };
}
