/** An event of the tenant's log, in the form of the service. */
import { fingerprints, type Origin } from "../enforcement/origin";
import { descriptions, factsOfType } from "./event-type";

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

/** Remembers the values of a thousand texts, because requests repeat their countries and user agents. */
function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    if (known.size < 1000) known.set(text, value);
    return value;
  };
}

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** The country as `GET /api/v2/logs` reports it. The tenant knows no cities and coordinates. */
const locationOf = remembered((country: string): object => {
  const country_name = /^[A-Z]{2}$/.test(country) ? countries.of(country) : undefined;
  return { country_code: country, ...(country_name && { country_name }) };
});

/** The first match counts, because browsers also name the browsers that they descend from. */
const browsers: readonly (readonly [name: string, form: RegExp])[] = [
  ["Edge", /\bEdg\/(\d+)\.(\d+)\.(\d+)/],
  ["Firefox", /\bFirefox\/(\d+)\.(\d+)(?:\.(\d+))?/],
  ["Chrome", /\bChrome\/(\d+)\.(\d+)\.(\d+)/],
  ["Safari", /\bVersion\/(\d+)\.(\d+)(?:\.(\d+))?.*\bSafari\//],
];
const systems: readonly (readonly [name: string, form: RegExp])[] = [
  ["Windows", /\bWindows NT (\d+)\.(\d+)/],
  ["iOS", /\bOS (\d+)_(\d+)(?:_(\d+))? like Mac OS X/],
  ["Mac OS X", /\bMac OS X (\d+)[._](\d+)(?:[._](\d+))?/],
  ["Android", /\bAndroid (\d+)(?:\.(\d+))?(?:\.(\d+))?/],
  ["Linux", /\bLinux\b/],
];

function nameIn(header: string, known: typeof browsers): string {
  for (const [name, form] of known) {
    const [found, ...version] = form.exec(header) ?? [];
    if (found !== undefined) return `${name} ${[0, 1, 2].map((place) => version[place] ?? "0").join(".")}`;
  }
  return "Other 0.0.0";
}

/** `Chrome 120.0.0 / Mac OS X 10.15.7`. Assumption: the names of browsers and systems in a summary of the user agent that no page of the documentation has. */
export const summaryOf = (header: string): string => `${nameIn(header, browsers)} / ${nameIn(header, systems)}`;

const shortened = remembered((header: string) => summaryOf(header.slice(0, 1000)));

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
