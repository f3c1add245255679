/** What happens to a request that a rule holds for, in words. */
import type { NetworkAclRuleAction } from "./bindings/network-acl";

/**
 * What a network ACL does: exactly one of these.
 * @example
 * rule: { action: Action.block(), match: Match.countries("KP"), scope: "authentication" }
 */
export const Action = {
  /**
   * Lets the request through; later lists are not asked.
   * @example
   * action: Action.allow()
   */
  allow: (): NetworkAclRuleAction => ({ allow: true }),
  /**
   * Refuses the request.
   * @example
   * action: Action.block()
   */
  block: (): NetworkAclRuleAction => ({ block: true }),
  /**
   * Records the request in the tenant's log and goes on with the next list.
   * @example
   * action: Action.log()
   */
  log: (): NetworkAclRuleAction => ({ log: true }),
  /**
   * Sends the client somewhere else.
   * @example
   * action: Action.redirect("https://example.com/blocked")
   */
  redirect: (redirectUri: string): NetworkAclRuleAction => ({ redirect: true, redirectUri }),
} as const;
