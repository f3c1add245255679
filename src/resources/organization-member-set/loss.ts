/** Who would lose access by a change of a member set: small losses pass in silence, large ones are announced, too large ones refused. */
import { attributePath } from "../../cty/path";
import type { Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { organizationMemberSet } from "./definition";
import { without } from "./wire";

export interface Loss {
  readonly organizationId: string;
  readonly present: readonly string[];
  readonly wanted: readonly string[];
}

export interface Limits {
  /** The most that may be removed. */
  readonly most?: number;
  /** Whether nobody need be left. */
  readonly mayEmpty: boolean;
}

export interface Manner {
  /** The set itself goes, or moves to another organization. */
  readonly end?: string;
  /** Terraform's plan does not show who is removed. */
  readonly unseen?: boolean;
}

/** Not the members: Terraform shows all lines of what is pointed at. */
const place = attributePath("organization_id");

/** As many may go without a word, and so may a tenth of the set where that is less. */
const silent = { members: 10, part: 0.1 };

export function limitsOf({
  max_removals: limit,
  allow_empty,
  exclusive,
}: Planned<typeof organizationMemberSet>): Limits {
  const most = typeof limit === "number" ? limit : undefined;
  // What is not known yet may permit it; the apply asks again.
  const mayEmpty = limit !== undefined || (allow_empty ?? false) !== false || exclusive !== true;
  return { most, mayEmpty };
}

export function reportLoss(
  { organizationId, present, wanted }: Loss,
  { most, mayEmpty }: Limits,
  { end, unseen = false }: Manner,
  { report }: Pick<ReviewContext<unknown>, "report">,
): void {
  const leaving = without(present, wanted);
  if (leaving.length === 0) return;
  const loss = `Organization ${organizationId} would lose ${leaving.length} of ${count(present)}: ${few(leaving)}`;
  const stay = end ? ' To leave them in the organization, apply `on_destroy = "keep"` first.' : "";
  if (most !== undefined && leaving.length > most) {
    report({
      severity: "error",
      summary: "More removals than max_removals allows",
      detail: `${loss}. \`max_removals\` is ${most}: raise it${end === "destroy" ? ", and apply that first," : ""} if this is meant.${stay}`,
      path: end ? [] : attributePath("max_removals"),
    });
  } else if (wanted.length === 0 && !mayEmpty) {
    report({
      severity: "error",
      summary: "An organization would be emptied",
      detail:
        `${loss}. Nobody would be left. If this is meant, set \`allow_empty = true\`, or \`max_removals\` to ${leaving.length} or ` +
        `more.${stay}`,
      path: place,
    });
  } else if (unseen || leaving.length > silent.members || leaving.length > present.length * silent.part) {
    const known = unseen
      ? "The plan does not list them, as the set has not held them so far."
      : "The plan lists them. `max_removals` refuses a plan that would remove more than it says.";
    // Terraform shows but the first of several warnings with one summary: so all that counts stands in it.
    report({
      severity: "warning",
      summary: loss,
      detail: `${end ? `The set ${end === "destroy" ? "is destroyed" : "moves to another organization"}.` : known}${stay}`,
      path: end ? [] : place,
    });
  }
}

/** The members that a change may remove, depending on values that are known only after the apply. */
export interface OpenLoss {
  readonly organizationId: string | undefined;
  /** undefined: not known. */
  readonly present: readonly string[] | undefined;
  /** Those who are listed for certain. */
  readonly wanted: readonly string[];
  /** The attributes that are not known yet. */
  readonly open: readonly string[];
}

/** Counts every member that the set does not list for certain. The apply knows the values, and checks the limits again. */
export function reportOpenLoss(
  { organizationId, present, wanted, open }: OpenLoss,
  { most = Infinity }: Limits,
  { report }: Pick<ReviewContext<unknown>, "report">,
): void {
  const leaving = present && without(present, wanted);
  if (leaving?.length === 0 || most === 0) return;
  const names = open.map((name) => `\`${name}\``).join(" and ");
  const why =
    `${names} ${open.length > 1 ? "are" : "is"} known only after the apply, and the set removes every member that it does not list. ` +
    "Give a value that is known while planning, or set `max_removals`, which the apply checks.";
  if (leaving) {
    const summary = `Organization ${organizationId} would lose up to ${Math.min(leaving.length, most)} of ${count(present!)}`;
    report({ severity: "warning", summary, detail: why, path: place });
  } else {
    const who = most === Infinity ? "Any number of members" : `Up to ${most} members`;
    report({
      severity: "warning",
      summary: "Members may lose access",
      detail: `${who} may lose access: ${why}`,
      path: place,
    });
  }
}

const shown = 5;

export function few(ids: readonly string[]): string {
  const rest = ids.length - shown;
  return ids.toSorted().slice(0, shown).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

export function count(ids: readonly string[]): string {
  return `${ids.length} member${ids.length === 1 ? "" : "s"}`;
}
