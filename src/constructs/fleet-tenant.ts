/** Refuses tenants of a fleet that could be confused with each other. */
import { Token } from "cdktf";
import type { Construct } from "constructs";
import { isObject } from "../cty/value";
import { hostOf, isDomain, pathOf, rootOf } from "../resources/provider-block/root";
import { show } from "../sdk/check";

/** `acme-eu` becomes `ACME_EU`. */
export const prefixOf = (name: string): string => name.toUpperCase().replaceAll("-", "_");

/** A name of a schema in PostgreSQL has at most 63 characters, so this leaves room for a word before it. */
const longest = 40;

/** Throws one error with all problems. */
export function demandTenants(scope: Construct, tenants: unknown): void {
  const complaints = complaintsOf(scope, tenants);
  if (complaints.length === 0) return;
  throw new Error(`The fleet cannot be declared:\n  ${complaints.join("\n  ")}`);
}

function complaintsOf(scope: Construct, tenants: unknown): string[] {
  if (!Array.isArray(tenants)) {
    return [`\`tenants\` is ${show(tenants)}: give a list of objects with name and domain.`];
  }
  const prefixes = new Map<string, Earlier>();
  const hosts = new Map<string, Earlier>();
  return tenants.flatMap((tenant: unknown, index) => {
    const place = `tenants[${index}]`;
    if (!isObject(tenant)) return [`\`${place}\` is ${show(tenant)}: give an object with name and domain.`];
    const { name, domain, endpoint } = tenant as Partial<Record<string, unknown>>;
    return [
      ...complaintsOfName(scope, `${place}.name`, name, prefixes),
      ...complaintsOfDomain(`${place}.domain`, domain),
      ...complaintsOfEndpoint(`${place}.endpoint`, endpoint),
      ...complaintsOfHost(place, { domain, endpoint }, hosts),
    ];
  });
}

/** The first tenant with a value that must be unique. */
interface Earlier {
  readonly place: string;
  readonly value: unknown;
}

function complaintsOfName(scope: Construct, place: string, name: unknown, prefixes: Map<string, Earlier>): string[] {
  const isName = typeof name === "string" && /^[a-z](?:[a-z\d]|[-_](?=[a-z\d]))*$/i.test(name);
  if (!isName || name.length > longest) {
    return [
      `\`${place}\` is ${show(name)}: give 1 to ${longest} letters and digits, beginning with a letter. Single hyphens and underscores may ` +
        "separate them. The name is that of a folder and of environment variables.",
    ];
  }
  const earlier = prefixes.get(prefixOf(name));
  prefixes.set(prefixOf(name), earlier ?? { place, value: name });
  if (earlier?.value === name) {
    return [`\`${place}\` is ${show(name)}, like \`${earlier.place}\`: give each tenant a name of its own.`];
  }
  if (earlier) {
    return [
      `\`${place}\` is ${show(name)}, and \`${earlier.place}\` is ${show(earlier.value)}: both would read ` +
        `${prefixOf(name)}_TENANT_CLIENT_ID and so on. Give one of them another name.`,
    ];
  }
  if (scope.node.tryFindChild(name)) {
    return [
      `\`${place}\` is ${show(name)}, and the app already has ${show(name)}: give the tenant or the stack another name.`,
    ];
  }
  return [];
}

function complaintsOfDomain(place: string, domain: unknown): string[] {
  if (typeof domain === "string" && isDomain(domain)) return [];
  const found = Token.isUnresolved(domain) ? "not known at synth" : show(domain);
  return [
    `\`${place}\` is ${found}: give the bare host name as text, such as acme.eu.auth0.com. Otherwise the stack could reach another tenant.`,
  ];
}

function complaintsOfEndpoint(place: string, endpoint: unknown): string[] {
  if (endpoint === undefined || rootIn({ endpoint })) return [];
  // The URL may contain a password.
  return [
    `\`${place}\` is not a URL that is known at synth: give text such as http://127.0.0.1:4010, or leave it out.`,
  ];
}

function complaintsOfHost(
  place: string,
  { domain, endpoint }: { readonly domain: unknown; readonly endpoint: unknown },
  hosts: Map<string, Earlier>,
): string[] {
  const root = endpoint === undefined ? rootIn({ domain }) : rootIn({ endpoint });
  if (!root) return [];
  const name = endpoint === undefined ? "domain" : "endpoint";
  const site = hostOf(root) + pathOf(root);
  const earlier = hosts.get(site);
  hosts.set(site, earlier ?? { place: `${place}.${name}`, value: site });
  if (!earlier) return [];
  return [
    `\`${place}.${name}\` is the tenant ${show(site)}, like \`${earlier.place}\`: two states cannot manage one tenant. Remove one of the two, or ` +
      "correct it.",
  ];
}

function rootIn({ domain, endpoint }: { readonly domain?: unknown; readonly endpoint?: unknown }): URL | undefined {
  const text = endpoint ?? domain;
  if (typeof text !== "string" || text === "" || Token.isUnresolved(text)) return undefined;
  if (endpoint === undefined && !isDomain(text)) return undefined;
  return endpoint === undefined ? rootOf({ domain: text }) : rootOf({ endpoint: text });
}
