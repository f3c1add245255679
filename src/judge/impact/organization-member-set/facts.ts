/** What happens to the members of one organization. */
export interface MemberFacts {
  readonly kind: "members";
  readonly organization: {
    /** null: known only after the apply. */
    readonly id: string | null;
    /** With its display name: `"Acme" (org_1)`. */
    readonly words: string;
  };
  /** The people who certainly lose access. */
  readonly loses?: People;
  /** The setting of the only set that forbids the loss. */
  readonly refusedBy?: Refusal;
  /** The people whom a new set does not list, and may not remove. */
  readonly others?: People;
  /** The people who gain access, or may gain it if the effect is not certain. */
  readonly gains?: People;
  /** The people who stay although a set no longer lists them. */
  readonly stays?: People;
  /** How many may lose access; null: any number. */
  readonly mayLose?: number | null;
  /** People who are not known yet may gain access. */
  readonly mayGain?: true;
  /** All members; null: not known. */
  readonly before: number | null;
  readonly after: number | null;
}

export interface Refusal {
  readonly setting: "max_removals" | "allow_empty";
  /** `max_removals`. */
  readonly most?: number;
}

export interface People {
  readonly count: number;
  /** The first ones, those with a note first. Empty: their names are sensitive. */
  readonly some: readonly Person[];
}

export interface Person {
  readonly id: string;
  /** `Ada Lovelace (example.org, "on call")` */
  readonly words: string;
}
