/** The tenant, its token, and its responses. */
import type { Rows } from "./row";

export const connection = {
  "TNF-NO-TENANT": {
    title: "No tenant domain is set",
    text: ["Set `domain` in the provider block, or `TENANT_DOMAIN`, or the root URL of the tenant as `endpoint`."],
  },
  "TNF-TENANT-NOT-ALLOWED": {
    title: "The tenant is not allowed",
    text: [
      "`allowed_domains` of the provider block does not have the domain of this configuration. The provider sent " +
        "no API call. Check `domain`, `endpoint` and TENANT_DOMAIN. If the tenant is right, add its domain.",
    ],
  },
  "TNF-OTHER-TENANT": {
    title: "The state belongs to another tenant",
    text: [
      "The object in the state was created or read on another tenant than the one of this configuration. Nothing " +
        "was changed. See [One state, one tenant](tenants.md#one-state-one-tenant) for the remedies.",
    ],
  },
  "TNF-ADDRESS-MOVED": {
    title: "The domain leads to another tenant",
    text: [
      "A command had compared its state with one tenant. The address then gave a token for another one, so the " +
        "command sent nothing to it. An embedded tenant that was started again without `--data` is such another " +
        "tenant.",
    ],
    remedy:
      "Run the command again to compare the state with this tenant. For a saved plan, plan again. Nothing was " +
      "changed.",
  },
  "TNF-NO-CREDENTIALS": {
    title: "No credentials",
    text: [
      "Set `TENANT_CLIENT_ID` and `TENANT_CLIENT_SECRET`, or use another kind of credentials that the message " +
        "names. If the provider has an `environment_prefix`, only variables with this prefix count, such as " +
        "`ACME_TENANT_CLIENT_ID`.",
    ],
  },
  "TNF-UNREADABLE-FILE": {
    title: "The file of … cannot be read",
    text: ["The path does not lead to a readable PEM file. Correct the path or the permissions."],
  },
  "TNF-PRIVATE-KEY": {
    title: "Unusable private key",
    text: [
      "`client_assertion_private_key` is not a key that can sign with `client_assertion_signing_alg`. The " +
        "message names the cause. The provider reads PEM text also in the forms that CI systems store: in one " +
        "line, with `\\n` as two characters, in quotes, and as base64 of the text.",
    ],
    remedy: "Give the key as PEM text, or as base64 of it.",
  },
  "TNF-CONFIGURATION-UNKNOWN": {
    title: "The provider's configuration is not known yet",
    text: [
      "The provider needs an API call now, but part of the provider block is known only after apply. First apply " +
        "the resources that the block depends on (`-target`), or give the value directly.",
    ],
  },
  "TNF-CREDENTIALS-REFUSED": {
    title: "No token for these credentials",
    text: [
      "The tenant refuses the client id or its secret, the application is not authorized for the Management API, " +
        "or `audience` belongs to another tenant. With [many tenants](tenants.md), check that the prefix of the " +
        "variables belongs to this tenant. If `domain` or `endpoint` is a custom domain, set `audience` to the one " +
        "of the tenant's own name, such as `https://acme.eu.auth0.com/api/v2/`: Auth0 does not know the Management " +
        "API by a custom domain.",
    ],
    remedy:
      "Check the credentials: client_id with client_secret or client_assertion_private_key of the provider " +
      "block, or the variables TENANT_CLIENT_ID with TENANT_CLIENT_SECRET or " +
      "TENANT_CLIENT_ASSERTION_PRIVATE_KEY (after the environment_prefix of the provider, if there is one).",
  },
  "TNF-TOKEN-LIMIT": {
    title: "The token endpoint limits this client",
    text: [
      "The token endpoint responds with 429. If the responses name no time, Tenantform stops after three " +
        "attempts. If they do, it stops after seven attempts or a minute, or at once if the time is more than a " +
        "minute ahead. The policy may be that of `client_id:` with this client, of its group, or of `default`: " +
        "rate limit policies also hold for `/oauth/token`.",
    ],
    remedy:
      "If the message names a time, try again after it. Otherwise a rate limit policy of the tenant blocks this application: change or delete the " +
      "policy in the dashboard, because Terraform cannot. Until then, use another application, or a token that is still valid (`TENANT_ACCESS_TOKEN`).",
  },
  "TNF-TOKEN-REFUSED": {
    title: "The token is not accepted",
    text: ["The access token has expired or belongs to another tenant."],
    remedy:
      "Give another access_token (TENANT_ACCESS_TOKEN), or client credentials, with which the provider gets new " +
      "tokens. The client must be authorized for the Management API of this tenant.",
  },
  "TNF-NO-CONNECTION": {
    title: "No connection to the tenant",
    text: ["The certificate must name the host or the IP address of the endpoint, also behind a proxy."],
    remedy:
      "Check domain or endpoint, the network, and HTTPS_PROXY if you need a proxy. For a certificate of your own " +
      "authority, or of `tenantform emulate --tls`, set certificate_authority_file " +
      "(TENANT_CERTIFICATE_AUTHORITY_FILE), NODE_EXTRA_CA_CERTS or SSL_CERT_FILE.",
  },
  "TNF-TIMEOUT": {
    title: "The tenant does not respond in time",
    text: ["The provider repeats API calls that are safe to repeat, and still got no response."],
    remedy: "Try again later.",
  },
  "TNF-REDIRECTED": {
    title: "The endpoint redirects",
    text: ["The provider follows no redirect, because a redirect would send the token to another server."],
    remedy:
      "Give the root URL of the tenant as domain or endpoint. A portal, a proxy or a network ACL may also redirect.",
  },
  "TNF-NOT-THE-SERVICE": {
    title: "The endpoint is not the Management API",
    text: ["The response is from something else."],
    remedy: "Check domain or endpoint. A proxy or a portal on the way to Auth0 may also respond.",
  },
  "TNF-UNREADABLE-RESPONSE": {
    title: "The response cannot be read",
    text: ["The response was cut short or is not JSON."],
    remedy: "A proxy on the way may have changed it. Try again. If the error stays, report it.",
  },
  "TNF-QUOTA-USED-UP": {
    title: "The tenant's quota is used up",
    text: ["API calls would wait longer than `max_retry_wait`."],
    remedy: "Try again later, or with fewer calls in parallel (terraform apply -parallelism=2).",
  },
  "TNF-SERVICE-FAILED": {
    title: "The tenant responds with a server error",
    text: ["Auth0 responded with 5xx to every attempt."],
    remedy:
      "Try again later. If it fails again, look at the status page of Auth0, and at the values that this change sends.",
  },
  "TNF-FORBIDDEN": {
    title: "The tenant does not allow this",
    text: ["The tenant refuses the API call, and the message quotes the response."],
    remedy:
      "Check whether your Auth0 subscription includes this feature and so many objects. Network ACLs (Tenant " +
      "ACLs) need an Enterprise subscription, with one ACL, or ten with the Attack Protection add-on. Auth0 " +
      "enables features in Early Access, such as rate limit policies and keys, tenant by tenant. If every API " +
      "call fails like this, a network ACL or a proxy may block this machine.",
  },
  "TNF-STEP-LOCKOUT": {
    title: "This change would lock out Terraform or a protected request",
    text: [
      "This one write would block Terraform or a request of `protected_request` at this moment of the apply, " +
        "although the plan as a whole may be harmless. For example, an allow moves behind a block, and the block " +
        "has not moved yet. The provider let the other changes of the apply come first, and then did not send " +
        "the write. The message names the request and the ACL that would block it.",
      "- Apply again. The other changes are then done, so a later apply often succeeds. With `-parallelism=1`, no " +
        "other change can come first.\n- To create an allow and a block in one apply, add the allow to `depends_on` " +
        "of the block. A destroy then also removes the block first.\n- If Terraform replaces the allow, write " +
        "`lifecycle { create_before_destroy = true }` and give the new ACL another priority.\n- If the allow only has " +
        "another name, write `moved`. If it is only tainted, run `terraform untaint`.\n- If the plan as a whole " +
        "blocks the request, narrow the rule, or add an ACL that allows the request and is evaluated first. " +
        "`terraform plan` then shows the same lock-out.",
    ],
  },
  "TNF-STEP-BREAKS-EXPECTATION": {
    title: "This step would break an expectation",
    text: [
      "The expectation holds now, and would not hold after this write. The provider let the other changes of the " +
        "apply come first, and then did not send the write. The message shows what would be wrong.",
      "- Apply again: a change that prevents it is then done. With `-parallelism=1`, no other change can come " +
        "first.\n- If Terraform replaces an object, write `lifecycle { create_before_destroy = true }`. If the object " +
        'is only tainted, run `terraform untaint`.\n- If you mean it, change the expectation. `severity = "warning"` ' +
        "refuses nothing.",
    ],
  },
  "TNF-BLOCKED-BY-ACL": {
    title: "A network ACL of the tenant blocks Terraform",
    text: [
      "Every API call gets status 403; scopes and entitlements are not the cause. After a change in the dashboard, " +
        "the next plan shows this change as drift. An allowed address may be that of a VPN, or of a host in " +
        "`HTTPS_PROXY`. If an embedded tenant is locked, `POST /_tenantform/unlock` deactivates its ACLs and keeps " +
        "everything else.",
      "Then add an ACL that allows the machines that run Terraform and is evaluated first, and name them in " +
        "`protected_request`. See [I am locked out](recipes.md#i-am-locked-out).",
    ],
    remedy:
      "Deactivate the ACL in the dashboard (Security > Access Control), or run Terraform from an address that " +
      "the ACLs allow. The tenant's logs name the ACL. Terraform cannot undo this from here, because the " +
      "tenant refuses API calls from this machine.",
  },
  "TNF-IMPOSSIBLE-ID": {
    title: "The id is invalid",
    text: ["No object can have this id."],
    remedy: "Correct the id. The provider sent no API call.",
  },
  "TNF-ID-REFUSED": {
    title: "Auth0 refuses the id",
    text: ["Auth0 does not accept this id of the configuration or of an import. The message quotes the reason."],
    remedy: "Correct the id.",
  },
  "TNF-CONFIGURATION-REFUSED": {
    title: "Auth0 refuses the configuration",
    text: ["Auth0 has a limit that this version does not know. The message quotes the response."],
    remedy: "Correct the attribute that Auth0 names.",
  },
  "TNF-REQUEST-REFUSED": {
    title: "Auth0 refuses the request",
    text: ["Auth0 responded with an unexpected status. The message quotes the response."],
    remedy: "If this response does not say what to correct, report it with these facts.",
  },
  "TNF-NOT-FOUND": {
    title: "Not found on the tenant",
    text: ["The tenant does not have the object, or the organization of a member set."],
    remedy:
      "If somebody deleted the object after the plan, plan again. Otherwise check the id, and check that domain or " +
      "endpoint names the right tenant.",
  },
} as const satisfies Rows;
