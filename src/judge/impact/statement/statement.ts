/**
 * Statements about a tenant that must stay true after every change.
 *
 * People write expectations: requests have an outcome, a limit is within bounds, an organization has members. `lockout_guard` is the
 * severity of those that are built in: each protected request of the provider block is allowed, Terraform's own requests are (most of the
 * Management API, and its request for a token), and its application keeps requests for tokens. All of them are judged on the same two states
 * of a tenant (`impact/state`), with three results: held, broken, undecided.
 *
 * | question | where |
 * | --- | --- |
 * | Does an expectation hold? | `judge` -> `requests` (a proof over all requests), `policies`, `members` |
 * | Does a change lock out Terraform or a protected request? | `lockout` (`lockoutsOf`); one write of an ACL: `write` |
 * | Does the result refuse a plan or a write, and how bad is it? | `impact/refusals` |
 * | Why? | `reason`, as data; `impact/words` words it; `effects` makes the effects of a review |
 * | Did a change weaken the statements? | `weakened`; `guard`: in which provider blocks |
 * | What did people write? | `read` (JSON form of expectations), `built-in` |
 *
 * A statement that was broken before, and that the change makes no worse, is an older problem (`already`): it never refuses a plan. A plan may
 * add a statement together with the objects that break it, and nothing shows that the statement is new: it is no older problem if nothing
 * decided before, and an object of the change does, such as a new ACL that allows the request, a new policy with a higher limit or a new
 * exclusive member set. An application that loses its policy is compared with what limits it then.
 * A `protected_request` block is read as an expectation about one request (`isOne`): a fact that it leaves out has some value, and one that an
 * expectation leaves out has any value (decision 0023).
 */
import type { ListName, Possibly } from "../../access/access";
import type { Remote } from "../model";
import type { PlannedAcl } from "../network-acl/acl";
import type { Witness } from "../network-acl/levels";
import type { Reason } from "./reason";
import type { Assumption } from "../words/assumption";
import { isUnknown } from "../../../formats/cty/value";

/** Reached: allowed and not redirected. Logged: an ACL with the action `log` records the request. */
export const expectedOutcomes = ["blocked", "reached", "redirected", "logged"] as const;
export type ExpectedOutcome = (typeof expectedOutcomes)[number];

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
  /** It is about one request of the set, so a fact that is left out has some value. Left out: about each of them. */
  readonly isOne?: true;
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

/** Terraform's own requests are allowed: most of the Management API, and the request for its token. */
export interface TerraformStatement {
  readonly kind: "terraform";
  /** Those that say where its requests come from. */
  readonly requests: readonly ProtectedRequest[];
  /** There may be more. */
  readonly others?: symbol;
}

/** Terraform's own application keeps requests for tokens. */
export interface OwnLimitStatement {
  readonly kind: "own limit";
}

interface Stated<Statement, Severity = "error" | "warning"> {
  readonly name: string;
  readonly severity: Possibly<Severity>;
  readonly statement: Statement;
  /** A value is sensitive, so messages show the name alone. */
  readonly isSecret?: true;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
}

export type Expectation = Stated<RequestStatement | PolicyStatement | MemberStatement>;

/** A statement of which `lockout_guard` is the severity. `off`: a review judges it, and the provider does not. */
export type BuiltIn<Statement = RequestStatement | TerraformStatement | OwnLimitStatement> = Stated<
  Statement,
  "error" | "warning" | "off"
>;

/** Without `scopes`: Terraform's own request, to the Management API and for its token. */
export type ProtectedRequest = BuiltIn<RequestStatement>;

/** A statement, and whether the provider judges it on the changes. Left out: the plans do not show it. */
export interface Enforced<Statement> {
  readonly stated: Statement;
  readonly isEnforced?: boolean | undefined;
}

/** The objects that decide each kind of statement. */
export const familyOf = {
  requests: "network_acls",
  terraform: "network_acls",
  policy: "rate_limit_policies",
  "own limit": "rate_limit_policies",
  members: "organization_members",
} as const satisfies Record<(Expectation | BuiltIn)["statement"]["kind"], keyof Remote>;

/** Whether a statement holds after a change, with the proof. */
export interface Judgement {
  /** Held is a proof about the given objects. The caller says if the tenant may have others. */
  readonly verdict: "held" | "broken" | "undecided";
  /** It was broken before the change, which makes it no worse, and no object of the change decides what nothing decided before. */
  readonly already?: true;
  /** `judgementWords` words it. */
  readonly reason: Reason;
  /** A request that has another outcome. */
  readonly counterexample?: Witness;
  /** The objects that decide the counterexample, or whose limit or members break the statement. */
  readonly cause: readonly JudgedCause[];
  /** The assumptions under which it is broken, or on which it depends. */
  readonly assumptions: readonly Assumption[];
}

export interface JudgedExpectation extends Judgement {
  readonly expectation: Expectation;
}

/** Without an address: an unmanaged object. */
export interface JudgedCause {
  readonly address?: string;
  readonly plan?: string;
  readonly id?: string;
  /** The object in words: `ACL "Wall" (priority 90)`. */
  readonly words: string;
  readonly acl?: PlannedAcl;
  /** It decided before the change, and another object or none does after it. */
  readonly isBefore?: true;
  /** A user or an organization that the change deletes. */
  readonly isGone?: true;
}

/** A judgement of policies or members. Two states are compared by how far each thing is from the statement. */
export interface Measured extends Judgement {
  readonly offences: ReadonlyMap<string, number>;
  /** Of the offences, those that no object decides. */
  readonly bare: ReadonlySet<string>;
}

export const held: Judgement = { verdict: "held", reason: { kind: "held" }, cause: [], assumptions: [] };

export const undecided = (reason: Reason): Judgement => ({ verdict: "undecided", reason, cause: [], assumptions: [] });

export const measured = (judgement: Judgement): Measured => ({
  ...judgement,
  offences: new Map(),
  bare: new Set(),
});

/** The object of a cause. */
export const objectOf = ({ address, plan, id }: Omit<JudgedCause, "words">) => ({
  ...(address !== undefined && { address }),
  ...(plan !== undefined && { plan }),
  ...(id !== undefined && { id }),
});

/** The names of the values that are not known: `request.countries`. */
export function unknownNames(name: string, value: unknown): string[] {
  if (isUnknown(value)) return [name];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return [...new Set(value.flatMap((part) => unknownNames(name, part)))];
  return Object.entries(value).flatMap(([key, part]) => unknownNames(`${name}.${key}`, part));
}
