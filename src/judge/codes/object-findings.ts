/** Findings about keys, limits, members, objects and the plan itself. */
import type { Rows } from "./row";

export const objectFindings = {
  "TNF-KEY-IN-USE": {
    level: "high",
    title: "A rule still names a signature key that the plan destroys",
    message: "A network ACL key in use would be destroyed",
    text: [
      "A tenant refuses to delete a key that the rule of an ACL names, even if the ACL is inactive, so the " +
        "apply would fail, and the provider refuses the plan. Remove the key from the rule, in the same plan or " +
        "in the stack that has the rule. The message is a warning if the plan has not seen the ACL, because the " +
        "ACL is in another stack or Terraform plans it after the key: the apply then fails if the rule still " +
        "names the key.",
      "A new key cannot have the name of a key that it replaces and that a rule names, because names are unique. " +
        "Replace `name` by `name_prefix`, and set `lifecycle { create_before_destroy = true }`: see [how to rotate " +
        "a key](recipes.md#rotation).",
      'Example: a rule has `keys { id = "key_8mJ2rTqZsWv5nYxB4cKdEf" }`, and the plan rotates that key. Name the ' +
        "key by reference (`tenant_network_acl_key.edge.id`), and the rule follows.",
    ],
  },
  "TNF-TOO-MANY-KEYS": {
    level: "high",
    title: "More keys than a tenant may have",
    text: [
      "Remove keys that no rule names: a tenant can have ten keys, and refuses further ones. If a new key replaces " +
        "one while the tenant has ten, Terraform cannot create the new key before it destroys the old one. The " +
        "provider only warns of that, because it does not know the order.",
    ],
  },
  "TNF-KEY-ROTATED": {
    level: "medium",
    title: "The plan replaces a signature key that a rule names",
    text: [
      "Requests that are signed with the old secret stop matching the rule. If only the name changes, requests " +
        "that are signed with the old id stop matching. If Terraform would delete the old key first, which the " +
        "tenant refuses, the effect says so. [Signed requests](recipes.md#signed-requests) shows how signers change " +
        "without a gap.",
    ],
  },
  "TNF-KEY-CREATED": {
    level: "info",
    title: "The plan creates a signature key",
    text: ["Effects show names of keys and never their secrets."],
  },
  "TNF-LIMIT-LOCKOUT": {
    level: "critical",
    title: "A limit locks Terraform out",
    text: [
      "A policy blocks or redirects every request of the application with which Terraform authenticates: its " +
        "own policy, or `default` if it has none. No later plan could get a token, so the provider refuses the " +
        'plan, unless `lockout_guard` is `"warn"` or `"off"`. If the limit is below 5 requests/s, or the policy ' +
        "is for a group that may have this application, the level is medium. The review knows the application if " +
        "the provider block has `client_id`.",
      "Example: `limit = 0` for `default`. Give Terraform's application a policy of its own first.",
    ],
  },
  "TNF-LIMIT-BLOCKED": {
    level: "high",
    title: "A limit becomes 0",
    text: [
      "A policy with the action `block` and the limit 0 blocks every request of its applications. For the " +
        "default policy, the level is critical, because it blocks every application that has no policy of its own.",
    ],
  },
  "TNF-LIMIT-UNKNOWN": {
    level: "medium",
    title: "A limit is not known",
    text: [
      "The applications or the limit of a policy are known only after the apply, so the limit may become lower " +
        "or higher. The effect also appears if the plan marks a changed limit as sensitive, or does not show its " +
        "old value. If the plan shows that the limit becomes 0, the level is that of TNF-LIMIT-BLOCKED.",
    ],
  },
  "TNF-LIMIT-REDIRECT": {
    level: "medium",
    title: "A policy redirects to another URI",
    text: [
      "A policy redirects requests above its limit to a URI that it did not use before, or it blocks these " +
        "requests instead of redirecting them, with the same limit. If a redirect moves to another host, the level " +
        "is high.",
    ],
  },
  "TNF-LIMIT-TIGHTENED": {
    level: "low",
    title: "A limit becomes lower",
    text: [
      "A policy allows fewer requests of an application or a group. The policy of an application overrides the " +
        "default policy. The level is medium if the limit falls to half or less, or if the default policy is " +
        "new. The level is high if the limit falls to a tenth or less, or if the log of `--logs` shows that " +
        "limits reject requests (`api_limit`). A policy that redirects every request (limit 0) has the level of " +
        "TNF-LIMIT-BLOCKED.",
    ],
  },
  "TNF-LIMIT-LOOSENED": {
    level: "low",
    title: "A limit becomes higher",
    text: [
      "A policy allows more requests of an application or a group. If the default policy no longer limits " +
        "requests, the level is medium.",
      "Example: you remove the policy of `client_id:abc`, and the default policy allows more.",
    ],
  },
  "TNF-LIMIT-LOGGED": {
    level: "info",
    title: "A policy logs other requests",
    text: [
      "A policy with the action `log` logs requests above another limit than before, or no longer logs them. " +
        "Logging limits nobody.",
    ],
  },
  "TNF-MEMBERS-EMPTIED": {
    level: "critical",
    title: "An organization loses all members",
    message: "An organization would lose all members",
    text: [
      "All current members lose access, even if the plan adds others. The provider refuses such a plan, even if " +
        "the set is destroyed. If you mean it, set `allow_empty = true`; " +
        "for a set that Terraform destroys, apply this setting before you delete the block, or apply `on_destroy = " +
        '"keep"` to leave the members. See [member sets](refusals.md#member-sets). A set with `exclusive = false` ' +
        "does not show all members, so its plan alone never has this effect.",
    ],
  },
  "TNF-MEMBERS-MANY": {
    level: "high",
    title: "An organization loses many members",
    text: [
      "An organization loses more than ten members, or more than a quarter of its members. If the number of " +
        "its members is not known, as for a set with `exclusive = false`, only the first rule counts. In an " +
        "organization of fewer than five people, the level is medium.",
    ],
  },
  "TNF-MEMBERS-REMOVED": {
    level: "low",
    title: "An organization loses members",
    text: [
      "The effect shows no share if the plans do not show all members, as for a set with `exclusive = false`. The " +
        "level is info if the members stay in the organization although the set no longer lists them: the change " +
        "removes a member and sets `exclusive = false`.",
    ],
  },
  "TNF-OTHER-MEMBERS": {
    level: "high",
    title: "The organization has other members",
    text: [
      "A new set does not list all members of the organization, and `remove_existing` is false. The provider refuses the plan. List these " +
        "members, or import the set first, so that the plan shows who leaves. Set `remove_existing = true` to remove " +
        "them, or `exclusive = false` to keep them. The review knows the members with `--tenant`.",
    ],
  },
  "TNF-MEMBERS-UNKNOWN": {
    level: "high",
    title: "Members may lose access",
    text: [
      "The plan does not show who loses access. An attribute of the set is known only after the apply, or the " +
        "plan does not show the current members, of which the set removes those that it does not list. The " +
        'effect gives the largest possible number if it can: "up to 80 of 80". For the exact number, give ' +
        "`--tenant`, or read `data.tenant_organization_members`. If the plan has no number because the " +
        "organization of a new set is known only after apply, give an `organization_id` that the plan knows, or " +
        "set `max_removals`, which the apply checks.",
      "The level is low if at most ten members and at most a quarter of the organization can lose access, and info " +
        "if members can only gain access.",
    ],
  },
  "TNF-MEMBERS-ADDED": {
    level: "low",
    title: "Members gain access",
    text: ["The level is info if the new members may be members already."],
  },
  "TNF-DUPLICATE": {
    level: "critical",
    title: "Two resources manage the same object",
    message: "Two resources for one …",
    text: [
      "Two resources have one network ACL, key or policy, or the members of one organization if a set is " +
        "exclusive. They are in one plan, or in several plans of one tenant. Each apply of one undoes the other, " +
        "so the review is incomplete. The effect counts only if a plan touches the object.",
      "Keep one of the two: delete its `import` block, or take it out of the state with a `removed` block " +
        "(`destroy = false`). To hand the object to another address, write `moved`. To hand it to another stack, " +
        "write `removed` in the old stack and `import` in the new one. The provider refuses the plan if one " +
        "configuration has both resources. It cannot see a second resource of another alias or another stack, " +
        "because Terraform plans each provider configuration in a process of its own.",
      "The level is high for other objects of the auth0 provider: two lists or settings, or a list and an entry of its " +
        "owner, such as `auth0_connection_clients` beside `auth0_connection_client`.",
    ],
  },
  "TNF-REPLACED": {
    level: "low",
    title: "Terraform replaces an object",
    text: [
      "Terraform destroys the object and creates it again, with another id unless it is a member set.",
      "Example: the `consumer_selector` of a policy changes.",
    ],
  },
  "TNF-RENAMED": {
    level: "medium",
    title: "Terraform would destroy an object and create the same one",
    message: "A … would be destroyed and created again",
    text: [
      "If you renamed the resource, write a `moved` block; in CDKTF programs, keep the construct's id and path, or " +
        "call `moveTo`. The effect names both addresses. The provider refuses such a plan, because Terraform creates " +
        "and destroys in any order, so the tenant could end with no object. Two keys are the same if their names and " +
        "algorithms are, unless their fingerprints differ. Objects with sensitive values never have this effect.",
      "Terraform does not tell a provider the addresses: `terraform plan -out=plan` writes the plan even if it " +
        "fails, and if Terraform had planned the new object by then, `npx tenantform review plan` shows both.",
    ],
  },
  "TNF-APPLY-MAY-FAIL": {
    level: "high",
    title: "The apply may fail halfway",
    text: [
      "Auth0 refuses to delete an action that a trigger runs, and a module that an action uses, but Terraform deletes an " +
        "object before it changes what refers to it. Unbind the action in one apply, and delete it in the next one. If " +
        "Terraform replaces the action or module, set `create_before_destroy = true` in its lifecycle.",
      "This effect has another cause too: a resource of the auth0 provider is destroyed, and another one is created with the same priority, selector " +
        "or name. Terraform runs both at the same time: if the create comes first, the tenant refuses it, and the " +
        "destroy still happens. The tenant then has neither object until the next apply. A replacement with " +
        "`create_before_destroy` that keeps the value fails.",
      "If a resource or a key of `for_each` only has another name, write a `moved` block. Otherwise remove the old " +
        "resource in an apply of its own. A resource of the provider `tenant` waits until the priority is free.",
      'Example: `for_each` names the ACL with priority 5 `"wall-2"` instead of `"wall"`.',
    ],
  },
  "TNF-DESTROYED": {
    level: "low",
    title: "Terraform destroys an object",
    text: ['The effect says "deposed" if the object is left over from an earlier replacement.'],
  },
  "TNF-FORGOTTEN": {
    level: "low",
    title: "Terraform no longer manages an object",
    text: ["The object stays unchanged on the tenant.", "Example: a `removed` block with `destroy = false`."],
  },
  "TNF-DRIFT": {
    level: "medium",
    title: "Somebody changed an object outside Terraform",
    text: [
      "An object is not as the last apply left it. The effect says whether the apply undoes this change.",
      "Example: somebody deactivated an ACL in the dashboard.",
    ],
  },
  "TNF-IMPORTED": {
    level: "info",
    title: "Terraform imports an object",
    text: [
      "Terraform starts to manage an existing object of the tenant: by an `import` block, or because the apply " +
        "adopts an object that is identical to a new one of the plan. The review knows the second case with " +
        "`--tenant`.",
    ],
  },
  "TNF-MOVED": {
    level: "info",
    title: "An object gets another address",
    text: ["A `moved` block gives the object another address, and the object stays unchanged."],
  },
  "TNF-EARLY-ACCESS": {
    level: "info",
    title: "The plan uses Early Access features",
    message: "Early Access",
    text: [
      "Auth0 may change features in Early Access, and enables them tenant by tenant. The warning appears once for " +
        "each feature.",
    ],
    remedy: "If you use them on purpose, set `hide_early_access_warning = true` in the provider block.",
  },
  "TNF-INCOMPLETE": {
    level: "low",
    title: "The plan is incomplete",
    text: [
      "The plan was created with `-target`, or Terraform defers changes, so the review is incomplete. The effect names up to five deferred " +
        "changes with their reasons. A deferred change has possible effects if the table of the auth0 provider has its type. A plan with " +
        "`-refresh-only` is complete. With `--tenant`, this effect also says that the tenant refuses to list " +
        "objects of a kind that the plan may change, because the tenant does not have this feature.",
    ],
  },
  "TNF-PLAN-FAILED": {
    level: "critical",
    title: "The plan failed",
    text: [
      "Correct the first error, and plan again: the command `terraform plan` ended with an error, so nothing can " +
        "be applied. The review shows what the plan would have done, as far as the plan has it: a refused change is " +
        "missing. The errors stand first if you give the output of `terraform plan`, as text or as the stream of " +
        "`-json`, with `--plan-output FILE`. This effect fails every `--fail-on`, and nothing ignores it.",
    ],
  },
  "TNF-STACK-UNPLANNED": {
    level: "medium",
    title: "A stack has no plan",
    text: [
      "The manifest of `cdktf.out` lists a stack that may have objects of the tenant, but the folder of that stack " +
        "has no plan, so the review is incomplete. Run `cdktf diff` for this stack too, and review again.",
    ],
  },
  "TNF-TENANT-UNKNOWN": {
    level: "low",
    title: "The tenant is not known for certain",
    text: [
      "The plans do not identify the tenant for certain, so the review is incomplete. The review of each tenant " +
        "includes every object that may belong to it, and reports changes that depend on such an object as possible.",
      "- Two provider blocks each have a review of their own if they have different prefixes " +
        "(`environment_prefix`), if only one has a `domain`, or if a `domain` is an expression. To prevent that, " +
        "set `domain` to a constant.\n- A plan with several provider configurations does not always show which " +
        "one manages an object: one that the configuration no longer has, or one of a `for_each` in a provider " +
        "block of OpenTofu.",
    ],
  },
  "TNF-POLICY-SAME-CALLERS": {
    level: "high",
    title: "Two policies for the same applications",
    text: ["A tenant can have one policy for each API, consumer and selector. Merge the two policies."],
  },
  "TNF-KEY-SAME-NAME": {
    level: "high",
    title: "Two keys with the same name",
    text: [
      "A tenant can have only one key with a given name. Give one of the two keys another `name`, or give each a " +
        "`name_prefix`.",
    ],
  },
} as const satisfies Rows;
