/** Describes one member set of a plan: its members before and after, its organization, and the members that its apply removes. */
import { acts, type Marks, type PlannedObject, type Values } from "../impact/model";
import { isMarked } from "../impact/value";

export const types = ["tenant_organization_member_set", "auth0_organization_members", "auth0_organization_member"];

/** undefined: known only after the apply. */
type Flag = boolean | undefined;

export interface Side {
  /** undefined: known only after the apply. */
  readonly organization: string | undefined;
  /** The id of the organization is sensitive. */
  readonly isSecretOrganization: boolean;
  readonly members: readonly string[];
  /** It lists more members, known only after the apply. */
  readonly isOpen: boolean;
  readonly isSecret: boolean;
  readonly exclusive: Flag;
  /** Whether a new set may remove members that the organization has. */
  readonly adopts: Flag;
}

export interface MemberSet {
  readonly address: string;
  readonly plan?: string;
  readonly before: Side | undefined;
  readonly after: Side | undefined;
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
}

type Given = Pick<PlannedObject, "address" | "plan" | "type" | "before" | "after" | "actions"> &
  Pick<PlannedObject, "beforeSensitive" | "afterSensitive" | "leaves" | "isImported">;

export function setFrom({ address, plan, type, before, after, actions, ...more }: Given): MemberSet {
  const { leaves, isImported, ...marks } = more;
  return {
    address,
    ...(plan !== undefined && { plan }),
    before: before && sideFrom(type, before, marks.beforeSensitive),
    after: after && sideFrom(type, after, marks.afterSensitive),
    keeps: leaves === true || before?.["on_destroy"] === "keep",
    isCreated: actions.includes("create"),
    isDestroyed: leaves === true || actions.includes("delete"),
    defers: type === "tenant_organization_member_set",
    isUnseen: isImported === true && !before,
    acts: acts({ actions }) || (isImported === true && !before),
  };
}

function sideFrom(type: string, values: Values, marks: Marks): Side {
  const organization = values["organization_id"];
  const listed = listedIn(values);
  return {
    organization: typeof organization === "string" ? organization : undefined,
    isSecretOrganization: isMarked(marks, "organization_id"),
    members: listed.filter((id): id is string => typeof id === "string"),
    isOpen: listed.some((id) => typeof id !== "string"),
    isSecret: isMarked(marks, "members") || isMarked(marks, "user_id") || isWhollyMarked(marks, "members_with_notes"),
    exclusive: type !== "auth0_organization_member" && flag(values["exclusive"], true),
    adopts: flag(values["adopt_existing"], false),
  };
}

function flag(value: unknown, otherwise: boolean): Flag {
  if (typeof value === "symbol") return undefined;
  return typeof value === "boolean" ? value : otherwise;
}

/** User ids, as a set, as the keys of a map with notes, or the only one; a symbol for what is not known. */
function listedIn({ members, members_with_notes: notes, user_id: user }: Values): readonly unknown[] {
  const forms = [user, members, notes].filter((form) => form !== undefined && form !== null);
  return forms.flatMap((form) => (typeof form === "object" && !Array.isArray(form) ? Object.keys(form) : form));
}

/** Whether a map is marked, and not only values in it: its keys are secret as well. */
function isWhollyMarked(marks: Marks, name: string): boolean {
  return marks === true || (typeof marks === "object" && marks !== null && (marks as Values)[name] === true);
}

/** The members that the apply of a set removes from one organization. */
export interface Departures {
  readonly certain: readonly string[];
  readonly possible: readonly string[];
  /** Whether it also removes every other member of the organization that it does not list. */
  readonly others: "yes" | "perhaps" | "no";
}

const nobody: Departures = { certain: [], possible: [], others: "no" };

/** `organization` undefined: the one that is known only after the apply. */
export function departuresOf(set: MemberSet, organization: string | undefined): Departures {
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
function ownDepartures({ after, keeps, isDestroyed, defers }: MemberSet, old: Side, now: Side | undefined): Departures {
  // A set that moves to an organization that is not known yet may come back to this one.
  const next = now ?? (after && after.organization === undefined ? after : undefined);
  const letsGo = isDestroyed ? keeps : old.exclusive !== false && next?.exclusive === false;
  if (letsGo) return nobody;
  const listed = new Set(next?.members);
  const missing = old.members.filter((id) => !listed.has(id));
  // If the set is no longer exclusive, it may keep them.
  const isLeft = defers && isDestroyed && now !== undefined && now.exclusive !== true;
  const isSettled = isDestroyed || old.exclusive === false || next?.exclusive !== undefined;
  const isSure = !next?.isOpen && isSettled && !isLeft;
  const doubtful = now ? [] : old.members.filter((id) => listed.has(id));
  return { certain: isSure ? missing : [], possible: [...(isSure ? [] : missing), ...doubtful], others: "no" };
}

function othersLeaving({ isCreated, isUnseen }: MemberSet, old: Side | undefined, now: Side): Departures["others"] {
  const becomesExclusive = old !== undefined && (isCreated || old.exclusive === false);
  const takes = becomesExclusive || isUnseen || (isCreated && now.adopts !== false);
  if (now.exclusive === false || !takes) return "no";
  const isSure = !isUnseen && now.exclusive === true && !now.isOpen && (becomesExclusive || now.adopts === true);
  return isSure && now.organization !== undefined ? "yes" : "perhaps";
}

/** Why the removals of the set are not known yet; empty: they are known. */
export function doubtsOf({ before, after, isCreated, isUnseen }: MemberSet): string[] {
  if (!after) return [];
  const isNew = isCreated && before?.organization !== after.organization;
  const unknown = [
    ...(after.organization === undefined ? ["`organization_id`"] : []),
    ...(after.isOpen ? ["`members`"] : []),
    ...(after.exclusive === undefined ? ["`exclusive`"] : []),
    ...(isNew && after.adopts === undefined ? ["`adopt_existing`"] : []),
  ];
  if (isUnseen) return ["the set is imported, and the plan does not show its members"];
  if (unknown.length === 0) return [];
  return [`${unknown.join(" and ")} ${unknown.length > 1 ? "are" : "is"} known only after the apply`];
}
