/** Features that the service may still change: said once a plan, however many objects use them. */
import type { ReviewContext } from "../sdk/resource";

export function warnOfEarlyAccess(
  feature: string,
  { plan, report }: Pick<ReviewContext<unknown>, "plan" | "report">,
): void {
  if (!plan.isFirst(`early access: ${feature}`)) return;
  report({
    severity: "warning",
    summary: "Early Access",
    detail: `${feature} are in Early Access: the service may change them, and a tenant may have to be enabled for them.`,
  });
}
