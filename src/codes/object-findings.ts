/** Findings about keys, limits, members, objects and the plan itself. */
import type { Rows } from "./row";

export const objectFindings = {
  "TNF-KEY-IN-USE": {
    level: "high",
    title: "A rule still names a signature key that the plan destroys",
    message: "A network ACL key in use would be destroyed",
    text: [
      "The plan destroys or replaces a signature key, and the rule of an ACL still names the key. A tenant " +
        "refuses to delete a key that a rule names, even if the ACL is inactive. So the apply fails.",
      "The provider refuses the plan. Remove the key from the rule, in the same plan or in the stack that has " +
        "the rule. It is a warning if the plan has not seen the ACL: the ACL may be in another stack, or Terraform " +
        "may plan it after the key. The apply fails if the rule still names the key then.",
      'Example: a rule has `keys { id = "key_8mJ2rTqZsWv5nYxB4cKdEf" }`, and the plan rotates that key. Name ' +
        "the key by reference (`tenant_network_acl_key.edge.id`), and the rule follows.",
    ],
  },
  "TNF-KEY-ROTATED": {
    level: "medium",
    title: "The plan replaces a signature key that a rule names",
    text: [
      "The plan replaces a signature key, and a rule names the new key. Requests that are signed with the old " +
        "secret stop matching. If only the name changes, requests that are signed with the old id stop matching. " +
        "If Terraform would delete the old key first, which the tenant refuses, the effect says so.",
      "Example: a new secret of a `tenant_network_acl_key`. [Signed requests](recipes.md#signed-requests) shows how " +
        "signers change without a gap.",
    ],
  },
  "TNF-KEY-CREATED": {
    level: "info",
    title: "The plan creates a signature key",
    text: [
      "The plan creates a signature key. Effects show names of keys and never their secrets.",
      "Example: a first `tenant_network_acl_key`.",
    ],
  },
  "TNF-LIMIT-LOCKOUT": {
    level: "critical",
    title: "A limit locks Terraform out",
    text: [
      "A policy blocks or redirects every request of the application with which Terraform authenticates: its own " +
        "policy, or `default` if it has none. No later plan could get a token. The provider refuses the plan, " +
        "unless `lockout_guard` is weaker. If the limit is below 5 requests/s, or the policy is for a group that " +
        "may have this application, the level is medium. The review knows the application if the provider block has " +
        "`client_id`.",
      "Example: `limit = 0` for `default`. Give Terraform's application a policy of its own first.",
    ],
  },
  "TNF-LIMIT-BLOCKED": {
    level: "high",
    title: "A limit becomes 0",
    text: [
      "A policy blocks every request of a consumer: the limit becomes 0. For the default policy, the level is " +
        "critical, because it blocks every application that has no policy of its own.",
      'Example: `configuration = { action = "block", limit = 0 }`.',
    ],
  },
  "TNF-LIMIT-UNKNOWN": {
    level: "medium",
    title: "A limit is not known",
    text: [
      "The applications or the limit of a policy are known only after the apply, so the limit may become lower or " +
        "higher. The same is reported if a limit changes that the plan marks as sensitive, or whose old value it does " +
        "not show. If the plan shows that the limit becomes 0, the level is that of TNF-LIMIT-BLOCKED.",
      "Example: `limit = data.http.capacity.limit`, read while applying.",
    ],
  },
  "TNF-LIMIT-REDIRECT": {
    level: "medium",
    title: "A policy redirects to another URI",
    text: [
      "A policy redirects requests above its limit to a URI that it did not use before, or it blocks these " +
        "requests instead of redirecting them, with the same limit. If a redirect moves to another host, the level " +
        "is high.",
      'Example: `redirect_uri = "https://status.example.net/"`.',
    ],
  },
  "TNF-LIMIT-TIGHTENED": {
    level: "low",
    title: "A limit becomes lower",
    text: [
      "A policy allows fewer requests of an application or a group. The policy of an application overrides the default policy. If it " +
        "allows half as many requests or fewer, or the default policy is new, the level is medium; a tenth or " +
        "fewer, or with `--logs` that show rejected requests (`api_limit`): high. A policy that redirects every " +
        "request (limit 0) has the level of TNF-LIMIT-BLOCKED.",
      "Example: the limit of `default` changes from 50 to 10.",
    ],
  },
  "TNF-LIMIT-LOOSENED": {
    level: "low",
    title: "A limit becomes higher",
    text: [
      "A policy allows more requests of an application or a group. If the default policy no longer limits requests, the level " +
        "is medium.",
      "Example: you remove the policy of `client_id:abc`, and the default policy allows more.",
    ],
  },
  "TNF-LIMIT-LOGGED": {
    level: "info",
    title: "A policy logs other requests",
    text: [
      "A policy with the action `log` counts from another number of requests. Logging limits nobody.",
      "Example: `limit` of a policy with the action `log` changes from 50 to 100.",
    ],
  },
  "TNF-MEMBERS-EMPTIED": {
    level: "critical",
    title: "An organization loses all members",
    message: "An organization would be emptied",
    text: [
      "According to the plans, the organization has no members after the apply. A set with `exclusive = false` " +
        "does not show all members, so its plan alone never causes this effect.",
      "The provider refuses such a plan, also if the set is destroyed. If you mean it, set `allow_empty = true`; for a set that Terraform " +
        'destroys, apply this setting before you delete the block, or apply `on_destroy = "keep"` to leave the members. See [member ' +
        "sets](refusals.md#member-sets).",
      "Example: `members = []`, or a deleted block.",
    ],
  },
  "TNF-MEMBERS-MANY": {
    level: "high",
    title: "An organization loses many members",
    text: [
      "An organization loses more than ten members, or more than a quarter of its members. If the number of its " +
        "members is not known, as for a set with `exclusive = false`, only the first rule counts. Below 5 members, " +
        "the level is medium.",
      "Example: a set of 40 members changes to 25 members.",
    ],
  },
  "TNF-MEMBERS-REMOVED": {
    level: "low",
    title: "An organization loses members",
    text: [
      "An organization loses members. The effect shows no share if the plans do not show all members, as for a " +
        "set with `exclusive = false`. The level is info if the members stay in the organization although the set " +
        "no longer lists them.",
      "Example: you remove one of ten members from the set. Or you remove a member and set `exclusive = false`: " +
        "the member stays.",
    ],
  },
  "TNF-MEMBERS-UNKNOWN": {
    level: "high",
    title: "Members may lose access",
    text: [
      "Members may lose access, and the plan does not show which. An attribute of the set is known only after the apply, or the " +
        "set removes every member that it does not list while the plan does not show the current members. The effect gives the largest " +
        'possible number if it can: "up to 80 of 80". For the exact number, give `--tenant`, or read `data.tenant_organization_members`. ' +
        "The level is low if at most ten members and at most a quarter of the organization can lose access, and info if members can " +
        "only gain access.",
      "The plan has no number if the organization of a new set is known only after apply. Give an " +
        "`organization_id` that the plan knows, or set `max_removals`, which the apply checks.",
      "Example: `members = data.http.staff.users`, read while applying.",
    ],
  },
  "TNF-MEMBERS-ADDED": {
    level: "low",
    title: "Members gain access",
    text: [
      "Members gain access to an organization. The level is info if they may be members already.",
      "Example: `members` lists one more person.",
    ],
  },
  "TNF-REPLACED": {
    level: "low",
    title: "Terraform replaces an object",
    text: [
      "Terraform destroys an object and creates it again with another id.",
      "Example: the `consumer_selector` of a policy changes.",
    ],
  },
  "TNF-RENAMED": {
    level: "medium",
    title: "Terraform would destroy an object and create the same one",
    message: "A … would be destroyed and created again",
    text: [
      "Terraform would destroy an object and create the same one under another address. If the resource was only " +
        "renamed, it needs a `moved` block. The effect names both addresses. Two keys are the same if their names " +
        "and algorithms are. Objects with sensitive values never have this effect.",
      "The provider refuses such a plan, because Terraform creates and destroys in any order, so the tenant " +
        "could end with no object. In CDKTF programs, keep the construct's id and path, or call `moveTo`. " +
        "Terraform does not tell a provider the addresses: `terraform plan -out=plan` writes the plan even if it " +
        "fails, and if Terraform had planned the new object by then, `npx tenantform review plan` shows both " +
        "addresses.",
      "Example: `tenant_network_acl.office` becomes `tenant_network_acl.headquarters`.",
    ],
  },
  "TNF-APPLY-MAY-FAIL": {
    level: "high",
    title: "The apply may fail and leave neither object",
    text: [
      "A resource of the auth0 provider is destroyed, and another one is created with the same priority, selector or name. Terraform " +
        "runs both at the same time. If the create comes first, the tenant refuses it, and the destroy still happens: the tenant has " +
        "neither object until the next apply. A replacement with `create_before_destroy` always fails.",
      "If a resource or a key of `for_each` only has another name, write a `moved` block, so that the object stays. Otherwise remove the " +
        "old resource in an apply of its own. A resource of the provider `tenant` waits until the priority is free.",
      'Example: `for_each` names the ACL with priority 5 `"wall-2"` instead of `"wall"`.',
    ],
  },
  "TNF-DESTROYED": {
    level: "low",
    title: "Terraform destroys an object",
    text: [
      'Terraform destroys an object. The effect says "deposed" if the object is left over from an earlier ' +
        "replacement.",
      "Example: you remove a resource from the configuration.",
    ],
  },
  "TNF-FORGOTTEN": {
    level: "low",
    title: "Terraform no longer manages an object",
    text: [
      "Terraform no longer manages an object, which stays unchanged on the tenant.",
      "Example: a `removed` block with `destroy = false`.",
    ],
  },
  "TNF-DRIFT": {
    level: "medium",
    title: "Somebody changed an object outside Terraform",
    text: [
      "Somebody changed an object outside Terraform since the last apply. The effect says whether the apply " +
        "undoes this change.",
      "Example: somebody deactivated an ACL in the dashboard.",
    ],
  },
  "TNF-IMPORTED": {
    level: "info",
    title: "Terraform imports an object",
    text: [
      "Terraform starts to manage an existing object of the tenant.",
      "Example: an `import` block, or an object made in the dashboard that the apply adopts because it is identical " +
        "to a new object of the plan. The review knows this with `--tenant`.",
    ],
  },
  "TNF-MOVED": {
    level: "info",
    title: "An object gets another address",
    text: ["An object gets another address and stays unchanged.", "Example: a `moved` block."],
  },
  "TNF-EARLY-ACCESS": {
    level: "info",
    title: "The plan uses Early Access features",
    message: "Early Access",
    text: [
      "The plan uses features that Auth0 offers as Early Access. Auth0 may change them, and enables " +
        "them tenant by tenant.",
      "The warning appears once. To hide it, set `hide_early_access_warning = true` in the provider block.",
      "Example: a first rate limit policy.",
    ],
  },
  "TNF-INCOMPLETE": {
    level: "low",
    title: "The plan is incomplete",
    text: [
      "The plan does not show every change: it was created with `-target`, or defers changes. The review is incomplete. A plan with `-refresh-only` is complete.",
      "With `--tenant`, this effect also says that the tenant refuses to list objects of a kind that the plan " +
        "may change, because it does not have this feature.",
      "Example: `terraform plan -target=tenant_network_acl.office`.",
    ],
  },
  "TNF-PLAN-FAILED": {
    level: "critical",
    title: "The plan failed",
    text: [
      "The command `terraform plan` ended with an error, so nothing can be applied. The review shows what the plan would have done, " +
        "as far as the plan has it: a refused change is missing. The errors stand first if you give the output of `terraform plan`, " +
        "as text or as the stream of `-json`, with `--plan-output FILE`. This effect fails every `--fail-on`, and nothing ignores it.",
      "Correct the first error, and plan again. The page of an error of Tenantform says what to change.",
      "Example: the provider refuses an ACL that would block Terraform.",
    ],
  },
  "TNF-STACK-UNPLANNED": {
    level: "medium",
    title: "A stack has no plan",
    text: [
      "The manifest of `cdktf.out` lists a stack that may have objects of the tenant, but the folder of that " +
        "stack has no plan. The review did not check this stack, so the review is incomplete.",
      "Example: `cdktf diff base` planned one of two stacks. Run `cdktf diff` for the other stack too, and " +
        "review again.",
    ],
  },
  "TNF-TENANT-UNKNOWN": {
    level: "low",
    title: "The tenant is not known for certain",
    text: [
      "The plans do not identify the tenant for certain, so the review is incomplete.",
      "- The provider configurations may not say whether they name the same tenant: they have different values " +
        "of `environment_prefix`, only one has a `domain`, or a `domain` is an expression. Each has a review of its " +
        "own. To prevent that, set `domain` to a constant.\n- A plan with several provider configurations " +
        "does not always show which one manages an object. If the configuration no longer has an object, the plan " +
        "does not show its tenant, because only the state contains it. With `for_each` in a provider block of " +
        "OpenTofu, the plan does not show which configuration an object uses.",
      "The review of each tenant includes every object that may belong to it. It reports changes that depend on " +
        "such an object as possible.",
      "Example: a configuration has two provider blocks, and you remove the resource of an ACL. If the ACL used " +
        "`for_each` or was in a module that stays, the remaining block identifies the tenant.",
    ],
  },
} as const satisfies Rows;
