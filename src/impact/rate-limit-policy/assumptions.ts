/** Words why a limit may be another one than the plan shows. */

export const assumed = {
  tenant: "the plan does not show which tenant the policy belongs to",
  order: "several resources manage the policy, and the one that is applied last sets the limit",
  callers: "the applications of the policy are known only after the apply",
  group: "whether the application belongs to a group with a policy of its own is not known",
  hiddenGroup: "whether it is an application that belongs to a group with a policy of its own is not known",
  usual: "whether the tenant has a default policy is not known",
} as const;

const meant = "may limit the same applications, but that is known only after the apply";

/** `policies`: the addresses of policies whose callers are not known. */
export const otherPolicies = (policies: readonly string[]) => `${policies.join(" and ")} ${meant}`;

/** `, unless a default or group policy applies`; `when`: the side on which the limit is not that of an own policy. */
export function unlessWords(assumptions: readonly string[] = [], when: "before" | "after"): string {
  const has = (...texts: readonly string[]) => assumptions.some((one) => texts.includes(one));
  const policies = [
    ...(has(assumed.usual) ? ["default"] : []),
    ...(has(assumed.group, assumed.hiddenGroup) ? ["group"] : []),
  ];
  const exceptions = [
    ...(policies.length > 0 ? [`a ${policies.join(" or ")} policy ${when === "after" ? "applies" : "applied"}`] : []),
    ...(has(assumed.order) ? ["another resource sets the limit"] : []),
    ...(assumptions.some((one) => one.endsWith(meant)) ? ["another policy limits them"] : []),
    ...(has(assumed.tenant) ? ["the policy belongs to another tenant"] : []),
  ];
  return exceptions.length > 0 ? `, unless ${exceptions.join(" or ")}` : "";
}
