/** Objects of the tenant that two resources of one configuration manage, as after an import of the same id twice. */
import type { Change } from "../sdk/definition";
import type { ReviewContext } from "../sdk/resource";

/** How people call the object: its kind, its id, and what this resource makes of it. */
export interface Claimed {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
}

/** Reports the second resource of an object. Where both destroy it, they are at one. */
export function claimIdentity(
  { kind, id, title }: Claimed,
  { action }: Pick<Change, "action">,
  { plan, report }: Pick<ReviewContext<unknown>, "plan" | "report">,
): void {
  const goes = action === "destroy";
  const wish = goes ? "destroys it" : `wants ${title}`;
  const other = plan.claim(["identity", kind, id], wish, { shared: goes });
  if (other === undefined) return;
  report({
    severity: "error",
    summary: `Two resources for one ${kind}`,
    detail:
      `\`id\` is ${JSON.stringify(id)} in two resources of this configuration: one of them ${wish}, the other ${other}. Each apply of ` +
      "one would undo what the other wants. Keep one of the two resources. Delete the import block of the other, or take the other " +
      "out of the state: removed { from = ADDRESS, lifecycle { destroy = false } }, or terraform state rm ADDRESS. Nothing was changed.",
  });
}
