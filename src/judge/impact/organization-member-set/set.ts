/** Describes one member set of a plan: its members before and after, and the members that its apply removes. */
import { isRecord } from "../../../formats/text/record";
import { kindOf } from "../../kinds/kinds";
import { organizationMemberSet } from "../../kinds/organization-member-set";
import type { Change } from "../cause";
import { attributeChange } from "../effect";
import { acts, isMarked, isWhollySensitive, type Marks, placeIn, type PlannedObject, type Values } from "../model";
import type { RemovalLimits } from "../refusals";
import { isUnknown } from "../../../formats/cty/value";

/** undefined: known only after the apply. */
type Flag = boolean | undefined;

export interface Side {
  /** undefined: known only after the apply. */
  readonly organization: string | undefined;
  /** The id of the organization is sensitive. */
  readonly isSecretOrganization: boolean;
  readonly members: readonly string[];
  /** The most further members, which are known only after the apply. */
  readonly further: number;
  /** User id -> note. Without empty notes, and without notes that are sensitive before or after. */
  readonly notes: ReadonlyMap<string, string>;
  /** The attribute that lists more members, known only after the apply. */
  readonly open: "members" | "members_with_notes" | undefined;
  readonly isSecret: boolean;
  readonly exclusive: Flag;
  /** Whether a new set may remove members that the organization has. */
  readonly removesExisting: Flag;
  /** The most members that the apply may remove, if the set limits them. */
  readonly maxRemovals: number | undefined;
}

export interface MemberSet {
  readonly address: string;
  readonly plan?: string;
  readonly before: Side | undefined;
  readonly after: Side | undefined;
  /** The only members that a delete removes, if the plan is older than the last members of the set. */
  readonly deletes: ReadonlySet<string> | undefined;
  /** When it is destroyed, its members stay in the organization. */
  readonly keeps: boolean;
  readonly isCreated: boolean;
  readonly isDestroyed: boolean;
  /** It is replaced within its organization, so the new set does the removals. */
  readonly defers: boolean;
  /** It is imported, and the plan does not show its members. */
  readonly isUnseen: boolean;
  /** Whether the apply changes it. */
  readonly acts: boolean;
  /** How many members our provider lets it remove. Left out: another provider manages it. */
  readonly limits?: RemovalLimits;
}

export function setsIn(objects: readonly PlannedObject[]): MemberSet[] {
  return objects.filter(({ type }) => kindOf(type) === organizationMemberSet).map(setFrom);
}

export function setFrom(object: PlannedObject): MemberSet {
  const { address, plan, type, before, after, actions, keepsOld, isImported } = object;
  const isUnseen = isImported === true && !before;
  const { marks } = placeIn(object);
  return {
    address,
    ...(plan !== undefined && { plan }),
    before: before && { ...sideFrom(before, object.beforeSensitive), notes: notesIn(before, marks) },
    after: after && { ...sideFrom(after, object.afterSensitive), notes: notesIn(after, marks) },
    deletes: object.valuesOfDelete && new Set(sideFrom(object.valuesOfDelete).members),
    keeps: keepsOld === true || before?.["on_destroy"] === "keep",
    isCreated: actions.includes("create"),
    isDestroyed: keepsOld === true || actions.includes("delete"),
    defers: type === organizationMemberSet.type,
    isUnseen,
    acts: acts(object) || isUnseen,
    ...(type === organizationMemberSet.type && { limits: limitsIn(after ?? before ?? {}) }),
  };
}

function limitsIn({ max_removals: limit, allow_empty, exclusive }: Values): RemovalLimits {
  const isOpen = [limit, allow_empty, exclusive].some(isUnknown);
  // A value that is not known yet may permit it.
  const mayEmpty = (allow_empty ?? false) !== false;
  return {
    ...(typeof limit === "number" && { most: limit }),
    mayEmpty: mayEmpty || (exclusive ?? true) !== true,
    ...(isOpen && { isOpen }),
  };
}

/** Reads a set, or the members that the tenant has in an organization. */
export function sideFrom(values: Values, marks?: Marks): Omit<Side, "notes"> {
  const {
    organization_id: organization,
    members,
    members_with_notes: notes,
    user_id: user,
    max_removals: most,
  } = values;
  const forms = [user, members, notes].filter((form) => form !== undefined && form !== null);
  const listed = forms.flatMap((form): unknown => (isRecord(form) ? Object.keys(form) : form));
  const known = listed.filter((id): id is string => typeof id === "string");
  const isWhole = forms.every((form) => !isUnknown(form) || form === user);
  const name = isUnknown(notes) && !isUnknown(members) ? "members_with_notes" : "members";
  return {
    organization: typeof organization === "string" ? organization : undefined,
    isSecretOrganization: isMarked(marks, "organization_id"),
    members: known,
    further: isWhole ? listed.length - known.length : Infinity,
    open: known.length < listed.length ? name : undefined,
    isSecret:
      isMarked(marks, "members") ||
      isMarked(marks, "user_id") ||
      isWhollySensitive({ marks, names: ["members_with_notes"] }),
    // A resource of one member leaves the others alone.
    exclusive: (user === undefined || user === null) && flag(values["exclusive"], true),
    removesExisting: flag(values["remove_existing"], false),
    maxRemovals: typeof most === "number" ? most : undefined,
  };
}

function notesIn({ members_with_notes: notes }: Values, marks: Marks): Side["notes"] {
  const entries: [string, unknown][] = isRecord(notes) ? Object.entries(notes) : [];
  const shown = entries.filter(([id, note]) => note !== "" && !isMarked(marks, "members_with_notes", id));
  return new Map(shown.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function flag(value: unknown, otherwise: boolean): Flag {
  if (isUnknown(value)) return undefined;
  return typeof value === "boolean" ? value : otherwise;
}

/** The members that the apply of a set removes from one organization. */
interface Departures {
  readonly certain: readonly string[];
  readonly possible: readonly string[];
  /** Whether it also removes every other member of the organization that it does not list. */
  readonly others: "yes" | "perhaps" | "no";
}

const nobody: Departures = { certain: [], possible: [], others: "no" };

/** `organization` undefined: the one that is known only after the apply. */
export function removalsBy(set: MemberSet, organization: string | undefined): Departures {
  const at = (side: Side | undefined) => (side?.organization === organization ? side : undefined);
  const [old, now] = [at(set.before), at(set.after)];
  if (!set.acts) return nobody;
  const own = old ? ownDepartures(set, old, now) : nobody;
  if (now) return { ...own, others: othersLeaving(set, old, now) };
  const mayReturn = old && set.after && set.after.organization === undefined;
  // If it comes back to its organization, it removes every member that it does not list.
  const takesAll = mayReturn && set.after.exclusive !== false && (set.keeps || old.exclusive === false);
  return { ...own, others: takesAll ? "perhaps" : "no" };
}

/** The members that the set lists before the apply. */
function ownDepartures(set: MemberSet, old: Side, now: Side | undefined): Omit<Departures, "others"> {
  const { after, deletes, keeps, isDestroyed, defers } = set;
  // A set that moves to an organization that is not known yet may come back to this one.
  const next = now ?? (after && after.organization === undefined ? after : undefined);
  const letsGo = isDestroyed ? keeps : old.exclusive !== false && next?.exclusive === false;
  if (letsGo) return nobody;
  const listed = new Set(next?.members);
  const missing = old.members.filter((id) => !listed.has(id) && deletes?.has(id) !== false);
  // If the set is no longer exclusive, it may keep them.
  const isLeft = defers && isDestroyed && now !== undefined && now.exclusive !== true;
  const isSettled = isDestroyed || old.exclusive === false || next?.exclusive !== undefined;
  const isSure = !next?.open && isSettled && !isLeft;
  const doubtful = now ? [] : old.members.filter((id) => listed.has(id));
  return { certain: isSure ? missing : [], possible: [...(isSure ? [] : missing), ...doubtful] };
}

function othersLeaving({ isCreated, isUnseen }: MemberSet, old: Side | undefined, now: Side): Departures["others"] {
  const becomesExclusive = old !== undefined && (isCreated || old.exclusive === false);
  const takes = becomesExclusive || isUnseen || (isCreated && now.removesExisting !== false);
  if (now.exclusive === false || !takes) return "no";
  const isSure = !isUnseen && now.exclusive === true && !now.open && (becomesExclusive || now.removesExisting === true);
  return isSure && now.organization !== undefined ? "yes" : "perhaps";
}

/** The attributes that decide the removals and are known only after the apply. */
export function openAttributes({ before, after, isCreated }: MemberSet): string[] {
  if (!after) return [];
  const isNew = isCreated && (!before || before.organization !== after.organization);
  return [
    ...(after.organization === undefined ? ["organization_id"] : []),
    ...(after.open ? [after.open] : []),
    ...(after.exclusive === undefined ? ["exclusive"] : []),
    ...(isNew && after.removesExisting === undefined ? ["remove_existing"] : []),
  ];
}

/** How the plan changes a set. */
export function changeOf({ before, after, isCreated, isDestroyed, isUnseen }: MemberSet): Change {
  if (isUnseen) return { kind: "imported" };
  if (isCreated && isDestroyed) {
    const isMoved = after?.organization !== undefined && before?.organization !== after.organization;
    return isMoved ? attributeChange("organization_id") : { kind: "replaced" };
  }
  if (isCreated || isDestroyed) return { kind: isCreated ? "created" : "destroyed" };
  const [was, is] = [before, after].map((side) => side?.exclusive);
  if (was !== is && was !== undefined && is !== undefined) return attributeChange("exclusive", was, is);
  return { kind: "changed", attributes: [] };
}
