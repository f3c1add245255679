/** Says why the known objects do not prove an expectation. */
import type { Code, Finding } from "../../impact/finding";
import { andWords } from "../../impact/list-words";
import type { Plan } from "../input/plan";
import type { RemoteState } from "../remote";
import { isComplete } from "../reservations";

const reasons: Partial<Record<Code, string>> = {
  "TNF-PLAN-OUTDATED": "the plan is out of date",
  "TNF-STACK-UNPLANNED": "a stack has no plan",
  "TNF-TENANT-UNKNOWN": "the tenant is not known for certain",
  "TNF-DUPLICATE": "two resources manage the same object",
};

const failed = "planning ended with an error, which `terraform plan` shows";

/** As a clause. `findings`: those about objects that the review could not read. Undefined: the plans show everything that they manage. */
export function incompleteBy(
  plans: readonly Plan[],
  findings: readonly Finding[],
  remote?: RemoteState,
): string | undefined {
  const found = [
    ...plans
      .filter((plan) => !isComplete(plan))
      .map((plan) => (plan.errored === true ? failed : "the plan is incomplete")),
    ...(remote?.refused?.length ? ["the tenant refuses to list some of its objects"] : []),
    ...findings.flatMap(({ code }) => reasons[code] ?? []),
    ...plans.flatMap(({ incomplete }) => incomplete ?? []),
  ];
  return found.length > 0 ? andWords(new Set(found)) : undefined;
}
