/** Reports the members that a change of a member set removes. */
import { attributePath } from "../../cty/path";
import { isAtLeast } from "../../impact/effect";
import {
  few,
  openWords,
  type Loss,
  type MemberJudgement,
  type PossibleLoss,
} from "../../impact/organization-member-set/effects";
import { removalsRefusedBy, type RemovalLimits } from "../../impact/refusals";
import type { Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { organizationMemberSet } from "./definition";

interface Manner {
  /** The set itself is destroyed, or moves to another organization. */
  readonly end?: "destroy" | "replace";
  /** How many members Terraform's plan shows; it does not show the removal of others. */
  readonly shown?: number;
}

type Report = Pick<ReviewContext<unknown>, "report">;

/** Terraform prints every line of the attribute that a message names, so it does not name the members. */
const place = attributePath("organization_id");

export function limitsOf({
  max_removals: limit,
  allow_empty,
  exclusive,
}: Planned<typeof organizationMemberSet>): RemovalLimits {
  const most = typeof limit === "number" ? limit : undefined;
  // A value that is not known yet may permit it. The apply checks again.
  const mayEmpty = limit !== undefined || (allow_empty ?? false) !== false || exclusive !== true;
  return { most, mayEmpty };
}

/** Reports the losses of one organization; `organization` undefined: the one that is known only after the apply. */
export function reportLosses(
  { losses, possibleLosses }: MemberJudgement,
  organization: string | undefined,
  limits: RemovalLimits,
  manner: Manner,
  context: Report,
): void {
  const isHere = (one: Loss | PossibleLoss) => one.organization === organization;
  for (const loss of losses.filter(isHere)) reportLoss(loss, limits, manner, context);
  for (const loss of possibleLosses.filter(isHere)) reportPossibleLoss(loss, context);
}

function reportLoss(
  { organization, leaving, of, isWhole, code, level }: Loss,
  limits: RemovalLimits,
  { end, shown = Infinity }: Manner,
  { report }: Report,
): void {
  const isHidden = of > shown;
  const count = isWhole ? `${leaving.length} of ${membersWord(of)}` : membersWord(leaving.length);
  const lost = `${count}: ${few(leaving)}`;
  const loss = `Organization ${organization} would lose ${lost}`;
  const first = end === "destroy" ? ", and apply that first" : "";
  const stay = end ? ' To leave them in the organization, apply `on_destroy = "keep"` first.' : "";
  const refusedBy = removalsRefusedBy(leaving.length, code === "TNF-MEMBERS-EMPTIED", limits);
  if (refusedBy === "max_removals") {
    report({
      severity: "error",
      code: "TNF-MAX-REMOVALS",
      detail: `${loss}. \`max_removals\` is ${limits.most}: raise it${first && `${first},`} if this is meant.${stay} [${code}]`,
      path: end ? [] : attributePath("max_removals"),
    });
  } else if (refusedBy === "allow_empty") {
    report({
      severity: "error",
      code: "TNF-MEMBERS-EMPTIED",
      detail:
        `${loss}. Nobody would be left. If this is meant, set \`allow_empty = true\`, or \`max_removals\` to ${leaving.length} or ` +
        `more${first}.${stay} [${code}]`,
      path: place,
    });
  } else if (isHidden || isAtLeast(level, "high")) {
    const known = isHidden
      ? "The plan does not list them, because the set did not list them before."
      : "The plan lists them. To refuse such a plan, set `max_removals`.";
    const how = end && `The set ${end === "destroy" ? "is destroyed" : "moves to another organization"}.`;
    report({
      severity: "warning",
      // Terraform shows only the first of several warnings with one title, so the title has the numbers.
      code: ["TNF-MEMBERS-LOST", organization, lost],
      detail: `${how ?? known}${stay} [${code}]`,
      path: end ? [] : place,
    });
  }
}

/** The apply knows the values, and checks the limits again. */
function reportPossibleLoss(loss: PossibleLoss, { report }: Report): void {
  const { organization, atMost, of, open } = loss;
  if (atMost === 0 || open.length === 0) return;
  const why =
    `${openWords(open)}, and the set removes every member that it does not list. ` +
    `Give a value that is known while planning, or set \`max_removals\`, which the apply checks. [TNF-MEMBERS-UNKNOWN]`;
  if (organization !== undefined && atMost !== null) {
    const code = ["TNF-MEMBERS-LOST", organization, `up to ${atMost} of ${membersWord(of)}`] as const;
    report({ severity: "warning", code, detail: why, path: place });
  } else {
    const who = atMost === null ? "Any number of members" : `Up to ${atMost} members`;
    report({
      severity: "warning",
      code: "TNF-MEMBERS-UNKNOWN",
      detail: `${who} may lose access: ${why}`,
      path: place,
    });
  }
}

export const membersWord = (count: number) => `${count} member${count === 1 ? "" : "s"}`;
