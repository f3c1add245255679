/** The form of the table of codes. */

export const levels = ["info", "low", "medium", "high", "critical"] as const;

export type Level = (typeof levels)[number];

export interface Row {
  /** In a few words. `…` stands for the part that differs. */
  readonly title: string;
  /** Of a code that the review finds. A finding may have another level. */
  readonly level?: Level;
  /** The title that Terraform prints for a finding, if it differs. */
  readonly message?: string;
  /** What to do: the end of the message, and part of its section. */
  readonly remedy?: string;
}

export type Rows = Readonly<Record<`TNF-${string}`, Row>>;
