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

export interface UnreviewedFacts {
  readonly kind: "unreviewed";
  readonly address: string;
  readonly change: "create" | "destroy" | "replace" | "update" | "unknown";
  /** The changed attributes that no row knows. Empty: no row knows the change of the object. */
  readonly paths: readonly string[];
}
