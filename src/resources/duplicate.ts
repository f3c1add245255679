/** Reports objects that two resources of one configuration manage, for example after two imports of one id. */
import type { Change } from "../sdk/definition";
import type { ReviewContext } from "../sdk/resource";

/** Names the object for people: its kind, its id, and how this resource configures it. */
export interface Claimed {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
}

/** Reports the second resource of an object, unless both resources destroy the object. */
export function claimIdentity(
  { kind, id, title }: Claimed,
  { action }: Pick<Change, "action">,
  { plan, report }: Pick<ReviewContext<unknown>, "plan" | "report">,
): void {
  const goes = action === "destroy";
  const wish = goes ? "destroys it" : `manages it as ${title}`;
  const other = plan.claim(["identity", kind, id], wish, { shared: goes });
  if (other === undefined) return;
  report({
    severity: "error",
    code: ["TNF-DUPLICATE", kind],
    detail:
      `\`id\` is ${JSON.stringify(id)} in two resources of this configuration: one of them ${wish}, the other ${other}. Each apply of ` +
      "one would undo the other. Keep one of the two resources. Delete the import block of the second one, or take it out of the " +
      "state: removed { from = ADDRESS, lifecycle { destroy = false } }, or terraform state rm ADDRESS. Nothing was changed. [TNF-DUPLICATE]",
  });
}
