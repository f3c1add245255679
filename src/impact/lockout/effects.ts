/** The lock-outs that a plan causes, as effects. */
import type { Code, Finding } from "../finding";
import type { AclAnalysis } from "../network-acl/analysis";
import { causeOf } from "../network-acl/causes";
import type { Cause, Effect } from "../verdict/effect";
import { alreadyWords } from "./findings";

const isLockout = (code: Code) => code === "TNF-ACL-LOCKOUT" || code === "TNF-ACL-LOCKOUT-POSSIBLE";

/** `findings`: all findings of the plan. An ignored one is an effect too, because the person only accepts it. */
export function lockoutEffects(findings: readonly Finding[], analysis: AclAnalysis): Effect[] {
  return findings
    .filter(({ code, already, text }) => isLockout(code) && !already && !text.endsWith(alreadyWords))
    .map(({ code, level, text, address }) => ({
      kind: "lockout",
      level,
      apis: [],
      share: null,
      who: "Terraform or a protected request",
      text: `Lock-out: ${text}`,
      cause: causesOf(address, analysis),
      certainty: code === "TNF-ACL-LOCKOUT" ? "certain" : "possible",
      assumptions: [],
      examples: [],
    }));
}

/** The ACL that decides, or, if the plan leaves it unchanged, the changed ACLs that make requests reach it. */
function causesOf(address: string | undefined, { changed, parts }: AclAnalysis): Cause[] {
  const own = [...changed.values()].filter(({ after }) => after !== undefined && after.address === address);
  const others = parts.filter(({ after }) => after !== "allowed").map(({ cause }) => cause);
  return [...new Set(own.length > 0 ? own : others)].map(causeOf);
}
