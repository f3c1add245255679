/** What happens, by kind of fact. Each kind has one template in `words`. */
import type { Code } from "../codes/codes";
import type { PlannedObject } from "./model";
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
      readonly error?: { readonly summary: string; readonly address?: string; readonly code?: Code };
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
