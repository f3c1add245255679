/** What happens to people by a row of the table, and what no row knows. */

export interface RowFacts {
  readonly kind: "row";
  /** The Terraform type of the object. */
  readonly type: string;
  /** With placeholders such as `{name}`. */
  readonly text: string;
  /** The words for each placeholder. Foreign text is in quotation marks, and secrets are masked. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Addresses of objects that go with a destroyed or replaced object. */
  readonly along: readonly string[];
  /** The row says that nothing happens to people. */
  readonly isNothing: boolean;
}

/** A row of the branch under review is not the row of its base branch. */
export interface RulesFacts {
  readonly kind: "rules";
  readonly file: string;
  /** `refused`: there is no base branch to compare with, and the row would have lowered an answer. */
  readonly change: "added" | "changed" | "removed" | "refused";
  /** Type, path and change of the row. */
  readonly row: string;
  /** What decides without the change of the file: a row of the base branch, or the built-in one. Left out: no row. */
  readonly was?: RuleSide;
  readonly is?: RuleSide;
}

export interface RuleSide {
  readonly level: string;
  readonly text: string;
}

export interface UnreviewedFacts {
  readonly kind: "unreviewed";
  readonly address: string;
  readonly change: "create" | "destroy" | "replace" | "update" | "run" | "unknown";
  /** The changed attributes that no row knows, or the kinds of provisioners that run. Empty: no row knows the change of the object. */
  readonly paths: readonly string[];
}
