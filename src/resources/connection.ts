/** The provider block and the environment: which tenant, and with which credentials. */
import * as z from "zod";
import { attributePath } from "../cty/path";
import { unknown, type Unknown } from "../cty/value";
import { attribute } from "../sdk/attribute";
import { Refusal } from "../sdk/resource";
import type { Credentials } from "../tenant/tenant";

function optional(description: string, names: string, sensitive = false) {
  return attribute(
    z.string().min(1, "give a value, or leave it out").optional(),
    `${description} Else from ${names}.`,
    {
      sensitive,
    },
  );
}

export const block = z.object({
  domain: optional("Domain of the tenant, such as `acme.eu.auth0.com`.", "`TENANT_DOMAIN`, `AUTH0_DOMAIN`"),
  endpoint: optional(
    "Root URL of the tenant in place of `https://<domain>`, for custom domains and the embedded tenant.",
    "`TENANT_ENDPOINT`",
  ),
  access_token: optional("A ready token for the Management API.", "`TENANT_ACCESS_TOKEN`, `AUTH0_API_TOKEN`", true),
  client_id: optional("Client id of a machine-to-machine application.", "`TENANT_CLIENT_ID`, `AUTH0_CLIENT_ID`"),
  client_secret: optional("Its secret.", "`TENANT_CLIENT_SECRET`, `AUTH0_CLIENT_SECRET`", true),
  audience: optional(
    "Audience of the token to ask for. Default: `https://<domain>/api/v2/`.",
    "`TENANT_AUDIENCE`, `AUTH0_AUDIENCE`",
  ),
});

export type Environment = Readonly<Record<string, string | undefined>>;
type Option = keyof typeof block.shape;
type Source = Partial<Record<Option, string | Unknown>>;

export interface Connection {
  readonly endpoint: string;
  readonly credentials: Credentials;
  readonly audience?: string;
}

/** Undefined while something that is needed is not known yet. Throws a Refusal that names what is missing or malformed. */
export function connectionFrom(written: Source, environment: Environment): Connection | undefined {
  const sources = [written, fromEnvironment(environment, "TENANT_"), fromEnvironment(environment, "AUTH0_")];
  const endpoint = endpointFrom(sources);
  const credentials = credentialsFrom(sources);
  const audience = first(sources, "audience");
  if (endpoint === unknown || credentials === unknown || audience === unknown) return undefined;
  return { endpoint, credentials, audience };
}

const otherNames: Record<string, Option> = { API_TOKEN: "access_token" };

function fromEnvironment(environment: Environment, prefix: "TENANT_" | "AUTH0_"): Source {
  const options: Source = {};
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(prefix) || !value) continue;
    const bare = name.slice(prefix.length);
    const option = (prefix === "AUTH0_" && otherNames[bare]) || bare.toLowerCase();
    if (option in block.shape) options[option as Option] = value;
  }
  // A root URL is ours alone: the other provider knows none.
  if (prefix === "AUTH0_") delete options.endpoint;
  return options;
}

function first(sources: readonly Source[], option: Option): string | Unknown | undefined {
  return sources.find((source) => source[option] !== undefined)?.[option];
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** From the first source that says where, so that a tenant for trials is not mixed up with the one in the environment. */
function endpointFrom(sources: readonly Source[]): string | Unknown {
  const source = sources.find(({ domain, endpoint }) => domain !== undefined || endpoint !== undefined);
  if (!source) {
    throw new Refusal(
      "No tenant is named",
      "`domain` is missing: set it in the provider block or as TENANT_DOMAIN (acme.eu.auth0.com), or give the root URL as " +
        "`endpoint` or TENANT_ENDPOINT. `npx tenantform emulate` starts an embedded tenant to try things on.",
      attributePath("domain"),
    );
  }
  const { domain, endpoint } = source;
  if (endpoint === unknown || (endpoint === undefined && domain === unknown)) return unknown;
  if (endpoint === undefined) return `https://${checkedDomain(domain as string)}`;
  const url = URL.parse(endpoint as string);
  const encrypted = url?.protocol === "https:";
  if (url && (encrypted || (url.protocol === "http:" && loopback.has(url.hostname)))) return endpoint;
  throw new Refusal(
    "Invalid endpoint",
    `\`endpoint\` is ${JSON.stringify(endpoint)}: give the tenant's root as an https URL, such as https://login.example.com. ` +
      "Without encryption only a tenant on this machine is asked.",
    attributePath("endpoint"),
  );
}

function checkedDomain(domain: string): string {
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?$/i.test(domain)) return domain;
  throw new Refusal(
    "Invalid domain",
    `\`domain\` is ${JSON.stringify(domain)}: give the bare host name, such as acme.eu.auth0.com, without https:// and path.`,
    attributePath("domain"),
  );
}

/** From the first source that has any; a half that it leaves out may come from the next. */
function credentialsFrom(sources: readonly Source[]): Credentials | Unknown {
  const source = sources.find(
    ({ access_token, client_id, client_secret }) => access_token ?? client_id ?? client_secret,
  );
  const accessToken = source?.access_token;
  if (accessToken === unknown) return unknown;
  if (accessToken !== undefined) return { kind: "access_token", accessToken };
  const clientId = first(sources, "client_id");
  const clientSecret = first(sources, "client_secret");
  if (clientId === undefined || clientSecret === undefined) throw noCredentials(clientId, clientSecret);
  if (clientId === unknown || clientSecret === unknown) return unknown;
  return { kind: "client_secret", clientId, clientSecret };
}

function noCredentials(clientId: unknown, clientSecret: unknown): Refusal {
  const missing = ["client_id", "client_secret"].filter((_, index) => [clientId, clientSecret][index] === undefined);
  return new Refusal(
    "No credentials",
    `${missing.map((name) => `\`${name}\``).join(" and ")} ${missing.length > 1 ? "are" : "is"} missing: set ` +
      `${missing.map((name) => `TENANT_${name.toUpperCase()}`).join(" and ")} in the environment (or in the provider block), ` +
      "or give a ready token as TENANT_ACCESS_TOKEN. The AUTH0_* variables of the same meaning are read too.",
    attributePath(missing[0]!),
  );
}
