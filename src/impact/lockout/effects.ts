/** The lock-outs of a plan as effects. */
import type { Code, Finding } from "../finding";
import type { Effect } from "../verdict/effect";

const isLockout = (code: Code) => code === "TF-ACL-LOCKOUT" || code === "TF-ACL-LOCKOUT-POSSIBLE";

/** `findings`: all findings of the plan. */
export function lockoutEffects(findings: readonly Finding[]): Effect[] {
  return findings
    .filter(({ code, already, ignored }) => isLockout(code) && !already && ignored === undefined)
    .map(({ code, level, text, address, plan }) => ({
      kind: "lockout",
      level,
      apis: [],
      share: null,
      who: "Terraform or a protected request",
      text: `Lock-out: ${text}`,
      cause:
        address === undefined
          ? []
          : [{ address, ...(plan !== undefined && { plan }), words: "is the network ACL that decides" }],
      certainty: code === "TF-ACL-LOCKOUT" ? "certain" : "possible",
      assumptions: [],
      examples: [],
    }));
}
