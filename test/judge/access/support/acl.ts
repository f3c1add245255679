/** Short ACLs for tests. */
import type { Acl } from "../../../../src/judge/access/decide";
import type { Rule } from "../../../../src/judge/access/rule";

/** Blocks matching requests, unless the rule has another action. */
export const block = (rule: Partial<Rule>, priority: Acl["priority"] = 1, key = `k${String(priority)}`): Acl => ({
  active: true,
  priority,
  key,
  rule: { action: { block: true }, scope: "tenant", ...rule },
});
