/** Says why an expectation that holds for the known objects is not proven. */
import type { Code, Finding } from "../../impact/finding";
import { andWords } from "../../impact/list-words";
import type { Plan } from "../plan";
import type { RemoteState } from "../remote";
import type { Known } from "./state";

const reasons: Partial<Record<Code, string>> = {
  "TF-INCOMPLETE": "the plan is incomplete",
  "TF-STACK-UNPLANNED": "a stack has no plan",
  "TF-TENANT-UNKNOWN": "the tenant is not known for certain",
  "TF-DUPLICATE": "two resources manage the same object",
};

/** `findings`: those about what the review could not read. `remote` left out: unmanaged objects do not count. */
export function incompleteBy(
  plans: readonly Plan[],
  findings: readonly Finding[],
  remote: RemoteState | undefined,
): Pick<Known, "incomplete" | "unseen"> {
  const found = [
    ...findings.flatMap(({ code }) => reasons[code] ?? []),
    ...plans.flatMap(({ incomplete }) => incomplete ?? []),
  ];
  const unread = (what: string) => `unmanaged ${what} may exist, because the review did not read the tenant (--tenant)`;
  return {
    ...(found.length > 0 && { incomplete: andWords(new Set(found)) }),
    ...(remote && {
      unseen: {
        acls: remote.network_acls ? undefined : unread("network ACLs"),
        policies: remote.rate_limit_policies ? undefined : unread("rate limit policies"),
      },
    }),
  };
}
