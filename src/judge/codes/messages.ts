/** The codes of messages that are no effects. docs/guides/messages.md explains each. */
import type { Rows } from "./row";

/** Plans that the provider refuses, or would refuse without a setting. */
export const refusals = {
  "TNF-PROTECTED-REQUEST": { title: "A protected request is blocked", message: "… the protected request …" },
  "TNF-REPLACEMENT-LOCKOUT": { title: "This replacement would lock out Terraform or a protected request" },
  "TNF-PLANNED-STEP-BREAKS-EXPECTATION": { title: "A step of this plan would break an expectation" },
  "TNF-PLAN-LOCKOUT": { title: "Terraform itself may be locked out", message: "… Terraform itself…" },
  "TNF-EXPECTATION-BROKEN-BEFORE": { title: "Expectation … was broken before" },
  "TNF-MAX-REMOVALS": { title: "More removals than max_removals allows", message: "…" },
  "TNF-NO-ORGANIZATION": { title: "No such organization" },
  "TNF-SCOPE-MISSING": {
    title: "The token lacks …",
    remedy: "Grant the scope to the client (Applications > APIs > Management API), then try again.",
  },
  "TNF-TAKEN": {
    title: "The … is taken",
    remedy:
      "Choose another value, or import the other object with the command in the message. If this configuration " +
      "moves or removes the other object, apply again.",
  },
  "TNF-UNKNOWN-PART": {
    title: "… has a part that this version does not know",
    remedy: "Use a newer version of the provider, or remove the part on the tenant.",
  },
  "TNF-PRIORITY-LATER": { title: "A network ACL waits for its priority" },
  "TNF-PRIORITY-MISSED": { title: "A network ACL did not get its priority" },
} as const satisfies Rows;

export const messages = {
  // The configuration
  "TNF-INVALID-VALUE": { title: "Invalid …" },
  "TNF-MISSING-VALUE": { title: "Missing …" },
  "TNF-DOUBTFUL-VALUE": { title: "Doubtful …" },

  // Warnings of plans
  "TNF-MEMBERS-LOST": { title: "Members lose access", message: "…" },
  "TNF-ADOPTION": { title: "An existing … will be adopted" },
  "TNF-ADOPTED": { title: "The existing … was adopted" },
  "TNF-PLAN-EFFECTS": { title: "✖ …", message: "…" },
  "TNF-GONE": { title: "The object is gone from the tenant" },
  "TNF-NOT-COMPARED": { title: "The object was not refreshed" },
  "TNF-QUOTA-WAITED": { title: "Waited for the tenant's quota" },

  // Importing and moving
  "TNF-IMPORT-ID": { title: "Not the id of …" },
  "TNF-NOTHING-TO-IMPORT": { title: "Nothing to import" },
  "TNF-NO-SUCH": { title: "No such …" },
  "TNF-SEVERAL-SUCH": { title: "Several such …" },
  "TNF-NOT-AN-IDENTITY": { title: "The identity in the import block is invalid" },
  "TNF-IDENTITY-INCOMPLETE": { title: "The identity in the import block is incomplete" },
  "TNF-CANNOT-MOVE": { title: "Cannot move … to …" },
  "TNF-NEWER-STATE": { title: "The state is of a newer version of the provider" },
  "TNF-UNKNOWN-TYPE": { title: "Unknown type …" },

  // Connection to the tenant
  "TNF-NO-TENANT": { title: "No tenant domain is set" },
  "TNF-TENANT-NOT-ALLOWED": { title: "The tenant is not allowed" },
  "TNF-OTHER-TENANT": { title: "The state belongs to another tenant" },
  "TNF-ADDRESS-MOVED": {
    title: "The domain leads to another tenant",
    remedy:
      "Run the command again to compare the state with this tenant. For a saved plan, plan again. This tenant was not changed.",
  },
  "TNF-NO-CREDENTIALS": { title: "No credentials" },
  "TNF-UNREADABLE-FILE": { title: "The file of … cannot be read" },
  "TNF-PRIVATE-KEY": { title: "Unusable private key", remedy: "Give the key as PEM text, or as base64 of it." },
  "TNF-CONFIGURATION-UNKNOWN": { title: "The provider's configuration is not known yet" },
  "TNF-CREDENTIALS-REFUSED": {
    title: "No token for these credentials",
    remedy:
      "Check the credentials: client_id with client_secret or client_assertion_private_key of the provider block, " +
      "or the variables TENANT_CLIENT_ID with TENANT_CLIENT_SECRET or TENANT_CLIENT_ASSERTION_PRIVATE_KEY (after " +
      "the environment_prefix of the provider, if there is one).",
  },
  "TNF-TOKEN-LIMIT": {
    title: "The token endpoint limits this client",
    remedy:
      "If the message names a time, try again after it. Otherwise a rate limit policy of the tenant blocks this " +
      "application: change or delete the policy in the dashboard, because Terraform cannot. Until then, use " +
      "another application, or a token that is still valid (`TENANT_ACCESS_TOKEN`).",
  },
  "TNF-TOKEN-REFUSED": {
    title: "The token is not accepted",
    remedy:
      "If the provider uses an access_token (TENANT_ACCESS_TOKEN), give another one, or client credentials, with which " +
      "it gets new tokens. If it uses client credentials, the tenant also refused a new token: check that domain or " +
      "endpoint, and audience, name the tenant of the client, and that no proxy changes the Authorization header.",
  },
  "TNF-NO-CONNECTION": {
    title: "No connection to the tenant",
    remedy:
      "Check domain or endpoint, the network, and HTTPS_PROXY if you need a proxy. For a certificate of your own " +
      "authority, or of `tenantform emulate --tls`, set certificate_authority_file " +
      "(TENANT_CERTIFICATE_AUTHORITY_FILE), NODE_EXTRA_CA_CERTS or SSL_CERT_FILE.",
  },
  "TNF-TIMEOUT": { title: "The tenant does not respond in time", remedy: "Try again later." },
  "TNF-REDIRECTED": {
    title: "The endpoint redirects",
    remedy:
      "Give the root URL of the tenant as domain or endpoint. A portal, a proxy or a network ACL may also redirect.",
  },
  "TNF-NOT-THE-SERVICE": {
    title: "The endpoint is not the Management API",
    remedy: "Check domain or endpoint. A proxy or a portal on the way to Auth0 may also respond.",
  },
  "TNF-UNREADABLE-RESPONSE": {
    title: "The response cannot be read",
    remedy: "A proxy on the way may have changed it. Try again. If the error stays, report it.",
  },
  "TNF-QUOTA-USED-UP": {
    title: "The tenant's quota is used up",
    remedy: "Try again later, or with fewer calls in parallel (terraform apply -parallelism=2).",
  },
  "TNF-SERVICE-FAILED": {
    title: "The tenant responds with a server error",
    remedy:
      "Try again later. If it fails again, look at the status page of Auth0, and at the values that this change sends.",
  },
  "TNF-FORBIDDEN": {
    title: "The tenant does not allow this",
    remedy:
      "Check whether your Auth0 subscription includes this feature, and this number of objects. Network ACLs (Tenant " +
      "ACLs) need an Enterprise subscription, with one ACL, or ten with the Attack Protection add-on. Auth0 " +
      "enables features in Early Access, such as rate limit policies and keys, tenant by tenant. If every API " +
      "call fails like this, a network ACL or a proxy may block this machine.",
  },
  "TNF-STEP-LOCKOUT": { title: "This change would lock out Terraform or a protected request" },
  "TNF-STEP-BREAKS-EXPECTATION": { title: "This step would break an expectation" },
  "TNF-BLOCKED-BY-ACL": {
    title: "A network ACL of the tenant blocks Terraform",
    remedy:
      "Deactivate the ACL in the dashboard (Security > Access Control), or run Terraform from an address that the " +
      "ACLs allow. The tenant's logs name the ACL. Terraform cannot undo this from here, because the tenant " +
      "refuses API calls from this machine.",
  },
  "TNF-IMPOSSIBLE-ID": {
    title: "The id is invalid",
    remedy: "Correct the id or the name. The provider sent no API call.",
  },
  "TNF-ID-REFUSED": { title: "Auth0 refuses the id", remedy: "Correct the id or the name." },
  "TNF-CONFIGURATION-REFUSED": {
    title: "Auth0 refuses the configuration",
    remedy: "Correct the attribute that Auth0 names.",
  },
  "TNF-REQUEST-REFUSED": {
    title: "Auth0 refuses the request",
    remedy: "If this response does not say what to correct, report it with these facts.",
  },
  "TNF-NOT-FOUND": {
    title: "Not found on the tenant",
    remedy:
      "If somebody deleted the object after the plan, plan again. Otherwise check the id, and check that domain " +
      "or endpoint names the right tenant.",
  },

  // Errors during an apply
  "TNF-NOT-AS-PLANNED": { title: "A value changed between plan and apply" },
  "TNF-ALREADY-THERE": {
    title: "The … exists already",
    remedy: "Import the existing object, or change this one (priority, consumer_selector, name).",
  },
  "TNF-KEY-IN-USE-STAYS": { title: "The network ACL key is in use and was not deleted" },
  "TNF-NO-PLACE-FOR-KEY": { title: "The tenant has its maximum of network ACL keys" },
  "TNF-FINGERPRINT": { title: "Another fingerprint than expected" },
  "TNF-NOT-KNOWN-WHETHER": {
    title: "It is not known whether the change was made",
    remedy: "Before the next apply, look for the object on the tenant, and import it if it exists.",
  },
  "TNF-NOT-DONE-EITHER": {
    title: "Skipped because of another error",
    remedy: "See the other error of this run. Correct its cause, then run the command again.",
  },
  "TNF-STOPPED": { title: "The run was stopped", remedy: "Apply again to continue." },
  "TNF-DEFECT": { title: "A defect of the provider" },
} as const satisfies Rows;
