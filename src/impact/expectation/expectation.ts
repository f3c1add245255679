/** Expectations are statements about a tenant that must stay true after every change. */
import type { ListName } from "../../access/access";

/** Reached: allowed and not redirected. Logged: an ACL with the action `log` records the request. */
export const expectedOutcomes = ["blocked", "reached", "redirected", "logged"] as const;
export type ExpectedOutcome = (typeof expectedOutcomes)[number];

/** A symbol stands for a value that is not known yet. */
type Possibly<T> = T | symbol;
type Several<T> = Possibly<readonly Possibly<T>[]>;

/**
 * All requests with these facts. A list means any of its values; a fact that is left out may have any value. `factLists` describes the lists.
 */
export type RequestSet = {
  readonly [List in ListName]?: Several<List extends "asns" ? number : string>;
};

/** Every request of `requests`, without those of `except`, has one of the outcomes. */
export interface RequestStatement {
  readonly kind: "requests";
  readonly outcomes: Possibly<readonly Possibly<ExpectedOutcome>[]>;
  /** Together, as a union. Empty: all requests. */
  readonly requests: Possibly<readonly Possibly<RequestSet>[]>;
  readonly except: Possibly<readonly Possibly<RequestSet>[]>;
}

/** The rate limit of the consumers is within these bounds, in requests per second. Without a policy there is no limit. */
export interface PolicyStatement {
  readonly kind: "policy";
  readonly consumer: Possibly<string>;
  /** Left out: every selector of the consumer. */
  readonly consumer_selector?: Possibly<string>;
  readonly at_most?: Possibly<number>;
  readonly at_least?: Possibly<number>;
}

/** The organization has these members, and so many. */
export interface MemberStatement {
  readonly kind: "members";
  readonly organization_id: Possibly<string>;
  readonly include?: Several<string>;
  readonly exclude?: Several<string>;
  readonly at_least?: Possibly<number>;
  readonly at_most?: Possibly<number>;
}

export interface Expectation {
  readonly name: string;
  readonly severity: Possibly<"error" | "warning">;
  /** It must hold in each intermediate state of an apply too. */
  readonly always: Possibly<boolean>;
  readonly statement: RequestStatement | PolicyStatement | MemberStatement;
  /** A value is sensitive, so messages show the name alone. */
  readonly isSecret?: true;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
}
