/** Finds the tenant that a provider block names, and refuses one that is not allowed. */
import { quoted } from "../../../judge/access/access";
import { attributePath } from "../../../formats/cty/path";
import { unknown } from "../../../formats/cty/value";
import { DiagnosticError } from "../../sdk/diagnostic";
import { maskedUrl } from "../../../formats/text/masked";
import { domainPattern, hostOf, isDomain, rootOf } from "./root";

type Known<T> = T | typeof unknown;

/** The name of the environment variable for an option, and the option with the variable that sets it, if one does. */
export interface Named {
  variable(option: string): string;
  named(option: string): string;
}

/** Provider blocks and the environment, in the order of precedence. */
interface Sources extends Named {
  readonly sources: readonly { readonly [option in "domain" | "endpoint"]?: Known<string> }[];
}

export const invalid = (option: string, detail: string, path = attributePath(option)): DiagnosticError =>
  new DiagnosticError(["TNF-INVALID-VALUE", option], detail, path);

export const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Uses only the first source with a domain or endpoint, so that the environment cannot redirect a configured tenant. */
export function endpointFrom({ sources, variable, named }: Sources): string | typeof unknown {
  const source = sources.find(({ domain, endpoint }) => domain !== undefined || endpoint !== undefined);
  if (!source) {
    throw new DiagnosticError(
      "TNF-NO-TENANT",
      `\`domain\` is missing: set it in the provider block or as ${variable("domain")} (acme.eu.auth0.com), or give the root URL as ` +
        `\`endpoint\` or ${variable("endpoint")}. \`npx tenantform emulate\` starts an embedded tenant for tests.`,
      attributePath("domain"),
    );
  }
  const { domain, endpoint } = source;
  if (endpoint === unknown || (endpoint === undefined && domain === unknown)) return unknown;
  if (endpoint === undefined) return `https://${checkedDomain(domain as string, named)}`;
  const url = rootOf({ endpoint });
  if (url && /\/(api\/v2|oauth\/token)\/?$/.test(url.pathname)) {
    throw invalid(
      "endpoint",
      `${named("endpoint")} is ${JSON.stringify(maskedUrl(endpoint))}: give the tenant's root, without ${url.pathname}.`,
    );
  }
  const isBare = url && !url.username && !url.password && !/[?#]/.test(endpoint);
  if (isBare && (url.protocol === "https:" || loopback.has(url.hostname))) return endpoint;
  throw invalid(
    "endpoint",
    `${named("endpoint")} is ${JSON.stringify(maskedUrl(endpoint))}: give the tenant's root as an https URL without user and query, such as ` +
      "https://login.example.com. Plain http works only for a tenant on this machine.",
  );
}

function checkedDomain(domain: string, named: Sources["named"]): string {
  if (isDomain(domain)) return domain;
  throw invalid(
    "domain",
    `${named("domain")} is ${JSON.stringify(maskedUrl(domain))}: give the bare host name, such as acme.eu.auth0.com, without https:// and path. A port is a number from ` +
      "1 to 65535.",
  );
}

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
    `The tenant is ${quoted(hostOf(root))}, but \`allowed_domains\` has ` +
      `${list.length > 0 ? `only ${list.map((pattern) => quoted(pattern as string)).join(", ")}` : "no entry"}. The provider sent no API call. Check domain, endpoint, ` +
      "TENANT_DOMAIN and TENANT_ENDPOINT. If the tenant is right, add its domain to `allowed_domains`.",
    attributePath("allowed_domains"),
  );
}
