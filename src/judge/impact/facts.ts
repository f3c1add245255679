/** What happens, by kind of fact. Each kind has one template in `words`. */
import type { Code } from "../codes/codes";
import type { AclFacts, LoggingFacts, OutcomeFacts } from "./network-acl/facts";
import type {
  CollisionFacts,
  DuplicateFacts,
  FeatureFacts,
  KeyFacts,
  KeyNumberFacts,
  ObjectFacts,
  SameKeyFacts,
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
export interface GapFacts {
  readonly kind: "gap";
  /** `failed`: planning ended with an error. */
  readonly gap: "failed" | "incomplete" | "unplanned" | "refused" | "tenant";
  readonly text: string;
  /** The code of the first error of a plan that failed, if this provider printed it. */
  readonly error?: Code;
}

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
