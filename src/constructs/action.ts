/** Short forms for the action of a rule. */
import type { NetworkAclRuleAction } from "./bindings/network-acl";

/**
 * The action of a network ACL: exactly one of these.
 * @example
 * rule: { action: Action.block(), match: Match.countries("KP"), scope: "authentication" }
 */
export const Action = {
  /**
   * Allows the request. Later ACLs are not evaluated.
   * @example
   * action: Action.allow()
   */
  allow: (): NetworkAclRuleAction => ({ allow: true }),
  /**
   * Blocks the request.
   * @example
   * action: Action.block()
   */
  block: (): NetworkAclRuleAction => ({ block: true }),
  /**
   * Records the request in the tenant's log and continues with the next ACL.
   * @example
   * action: Action.log()
   */
  log: (): NetworkAclRuleAction => ({ log: true }),
  /**
   * Redirects the client to the URL.
   * @example
   * action: Action.redirect("https://example.com/blocked")
   */
  redirect: (redirectUri: string): NetworkAclRuleAction => ({ redirect: true, redirectUri }),
} as const;
