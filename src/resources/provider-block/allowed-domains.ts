/** Limits the tenants of a configuration to the domains that it allows. */
import { quoted } from "../../access/access";
import { attributePath } from "../../cty/path";
import { unknown } from "../../cty/value";
import { DiagnosticError } from "../../sdk/diagnostic";
import { domainPattern } from "./domain-pattern";
import { hostOf, rootOf } from "./root";

type Known<T> = T | typeof unknown;

/** False while a needed value is unknown. Throws a DiagnosticError for a domain that is not allowed. */
export function isAllowed(endpoint: Known<string>, patterns: unknown): boolean {
  if (patterns === undefined || patterns === null) return true;
  if (endpoint === unknown || patterns === unknown) return false;
  const list = patterns as readonly Known<string>[];
  const root = rootOf({ endpoint })!;
  if (list.some((pattern) => pattern !== unknown && domainPattern(pattern)?.(root))) return true;
  if (list.includes(unknown)) return false;
  throw new DiagnosticError(
    "TNF-TENANT-NOT-ALLOWED",
    `The configuration names the tenant ${quoted(hostOf(root))}, but \`allowed_domains\` has only ` +
      `${list.map((pattern) => quoted(pattern as string)).join(", ") || "no entry"}. The provider sent no API call. Check domain, endpoint ` +
      "and TENANT_DOMAIN. If the tenant is right, add its domain to `allowed_domains`.",
    attributePath("allowed_domains"),
  );
}
