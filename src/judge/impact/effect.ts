/**
 * An effect is what a change does: to people (their requests, limits, memberships), to an object, or to what the review can prove.
 * Everything that a review or a plan says is an effect.
 *
 * An effect is data. The judges of this folder make it, and channels filter, sort and lay out what `words` renders at the very end.
 * Nobody reads a sentence: what a later stage must know is a field.
 *
 * ```ts
 * effect("TNF-DESTROYED", { kind: "object", what: "destroyed", … }, { subject: { address: "tenant_network_acl.a" } })
 * ```
 */
import { canonical } from "../../formats/cty/value";
import { type Code as AnyCode, type FindingCode, levelOf } from "../codes/codes";
import { type Level, levels } from "../codes/row";
import type { Api } from "../access/access";
import type { Cause, Change, ChangedAttribute } from "./cause";
import type { PlannedObject, Writable } from "./model";
import type { Witness } from "./network-acl/levels";
import type { Assumption } from "./words/assumption";
import type { AclFacts, LoggingFacts, OutcomeFacts } from "./network-acl/facts";
import type {
  CollisionFacts,
  DuplicateFacts,
  FeatureFacts,
  KeyFacts,
  KeyNumberFacts,
  ObjectFacts,
  SameKeyFacts,
  UnknownKeyFacts,
} from "./objects/facts";
import type { MemberFacts } from "./organization-member-set/facts";
import type { LimitFacts, OwnLimitFacts } from "./rate-limit-policy/facts";
import type {
  BlindFacts,
  GuardFacts,
  LockoutFacts,
  StatementFacts,
  UnshownFacts,
  WeakenedFacts,
} from "./statement/facts";
import type { RowFacts, RulesFacts, UnreviewedFacts } from "./auth0/facts";

/** A part of the plan or the tenant was not read. */
export type GapFacts = { readonly kind: "gap" } & (
  | {
      /** Planning ended with an error, and how many follow the first. Left out: the output of the run is not known. */
      readonly gap: "failed";
      /** `code`: this provider printed it. */
      readonly error?: { readonly summary: string; readonly address?: string; readonly code?: AnyCode };
      readonly others: number;
    }
  /** The changes that Terraform defers to a later plan. None: the plan leaves out others. */
  | { readonly gap: "incomplete"; readonly deferred: readonly Pick<PlannedObject, "address" | "deferred">[] }
  | { readonly gap: "unplanned"; readonly stack: string }
  /** The tenant refuses to list objects of a kind. */
  | { readonly gap: "refused"; readonly objects: string; readonly reason: string }
  | { readonly gap: "tenant"; readonly doubt: TenantDoubt }
);

/** Why the tenant of objects is not known for certain. */
export type TenantDoubt =
  /** The environment names a host that no provider block names. */
  | { readonly is: "read from"; readonly host: string }
  /** It may be that of other plans or provider blocks. */
  | { readonly is: "perhaps that of"; readonly others: readonly string[] }
  /** The plan does not show the provider blocks of these objects. */
  | { readonly is: "not shown of"; readonly addresses: readonly string[] };

/** A line that the provider printed about a plan that failed, without its sign and code. */
export interface PrintedFacts {
  readonly kind: "printed";
  readonly text: string;
}

export type Facts =
  | AclFacts
  | CollisionFacts
  | BlindFacts
  | GuardFacts
  | LockoutFacts
  | StatementFacts
  | DuplicateFacts
  | FeatureFacts
  | GapFacts
  | KeyFacts
  | KeyNumberFacts
  | LimitFacts
  | LoggingFacts
  | MemberFacts
  | ObjectFacts
  | OutcomeFacts
  | OwnLimitFacts
  | PrintedFacts
  | RowFacts
  | RulesFacts
  | SameKeyFacts
  | UnknownKeyFacts
  | UnreviewedFacts
  | UnshownFacts
  | WeakenedFacts;

/** Whether the effect is on people: on their requests, limits or memberships. */
export function isOnPeople({ facts }: { readonly facts: Facts }): boolean {
  switch (facts.kind) {
    case "members":
      return !facts.stays && !facts.others;
    case "lockout":
      return facts.was === undefined;
    case "statement":
      return facts.is === "broken" && facts.was === "other";
    case "row":
      return !facts.isNothing;
    case "acl":
    case "blind":
    case "collision":
    case "duplicate":
    case "features":
    case "gap":
    case "guard":
    case "key":
    case "number of keys":
    case "object":
    case "rules":
    case "same key":
    case "unknown key":
    case "unreviewed":
    case "unshown":
    case "weakened":
      return false;
    default:
      return true;
  }
}

/** Whether the effect is a change that the review cannot judge. */
export const isUnreviewed = ({ facts }: { readonly facts: Facts }): boolean => facts.kind === "unreviewed";

/** Whether the effect is about the review itself, which a change tries to lower. */
export const isAboutReview = ({ facts }: { readonly facts: Facts }): boolean => facts.kind === "rules";

/** Whether somebody changed an object outside Terraform, which is news whatever the plan does. */
export const isDrift = ({ facts }: { readonly facts: Facts }): boolean =>
  facts.kind === "object" && facts.change === "drifted";

/** Whether planning ended with an error. */
export const isFailure = ({ facts }: { readonly facts: Facts }): boolean =>
  facts.kind === "gap" && facts.gap === "failed";

export type Code = FindingCode;

export interface Share {
  /** From 0 to 1. */
  readonly value: number;
  /** `sign-in requests worldwide`, `members of org_1`. */
  readonly of: string;
  /** How the share was counted. */
  readonly basis: string;
}

/** The object to look at. Empty: the effect is not about one object. */
export interface Subject {
  /** A Terraform address. */
  readonly address?: string;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  /** The Terraform type of the object. */
  readonly type?: string;
  readonly id?: string;
  /** As the configuration calls it. */
  readonly name?: string;
}

export interface Effect {
  readonly code: Code;
  readonly level: Level;
  readonly certainty: "certain" | "possible" | "undecided";
  readonly subject: Subject;
  /** What happens. */
  readonly facts: Facts;
  /** The largest part first. */
  readonly cause: readonly Cause[];
  readonly assumptions: readonly Assumption[];
  /** null: no share makes sense, or it is not known. */
  readonly share: Share | null;
  readonly examples: readonly Witness[];
  /** Why it is not counted, as the person said. */
  readonly ignored?: string;
  /** It was so before the plan, which does not touch it. It is not counted. */
  readonly already?: true;
  /** Whether the provider refuses the plan or the write because of it: `refusesOf` of `refusals`. */
  readonly refuses?: boolean;
}

const gapCodes: ReadonlySet<Code> = new Set([
  "TNF-INCOMPLETE",
  "TNF-PLAN-FAILED",
  "TNF-STACK-UNPLANNED",
  "TNF-TENANT-UNKNOWN",
]);

/** What nobody could decide is not certain. */
const undecided: ReadonlySet<Code> = new Set([
  ...gapCodes,
  "TNF-ACL-UNDECIDED",
  "TNF-EXPECTATION-UNDECIDED",
  "TNF-GUARD-UNKNOWN",
]);

/**
 * What an effect says beside its code and facts. `address` and `plan` are those of the subject; a planned object can stand for them.
 * Left out: the subject is the first cause, and the level is that of the code.
 */
interface About extends Partial<Omit<Effect, "code" | "facts" | "ignored" | "subject">> {
  readonly address?: string;
  readonly plan?: string;
  readonly type?: string;
}

const none: readonly never[] = [];

export function effect(code: Code, facts: Facts, about: About = {}): Effect {
  const { level = levelOf(code), address = about.cause?.[0]?.address, plan = about.cause?.[0]?.plan, type } = about;
  const { share = null, cause = none, assumptions = none } = about;
  const { certainty = undecided.has(code) ? "undecided" : "certain", examples = none, already, refuses } = about;
  // An object of several spreads takes several times the memory, and a plan may have 100,000 effects.
  const subject: Writable<Subject> = {};
  if (address !== undefined) subject.address = address;
  if (plan !== undefined) subject.plan = plan;
  if (type !== undefined) subject.type = type;
  const made: Writable<Effect> = { code, level, certainty, subject, facts, cause, assumptions, share, examples };
  if (already) made.already = already;
  if (refuses !== undefined) made.refuses = refuses;
  return made;
}

/** `was` and `is`: left out if they are not known, or must not be shown. */
export const attributeChange = (path: string, was?: ChangedAttribute["was"], is?: ChangedAttribute["is"]): Change => ({
  kind: "changed",
  attributes: [{ path, ...(was !== undefined && { was }), ...(is !== undefined && { is }) }],
});

/** Equal for effects that say the same: one of several objects is told once. Channels compare identities, never sentences. */
export const effectIdentity = ({ code, already, certainty, facts, assumptions }: Effect): string =>
  canonical([
    code,
    already,
    certainty,
    identifyingFacts(facts),
    assumptions.map(({ address: _address, ...one }) => one),
  ]);

/** A row tells only the values that its text names, and no type. */
function identifyingFacts(facts: Facts): object {
  if (facts.kind !== "row") return facts;
  const { text, values, along } = facts;
  return [text, along, Object.entries(values).filter(([name]) => text.includes(`{${name}}`))];
}

/** Whether the effect counts: the plan causes it, and nobody accepted it. */
export const counts = ({ ignored, already }: Effect): boolean => ignored === undefined && !already;

/** Whether the effect is about something that the review could not read. */
export const isGap = ({ code }: Effect): boolean => gapCodes.has(code);

/** The APIs whose requests the effect is on. */
export const apisOf = ({ facts }: Effect): readonly Api[] => ("apis" in facts ? (facts.apis ?? []) : []);

export function isAtLeast(level: Level, least: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(least);
}

/** No later plan can undo the change. That of an ACL is told with the people whom the ACL blocks. */
const isLockout = ({ code }: Effect): boolean => code === "TNF-APP-LOCKOUT";

/** Sorts the worst effect first. */
export function worstFirst(one: Effect, other: Effect): number {
  return (
    levels.indexOf(other.level) - levels.indexOf(one.level) ||
    Number(isLockout(other)) - Number(isLockout(one)) ||
    Number(other.certainty === "certain") - Number(one.certainty === "certain") ||
    (other.share?.value ?? 0) - (one.share?.value ?? 0)
  );
}

/** What lowers the review itself first, then the worst, and those that a person ignores last. */
export function inOrder(effects: readonly Effect[]): Effect[] {
  const place = (one: Effect) => (one.ignored !== undefined ? 2 : isAboutReview(one) ? 0 : 1);
  return effects.toSorted((one, other) => place(one) - place(other) || worstFirst(one, other));
}

export { levels, type Level };
