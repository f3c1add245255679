/** What happens to limits. */
import type { Limit } from "./policy";

/** What happens to the limit of the applications of one selector. */
export interface LimitFacts {
  readonly kind: "limit";
  readonly resource: string;
  readonly consumer: string;
  readonly consumer_selector: string;
  readonly apis: readonly "authentication"[];
  /** null: no policy applies to the applications. */
  readonly was: Limit | null;
  readonly is: Limit | null;
}

/** Terraform's own application gets fewer requests for a token than it needs. */
export interface OwnLimitFacts {
  readonly kind: "own limit";
  readonly client: string;
  /** Requests per second. */
  readonly rate: number;
  /** The selector of the policy. */
  readonly selector: string;
  /** Whether the policy certainly applies to it. A plan does not show the group of an application. */
  readonly isCertain: boolean;
}
