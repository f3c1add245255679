/** Lists for tests, as short as they can be written. */
import type { Acl } from "../../../src/access/decide";
import type { Rule } from "../../../src/access/rule";

/** Blocks what it matches, unless the rule says otherwise. */
export const block = (rule: Partial<Rule>, priority = 1, key = `k${priority}`): Acl => ({
  active: true,
  priority,
  key,
  rule: { action: { block: true }, scope: "tenant", ...rule },
});
