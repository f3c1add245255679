/** What happens to statements: the guard of a provider block, and expectations. */
import type { Strength } from "./built-in";
import type { Assumption } from "../words/assumption";
import type { Reason } from "./reason";

/** An object that is missing until Terraform has created the one that replaces it. */
export interface Replaced {
  readonly address: string;
  readonly noun: "ACL" | "policy";
}

/** The share of the Management API over one IP family that is blocked, if it is more than half. */
export interface BlockedShare {
  readonly family: "IPv4" | "IPv6";
  /** Rounded down: 100 is all. */
  readonly percent: number;
  /** Pairs of address and country are counted. Left out: addresses. */
  readonly byCountry?: true;
}

/** A network ACL keeps requests out that the guard protects. */
export interface LockoutFacts {
  readonly kind: "lockout";
  /** A protected request, Terraform's request for a token, or most of the Management API. */
  readonly request: "protected request" | "token" | "breadth";
  /** The name of the protected request. */
  readonly called?: string;
  readonly outcome: "blocked" | "redirected";
  /** The titles of the deciding ACLs. */
  readonly by: readonly string[];
  /** The titles of the ACLs that may allow the request, because their values are known only after the apply. */
  readonly unless: readonly string[];
  /** Why the ACL matches, or what is not sure about it. Left out: a value is sensitive. */
  readonly because?: readonly Assumption[];
  /** The values of the deciding ACLs are known only after the apply. */
  readonly isOpen?: true;
  /** A value that decides is sensitive. */
  readonly isHidden?: true;
  readonly shares: readonly BlockedShare[];
  /** Before the change: the same ACLs blocked the request, another one did, or nobody (left out). */
  readonly was?: "blocked" | "blocked by another ACL";
  /** It is so while this object is missing. Left out: after the change. */
  readonly replaced?: Replaced;
}

/** A guard does not refuse lock-outs. */
export interface GuardFacts {
  readonly kind: "guard";
  /** null: it is not a constant. */
  readonly is: Strength | null;
  /** On the base branch. Left out: there is none. */
  readonly was?: Strength;
}

/** A part of a statement that the plan does not show. */
export interface UnshownFacts {
  readonly kind: "unshown";
  readonly block: "protected_request" | "expectation";
  /** The statement, and its attributes that are not known. */
  readonly name?: string;
  readonly attributes?: readonly string[];
  /** The provider configuration that has dynamic blocks. */
  readonly provider?: string;
}

/** The expectations that would hold if the review had read every object. */
export interface BlindFacts {
  readonly kind: "blind";
  /** The names of the expectations. */
  readonly names: readonly string[];
  /** Why the tenant may have other objects. */
  readonly because: readonly Assumption[];
}

/** The change removes or changes an expectation or a protected request of the base branch. `was` and `is`: as a file has them. */
export interface WeakenedFacts {
  readonly kind: "weakened";
  /** Left out: an expectation. */
  readonly of?: "protected request";
  readonly name: string;
  readonly was: string;
  /** Left out: no expectation has the name. */
  readonly is?: string;
  /** It was an error. */
  readonly isWarning?: true;
  /** The configuration has dynamic blocks of the kind, which plans leave out. */
  readonly isDynamic?: true;
  /** Provider configurations with expectations that no resource uses. */
  readonly idle?: readonly string[];
}

/** An expectation that does not hold. */
export interface StatementFacts {
  readonly kind: "statement";
  readonly name: string;
  /** Before the change. `other`: it held, or was not judged. */
  readonly was: "broken" | "other";
  readonly is: "broken" | "undecided";
  readonly reason: Reason;
  /** It is so while this object is missing. Left out: after the change. */
  readonly replaced?: Replaced;
}
