/** The lock-outs of a plan as effects. */
import type { Finding } from "../finding";
import type { Effect } from "../verdict/effect";

/** `findings`: those that `lockoutFindings` returns. */
export function lockoutEffects(findings: readonly Finding[]): Effect[] {
  return findings
    .filter(({ already, ignored }) => !already && ignored === undefined)
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
