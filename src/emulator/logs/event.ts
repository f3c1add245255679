/** An event of the tenant's log, in the form of the service. */
import { fingerprints, type Origin } from "../enforcement/origin";
import { descriptions, factsOfType } from "./event-type";
import { summaryOf } from "./user-agent";

/** Without the id, which the log gives it. */
export interface NewEvent {
  /** ISO 8601, UTC, milliseconds. */
  readonly date: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

export interface LogEvent extends NewEvent {
  readonly log_id: string;
}

/** The people and applications of a request. */
export interface Participants {
  readonly client_id?: string;
  readonly client_name?: string;
  readonly user_id?: string;
  readonly user_name?: string;
  readonly connection?: string;
  readonly organization_id?: string;
}

/** No name that clients of the tenant know. */
const tenantName = "embedded-tenant";
const frame = { tenant_name: tenantName, environment_name: "local", $event_schema: { version: "1.0.0" } };

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const locations = new Map<string, object>();

/** The country as `GET /api/v2/logs` reports it. The tenant knows no cities and coordinates. */
function locationOf(country: string): object {
  const known = locations.get(country);
  if (known) return known;
  const country_name = /^[A-Z]{2}$/.test(country) ? countries.of(country) : undefined;
  const location = { country_code: country, ...(country_name && { country_name }) };
  if (locations.size < 1000) locations.set(country, location);
  return location;
}

const summaries = new Map<string, string>();

function shortened(header: string): string {
  const known = summaries.get(header);
  if (known !== undefined) return known;
  const summary = summaryOf(header.slice(0, 1000));
  if (summaries.size < 1000) summaries.set(header, summary);
  return summary;
}

const isMobile = (header: string) => /\bMobile\b/.test(header);

const securityContext = (origin: Origin) => Object.fromEntries(fingerprints.map((name) => [name, origin[name]]));

/** The event of a request that the edge let through. */
export function requestEvent(
  type: string,
  at: number,
  origin: Origin,
  participants: Participants,
  details: object = {},
): NewEvent {
  const facts = factsOfType.get(type) ?? [];
  const { ip, connecting_ip, hostname, user_agent, country } = origin;
  const { client_id, client_name = "", user_id = "", user_name = "", connection, organization_id } = participants;
  return {
    date: new Date(at).toISOString(),
    type,
    description: descriptions[type] ?? "",
    ...(connection !== undefined && { connection, strategy: "auth0", strategy_type: "database" }),
    ...(client_id !== undefined && { client_id }),
    client_name,
    ip,
    ...(facts.includes("client_ip") && { client_ip: connecting_ip }),
    ...(user_agent !== undefined && { user_agent: shortened(user_agent) }),
    details,
    ...(facts.includes("hostname") && { hostname: hostname ?? "" }),
    user_id,
    user_name,
    ...(organization_id !== undefined && { organization_id }),
    ...(facts.includes("security_context") &&
      fingerprints.some((name) => origin[name]) && { security_context: securityContext(origin) }),
    ...(country && { location_info: locationOf(country) }),
    ...frame,
    isMobile: user_agent !== undefined && isMobile(user_agent),
  };
}

/** The details of an event that repeats its request. */
export const requestDetails = (method: string, path: string, { ip, user_agent = "" }: Origin, statusCode: number) => ({
  request: {
    method: method.toLowerCase(),
    path,
    query: {},
    userAgent: user_agent,
    ip,
    channel: "api",
    auth: { user: {}, strategy: "jwt", credentials: {} },
  },
  response: { statusCode, body: {} },
});

/** An event about many requests. */
export const countingEvent = (type: string, at: number, description: string, more: object): NewEvent => ({
  date: new Date(at).toISOString(),
  type,
  description,
  ...more,
  ...frame,
});
