/** The lock-outs that a plan causes, with the ACLs that cause them. */
import type { Effect, Cause } from "../effect";
import type { AclAnalysis } from "../network-acl/analysis";
import { causeOf } from "../network-acl/causes";
import { alreadyWords } from "./findings";

/** `found`: all lock-outs. An earlier one affects nobody anew. */
export function lockoutEffects(found: readonly Effect[], analysis: AclAnalysis): Effect[] {
  return found.map((one) =>
    one.already || one.text.endsWith(alreadyWords)
      ? one
      : {
          ...one,
          who: "Terraform or a protected request",
          text: `Lock-out: ${one.text}`,
          cause: causesOf(one.address, analysis),
          certainty: one.code === "TNF-ACL-LOCKOUT" ? "certain" : "possible",
        },
  );
}

/** The ACL that decides, or, if the plan leaves it unchanged, the changed ACLs that make requests reach it. */
function causesOf(address: string | undefined, { changed, parts }: AclAnalysis): Cause[] {
  const own = [...changed.values()].filter(({ after }) => after !== undefined && after.address === address);
  const others = parts.filter(({ after }) => after !== "allowed").map(({ cause }) => cause);
  return [...new Set(own.length > 0 ? own : others)].map(causeOf);
}
