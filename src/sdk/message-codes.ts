/** The code of each message. A code is the anchor of its section in docs/guides/messages.md, so it never changes. */

/** Code -> title. `…` stands for any text. A title may change; its code stays. */
export const titles = {
  "invalid-value": "Invalid …",
  "missing-value": "Missing …",
  "doubtful-value": "Doubtful …",
  "wrong-clock": "The clock of this machine is wrong",
  "priority-later": "A network ACL waits for its priority",
  "priority-missed": "A network ACL did not get its priority",
  "acl-same-priority": "Two ACLs with the same priority",
  "policy-same-callers": "Two policies for the same callers",
  "set-same-organization": "Two sets for one organization",
  "duplicate-resource": "Two resources for one …",
  "key-same-name": "Two keys with the same name",
  renamed: "A … would be destroyed and created again",
  "protected-request": "A protected request …",
  "replacement-lockout": "This replacement would lock out",
  "planned-step-breaks-expectation": "A step of this plan would break an expectation",
  "plan-lockout": "This plan … Terraform …",
  "expectation-broken": "Expectation … is broken",
  "expectation-broken-before": "Expectation … was broken before",
  "expectation-undecided": "Expectation … is undecided",
  "organization-emptied": "An organization would be emptied",
  "max-removals": "More removals than max_removals allows",
  "other-members": "The organization has other members",
  "no-organization": "No such organization",
  "scope-missing": "The token lacks …",
  "key-name-in-use": "A key in use cannot keep its name",
  "key-in-use": "A key in use would be destroyed",
  "too-many-keys": "More keys than a tenant may have",
  taken: "The … is taken",
  "several-taken": "… objects need a … that is taken",
  "no-place-for-successor": "No place for a new key",
  "members-lost": "Organization … would lose …",
  "members-may-lose": "Members may lose access",
  adoption: "An existing … will be adopted",
  "end-passed": "A new end has passed",
  expired: "… expired",
  "expires-soon": "… within 14 days",
  "unknown-key": "A key that the tenant does not have",
  adopted: "Adopted",
  "early-access": "Early Access",
  "plan-effects": "✖ …",
  "plan-changes": "… …; and …, … other changes",
  gone: "Gone from the service",
  "not-compared": "Not compared with the service",
  "quota-waited": "Waited for the tenant's quota",
  "import-id": "Not the id of …",
  "nothing-to-import": "Nothing to import",
  "no-acl": "No such network ACL",
  "no-key": "No such network ACL key",
  "no-policy": "No such rate limit policy",
  "several-policies": "More than one such rate limit policy",
  "not-an-identity": "Not an identity",
  "identity-incomplete": "The identity is incomplete",
  "cannot-move": "Cannot move … to …",
  "newer-state": "The state is of a newer version of the provider",
  "unknown-type": "Unknown type …",
  "no-tenant": "No tenant is named",
  "tenant-not-allowed": "The tenant is not allowed",
  "other-tenant": "The state belongs to another tenant",
  "no-credentials": "No credentials",
  "unreadable-file": "The file of … cannot be read",
  "private-key": "Unusable private key",
  "configuration-unknown": "The provider's configuration is not known yet",
  "credentials-refused": "No token for these credentials",
  "address-moved": "The address leads to another tenant",
  "token-limit": "The token endpoint limits this client",
  "token-refused": "The token is not accepted",
  "no-connection": "No connection to the tenant",
  timeout: "The tenant does not respond in time",
  redirected: "The endpoint redirects",
  "not-the-service": "The endpoint is not the Management API",
  "unreadable-response": "The response cannot be read",
  "quota-used-up": "The tenant's quota is used up",
  "service-failed": "The service fails",
  forbidden: "The tenant does not allow this",
  "step-lockout": "This step would lock out",
  "step-breaks-expectation": "This step would break an expectation",
  "blocked-by-acl": "A network ACL of the tenant blocks Terraform",
  "impossible-id": "Impossible id",
  "id-refused": "The service refuses the id",
  "configuration-refused": "The service refuses the configuration",
  "request-refused": "The service refuses the request",
  "not-found": "Not found on the tenant",
  "not-as-planned": "Not as it was planned",
  "already-there": "Already there",
  "key-in-use-stays": "A key in use stays",
  "no-place-for-key": "No place for another key",
  fingerprint: "Another fingerprint than expected",
  "callers-have-policy": "The callers have a policy",
  "not-known-whether": "Not known whether it took effect",
  "not-done-either": "Not done either",
  stopped: "Stopped",
  defect: "A defect of the provider",
} as const;

export type MessageCode = keyof typeof titles;

/** The words of this message come from the configuration, so it has no title of its own. */
const other: MessageCode = "plan-changes";

let patterns: readonly (readonly [code: MessageCode, title: RegExp])[] | undefined;

export function codeOf(summary: string): MessageCode {
  patterns ??= (Object.keys(titles) as MessageCode[])
    .filter((code) => code !== other)
    .map((code) => [code, patternOf(titles[code])] as const);
  return patterns.find(([, title]) => title.test(summary))?.[0] ?? other;
}

function patternOf(title: string): RegExp {
  const parts = title.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // The first character of an effect shows its level.
  const signed = title.startsWith("✖") ? ["[✖●○] ", ""] : parts;
  return new RegExp(`^${signed.join(".+")}$`, "s");
}
