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
  "policy-same-callers": "Two policies for the same applications",
  "set-same-organization": "Two sets for one organization",
  "duplicate-resource": "Two resources for one …",
  "key-same-name": "Two keys with the same name",
  renamed: "A … would be destroyed and created again",
  "protected-request": "A protected request …",
  "replacement-lockout": "This replacement would lock out Terraform or a protected request",
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
  "key-name-in-use": "A network ACL key in use cannot be replaced under its name",
  "key-in-use": "A network ACL key in use would be destroyed",
  "too-many-keys": "More keys than a tenant may have",
  taken: "The … is taken",
  "several-taken": "… objects need a … that is taken",
  "no-place-for-successor": "The tenant has no place for a new network ACL key",
  "members-lost": "Organization … would lose …",
  "members-may-lose": "Members may lose access",
  adoption: "An existing … will be adopted",
  "end-passed": "The expiry is in the past",
  expired: "… expired",
  "expires-soon": "… within 14 days",
  "unknown-key": "A key that the tenant does not have",
  adopted: "The existing … was adopted",
  "early-access": "Early Access",
  "plan-effects": "✖ …",
  "plan-changes": "… …; and …, … other changes",
  gone: "The object is gone from the tenant",
  "not-compared": "The object was not refreshed",
  "quota-waited": "Waited for the tenant's quota",
  "import-id": "Not the id of …",
  "nothing-to-import": "Nothing to import",
  "no-acl": "No such network ACL",
  "no-key": "No such network ACL key",
  "no-policy": "No such rate limit policy",
  "several-policies": "More than one such rate limit policy",
  "not-an-identity": "The identity in the import block is invalid",
  "identity-incomplete": "The identity in the import block is incomplete",
  "cannot-move": "Cannot move … to …",
  "newer-state": "The state is of a newer version of the provider",
  "unknown-type": "Unknown type …",
  "no-tenant": "No tenant domain is set",
  "tenant-not-allowed": "The tenant is not allowed",
  "other-tenant": "The state belongs to another tenant",
  "no-credentials": "No credentials",
  "unreadable-file": "The file of … cannot be read",
  "private-key": "Unusable private key",
  "configuration-unknown": "The provider's configuration is not known yet",
  "credentials-refused": "No token for these credentials",
  "address-moved": "The domain leads to another tenant",
  "token-limit": "The token endpoint limits this client",
  "token-refused": "The token is not accepted",
  "no-connection": "No connection to the tenant",
  timeout: "The tenant does not respond in time",
  redirected: "The endpoint redirects",
  "not-the-service": "The endpoint is not the Management API",
  "unreadable-response": "The response cannot be read",
  "quota-used-up": "The tenant's quota is used up",
  "service-failed": "The tenant responds with a server error",
  forbidden: "The tenant does not allow this",
  "step-lockout": "This change would lock out Terraform or a protected request",
  "step-breaks-expectation": "This step would break an expectation",
  "blocked-by-acl": "A network ACL of the tenant blocks Terraform",
  "impossible-id": "The id is invalid",
  "id-refused": "The service refuses the id",
  "configuration-refused": "The service refuses the configuration",
  "request-refused": "The service refuses the request",
  "not-found": "Not found on the tenant",
  "not-as-planned": "A value changed between plan and apply",
  "already-there": "The … exists already",
  "key-in-use-stays": "The network ACL key is in use and was not deleted",
  "no-place-for-key": "The tenant has its maximum of network ACL keys",
  fingerprint: "Another fingerprint than expected",
  "callers-have-policy": "Another rate limit policy has this selector",
  "not-known-whether": "It is not known whether the change was made",
  "not-done-either": "Skipped because of another error",
  stopped: "The run was stopped",
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
