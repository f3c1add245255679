/** Why a statement holds, is broken or is undecided, as data. `words/reason` words it. Sensitive values are masked. */
import type { hidden } from "../../../formats/text/lists";
import type { Witness } from "../network-acl/levels";
import type { Assumption } from "../words/assumption";

type Masked<T> = T | typeof hidden;

/** A policy, as far as it may be shown. */
export interface PolicySummary {
  /** Left out: they are known only after the apply. */
  readonly callers?: Masked<string>;
  /** The least requests per second that it may leave. Left out: the action limits nothing. */
  readonly rate?: Masked<number>;
  readonly action: "allow" | "log" | "limit";
  /** What is known only after the apply. */
  readonly unknown?: "action" | "limit";
  readonly shared?: "together" | "to each application";
}

/** What is wrong with the members of an organization, or may be. */
export type MemberProblem =
  | {
      readonly is: "missing" | "present";
      readonly isSure: boolean;
      readonly ids: Masked<readonly string[]>;
      readonly count: number;
    }
  | { readonly is: "few" | "many"; readonly isSure: boolean; readonly count: Masked<number>; readonly bound: number };

export type Reason =
  /** `uncovered`: the policies that a statement about a group or the default does not cover. */
  | { readonly kind: "held"; readonly uncovered?: readonly PolicySummary[] }
  | {
      readonly kind: "counterexample";
      readonly request: Witness;
      readonly outcome: string;
      readonly redirect_uri?: string;
      /** The deciding ACL. Left out: no ACL matches. */
      readonly by?: string;
      /** The outcomes that the statement demands. */
      readonly demanded: readonly string[];
    }
  /** The limit of callers. `policy`: left out if none applies to them. */
  | {
      readonly kind: "limit";
      readonly callers: string;
      readonly policy?: PolicySummary;
      readonly at_least?: number;
      readonly at_most?: number;
    }
  | { readonly kind: "members"; readonly problems: readonly MemberProblem[] }
  /** It would hold, but the tenant may have other objects. */
  | { readonly kind: "incomplete"; readonly because: readonly Assumption[] }
  | {
      readonly kind: "unread";
      readonly what: "network ACLs" | "rate limit policies" | "members";
      readonly organization?: string;
      /** The tenant has no such organization. */
      readonly isMissing?: true;
    }
  /** No request has the attributes of the statement. */
  | { readonly kind: "nobody" }
  /** A value of the statement is known only after the apply. */
  | { readonly kind: "value"; readonly name?: string }
  /** A value of the statement is sensitive. */
  | { readonly kind: "sensitive"; readonly what: "counterexample" | "details" }
  | { readonly kind: "effort" }
  /** The output of `terraform plan` says that it is broken. */
  | { readonly kind: "printed" }
  /** The plan does not show parts of the statement. */
  | { readonly kind: "unshown"; readonly parts: readonly UnshownPart[] }
  /** The plan shows only what the statement probably is. `beside`: other assumptions. */
  | {
      readonly kind: "assumed";
      readonly of: Reason;
      readonly that: readonly Assumption[];
      readonly beside: readonly Assumption[];
    };

/** A reason whose assumptions are sentences. */
export type WordedReason =
  | Exclude<Reason, { readonly kind: "incomplete" | "assumed" }>
  | { readonly kind: "incomplete"; readonly because: readonly string[] }
  | {
      readonly kind: "assumed";
      readonly of: WordedReason;
      readonly that: readonly string[];
      readonly beside: readonly string[];
    };

/** Why a plan does not show a part of a statement. */
export type UnshownPart =
  | { readonly is: "dynamic"; readonly block: string }
  /** `from`: what it is computed from. Left out: it is not a constant. */
  | { readonly is: "computed"; readonly attribute: string; readonly from?: string }
  /** This version cannot read the attribute. Left out: the whole statement. */
  | { readonly is: "unreadable"; readonly attribute?: string };
