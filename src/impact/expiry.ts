/** Finds the objects and members that end by themselves, and how a plan treats them. */
import type { Kind } from "../kinds/kind";
import { kindOf } from "../kinds/kinds";
import { networkAcl } from "../kinds/network-acl";
import { instantOf, distanceWords, instantWords } from "../text/instant";
import { clipped, hidden } from "./phrases";
import { effect, type Code, type Effect } from "./effect";
import type { Marks, PlannedObject, Values } from "./model";
import { expiredMembers, isWhollyMarked, setFrom } from "./organization-member-set/set";
import { grouped, isMarked } from "./value";

/** Milliseconds before its end during which a plan announces it. */
const announced = 14 * 86_400_000;

/**
 * "expires": the plan ends it, because its time has passed. "still active": its time has passed, and the plan leaves it active. "soon": its
 * time comes within 14 days. "later": it has more time. "over": it was not active before the plan.
 */
type EndStatus = "expires" | "still active" | "soon" | "later" | "over";

export interface End {
  readonly object: PlannedObject;
  /** `Network ACL "Office" (acl_…)`, or `The membership of auth0|ada in org_1`. */
  readonly subject: string;
  /** The user id, if the end is that of a member. */
  readonly member?: string;
  /** As written, or (sensitive). */
  readonly end: string;
  readonly instant: number;
  readonly status: EndStatus;
  /** Whether the plan writes this time, so that the object did not have it before. */
  readonly isNew: boolean;
}

/** The ends after the plan. An object that the plan destroys has none. */
export function endsIn(objects: readonly PlannedObject[], now: number): End[] {
  return objects.flatMap((object) => endsOf(object, now));
}

/** The values of a declared object after the next plan: an object whose end has passed is switched off, and such members are gone. */
export function asPlanned(kind: Kind, values: Values, now: number): Values {
  if (!kind.expiry || (values[kind.expiry.expired] ?? undefined) !== undefined) return values;
  const times = values[kind.expiry.attribute];
  const hasPassed = (time: unknown) => (instantOf(time) ?? Infinity) <= now;
  if (!isMap(times)) return hasPassed(times) ? { ...values, active: false, expired: true } : values;
  const gone = Object.keys(times).filter((member) => hasPassed(times[member]));
  return gone.length > 0 ? { ...values, [kind.expiry.expired]: gone } : values;
}

function endsOf(object: PlannedObject, now: number): End[] {
  const { type, before, after, afterSensitive: marks } = object;
  const attribute = kindOf(type)?.expiry?.attribute;
  if (attribute === undefined || !after) return [];
  const [earlier, times] = [before?.[attribute], after[attribute]];
  const end = (written: unknown, previous: unknown, member?: string): End[] => {
    const instant = instantOf(written);
    if (instant === undefined) return [];
    const isSecret = isMarked(marks, attribute, ...(member === undefined ? [] : [member]));
    const [was, is] = [before, after].map((values) => values !== undefined && isActive(values, member));
    return [
      {
        object,
        subject: member === undefined ? titleOf(after, marks) : memberWords(member, object),
        ...(member !== undefined && { member }),
        end: isSecret ? hidden : String(written),
        instant,
        status: statusOf({ was: was!, is: is! }, instant, now),
        isNew: previous !== written,
      },
    ];
  };
  if (!isMap(times)) return end(times, earlier);
  const previous = new Map(isMap(earlier) ? Object.entries(earlier) : []);
  return Object.entries(times).flatMap(([member, written]) => end(written, previous.get(member), member));
}

/** A flag or a list that is not known yet counts as active. */
function isActive(values: Values, member: string | undefined): boolean {
  if (member === undefined) return values["active"] !== false;
  const { members, members_with_notes: notes } = values;
  const listed = Array.isArray(members) ? members.includes(member) : !isMap(notes) || Object.hasOwn(notes, member);
  return listed && !expiredMembers(values).has(member);
}

const isMap = (value: unknown): value is Values => typeof value === "object" && value !== null;

function statusOf({ was, is }: { was: boolean; is: boolean }, instant: number, now: number): EndStatus {
  if (!is) return was && instant <= now ? "expires" : "over";
  if (instant <= now) return "still active";
  return instant - now <= announced ? "soon" : "later";
}

function titleOf({ description, id }: Values, marks: Marks): string {
  const shown = typeof description === "string" ? JSON.stringify(clipped(description)) : "(known after apply)";
  const name = isMarked(marks, "description") ? hidden : shown;
  const noun = networkAcl.noun.replace(/^./, (first) => first.toUpperCase());
  return `${noun} ${name}${typeof id === "string" ? ` (${clipped(id)})` : ""}`;
}

function memberWords(member: string, object: PlannedObject): string {
  const { isSecret, isSecretOrganization, organization } = setFrom(object).after!;
  const name = isSecret || isWhollyMarked(object.afterSensitive, "expires_at") ? hidden : clipped(member, 64);
  const place = organization === undefined ? "an organization that is not known yet" : clipped(organization, 64);
  return `The membership of ${name} in ${isSecretOrganization ? hidden : place}`;
}

const codes: Readonly<Partial<Record<EndStatus, Code>>> = {
  "still active": "TNF-STILL-ACTIVE",
  expires: "TNF-EXPIRED",
  soon: "TNF-EXPIRES-SOON",
};

/** One effect for each object and status. */
export function expiryEffects(all: readonly End[], now: number): Effect[] {
  const told = all.filter(({ status }) => codes[status] !== undefined);
  return [...grouped(told, ({ object }) => object)].flatMap(([object, own]) =>
    [...grouped(own, ({ status }) => codes[status]!)].map(([code, ends]) => effect(code, textOf(ends, now), object)),
  );
}

const mostNamed = 5;

function textOf(ends: readonly End[], now: number): string {
  const sorted = ends.toSorted((one, other) => one.instant - other.instant);
  const rest = sorted.length - mostNamed;
  const named = sorted.slice(0, mostNamed).map((end) => `${endWords(end, now)}.`);
  const more = rest > 0 ? [`${rest} more ${sorted[0]!.status === "soon" ? "expire" : "expired"}.`] : [];
  return [...named, ...more, ...consequenceOf(sorted[0]!, sorted.length === 1)].join(" ");
}

/** `Network ACL "Office" (acl_…) expires on 1 December 2026, 18:00 UTC, in 8 days` */
export function endWords({ subject, status, end, instant }: End, now: number): string {
  const verb = status === "soon" || status === "later" ? "expires" : "expired";
  const time =
    end === hidden ? "at a time that is sensitive" : `on ${instantWords(end)}, ${distanceWords(instant, now)}`;
  return `${subject} ${verb} ${time}`;
}

/** How the plan treats ends of one status, in sentences. None for ends to come. */
export function consequenceOf({ status, member }: Pick<End, "status" | "member">, isOne: boolean): string[] {
  if (status === "still active")
    return [`This plan leaves ${isOne ? "it" : "them"} active. Plan again with a refresh, and apply.`];
  if (status !== "expires") return [];
  if (member !== undefined) {
    return [
      `This plan removes ${isOne ? "the member" : "the members"}. Delete ${isOne ? "the entry" : "the entries"} too.`,
    ];
  }
  const [object, block] = isOne ? ["the ACL", "its block"] : ["the ACLs", "their blocks"];
  return [`This plan switches ${object} off. Delete ${block} to remove ${isOne ? "it" : "them"} from the tenant.`];
}
