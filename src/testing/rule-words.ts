/** Shows the rule of a network ACL in a message. */
import { inspect } from "node:util";
import { hidden } from "../impact/hidden";
import type { PlannedAcl } from "../impact/network-acl/acl";

/** In the names of Terraform, on one line, without the values that must not be shown. */
export function ruleWords({ rule, secret }: PlannedAcl): string {
  const { action, match, not_match, scope } = rule;
  const parts = { action, ...(match && { match }), ...(not_match && { not_match }), scope };
  return inspect(shown(parts, secret), { breakLength: Infinity, depth: 6, maxArrayLength: 5, maxStringLength: 100 });
}

function shown(value: unknown, secret: ReadonlySet<string>): unknown {
  if (typeof value === "symbol") return unknownWords;
  if (Array.isArray(value)) return value.map((part) => shown(part, secret));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, secret.has(name) ? hidden : shown(part, secret)]);
  return Object.fromEntries(entries);
}

const unknownWords = "(known after apply)";
