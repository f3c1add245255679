/**
 * The truth about changes: what is changed, and how bad it is for whom. Rows state facts, so that any judgement can be tested by them:
 * `truth.test.ts` shows each row to the provider, which plans it, and to the review of the same plan.
 */
import type { Level } from "../../src/impact/finding";
import type { Change, Content, Kind } from "./support/changes";

/** One object of a stack. Without `before` it is new, without `after` it is destroyed. */
export interface Subject {
  readonly kind: Kind;
  readonly before?: Content;
  readonly after?: Content;
}

export interface Row {
  /** What changes: the title of the test. */
  readonly what: string;
  readonly objects: readonly Subject[];
  /** Organization -> its members. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  /** Objects of the tenant that the stack does not manage. */
  readonly unmanaged?: Change["unmanaged"];
  /** The provider block. */
  readonly settings?: Content;
  /** How bad the change is. */
  readonly level: Level | "none";
  /** Whether the provider refuses the plan. */
  readonly refuses: boolean;
  /** A finding of the review, without its prefix. */
  readonly code?: string;
  /** Words of the first line of the review: who loses or gains what. */
  readonly who: string;
  /** Words that no line of the summary may have. */
  readonly never?: string;
}

const organization = "org_abcdefghijklmnop";
const other = "org_ponmlkjihgfedcba";
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `auth0|${String(index).padStart(4, "0")}`);

const set = (members: readonly string[], rest: Content = {}): Content => ({
  organization_id: organization,
  members,
  exclusive: true,
  adopt_existing: false,
  on_destroy: "remove",
  ...rest,
});
const kind = "organization_member_set";
const forty = people(40);
const all = { [organization]: forty, [other]: [] };

/** A deleted block, `terraform destroy`, a move and an empty list are one kind: nobody is left. */
const emptied = {
  level: "critical",
  refuses: true,
  code: "MEMBERS-EMPTIED",
  who: "All 40 members lose access",
} as const;
const permitted = { ...emptied, refuses: false } as const;

export const memberRows: readonly Row[] = [
  { what: "an empty list", objects: [{ kind, before: set(forty), after: set([]) }], members: all, ...emptied },
  { what: "a deleted block", objects: [{ kind, before: set(forty) }], members: all, ...emptied },
  {
    what: "a set that moves to another organization",
    objects: [{ kind, before: set(forty), after: set(forty, { organization_id: other }) }],
    members: all,
    ...emptied,
  },
  {
    what: "a deleted block whose state says allow_empty",
    objects: [{ kind, before: set(forty, { allow_empty: true }) }],
    members: all,
    ...permitted,
  },
  {
    what: "a deleted block whose state permits so many removals",
    objects: [{ kind, before: set(forty, { max_removals: 40 }) }],
    members: all,
    ...permitted,
  },
  {
    what: "a deleted block whose state permits fewer removals",
    objects: [{ kind, before: set(forty, { max_removals: 39, allow_empty: true }) }],
    members: all,
    ...emptied,
  },
  {
    what: "a deleted block that keeps the members",
    objects: [{ kind, before: set(forty, { on_destroy: "keep" }) }],
    members: all,
    level: "low",
    refuses: false,
    code: "DESTROYED",
    who: "is destroyed",
    never: "lose access",
  },
  {
    what: "the only one of a set that lists some of the members",
    objects: [{ kind, before: set(["auth0|0000"], { exclusive: false }) }],
    members: { [organization]: ["auth0|0000"] },
    ...permitted,
    who: "1 of 1 member loses access",
  },
];
