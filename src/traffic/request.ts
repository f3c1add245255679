/** Turns log events into requests with the facts that the events have. A missing fact is not known. */
import { factNames, isAddress, isFact, rowOf, type Api, type FactName } from "../access/access";
import type { LogEvent } from "./event";
import { apisOfEvent, groupOf } from "./event-types";
import { ipv4In, ipv6In } from "./addresses";
import { cached, longest, shortened } from "./short";

/** The facts that events have as texts. */
export type LoggedName = Exclude<FactName, "path" | "managed">;

export interface LoggedRequest extends Readonly<Partial<Record<LoggedName, string | undefined>>> {
  /** Several if the event does not tell. */
  readonly apis: readonly Api[];
}

/** The texts of an event that are no facts of the request. Other people write them. */
export interface Sender {
  /** The user agent in any form, for people. */
  readonly agent?: string | undefined;
  readonly client?: string | undefined;
  readonly clientName?: string | undefined;
  readonly user?: string | undefined;
}

export type EventKind = "request" | "notice" | "unknown";

export interface ReadEvent {
  readonly kind: EventKind;
  /** Milliseconds since the epoch. NaN: missing or not readable. */
  readonly at: number;
  readonly tenant?: string | undefined;
  readonly request?: LoggedRequest | undefined;
  readonly sender: Sender;
}

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
/** For people, and to tell users and clients apart. */
const shortText = (value: unknown): string | undefined => {
  const own = text(value);
  return own && shortened(own);
};
const part = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

export function readEvent({ type, fields }: LogEvent): ReadEvent {
  const group = groupOf(type);
  const agent = text(fields["user_agent"]);
  const apis = group?.apis;
  return {
    kind: apis ? "request" : group ? "notice" : "unknown",
    at: timeOf(fields["date"]),
    tenant: tenantOf(fields),
    request: apis && requestOf(fields, apisOfEvent(apis, pathOf(fields)), agent),
    sender: {
      agent: agent && shortened(agent),
      client: shortText(fields["client_id"]),
      clientName: shortText(fields["client_name"]),
      // A name without an id is what somebody typed, and may be no user.
      user: shortText(fields["user_id"]),
    },
  };
}

/** One shape for all events, because the engine is faster with it. */
function requestOf(fields: Fields, apis: readonly Api[], agent: string | undefined): LoggedRequest {
  const request: { -readonly [name in keyof LoggedRequest]: LoggedRequest[name] } = { apis };
  for (const { name, place, holder, read } of readers) {
    request[name] = read((holder === undefined ? fields : part(fields[holder]))[place], fields, agent);
  }
  return request;
}

/** Reads a value of an event. Undefined if it is not the fact. */
type Read = (value: unknown, fields: Fields, agent: string | undefined) => string | undefined;

const addressIn: Read = (value) => {
  const address = text(value);
  return address !== undefined && isOne(address) ? address : undefined;
};

const isOne = (address: string) =>
  address.length <= longest && (ipv4In(address) !== undefined || ipv6In(address) !== undefined || isAddress(address));

function textIn(name: FactName): Read {
  const isReadable = cached((value) => isFact(name, value));
  const spell = name === "country" ? (value: string) => value.toUpperCase() : (value: string) => value;
  return (value) =>
    typeof value === "string" && value !== "" && value.length <= longest && isReadable(value)
      ? spell(value)
      : undefined;
}

const readers = factNames.flatMap((name) => {
  const { logged, kind } = rowOf(name);
  if (logged === undefined) return [];
  const [place = "", holder] = logged.split(".").toReversed();
  const read: Read =
    kind === "address"
      ? addressIn
      : name === "user_agent"
        ? (_value, fields, agent) => headerOf(fields, agent)
        : textIn(name);
  return [{ name: name as LoggedName, place, holder, read }];
});

/** `Chrome 120.0.0 / Mac OS X 10.15.7`: the service shortens the header so, and the header itself is not known. */
const summary = /^.+ \d+(\.\d+)* \/ .+ \d+(\.\d+)*$/;
const longestSummary = 200;
const isSummary = cached((agent) => agent.length <= longestSummary && summary.test(agent));

function headerOf(fields: Fields, agent: string | undefined): string | undefined {
  const whole = text(part(part(fields["details"])["request"])["userAgent"]);
  if (whole !== undefined) return whole;
  if (agent === undefined || agent === "unknown") return undefined;
  return isSummary(agent) ? undefined : agent;
}

/** Where the event shows the path of the request. */
function pathOf(fields: Fields): string | undefined {
  const path = text(part(part(fields["details"])["request"])["path"]);
  return path?.startsWith("/") ? path : undefined;
}

/** The tenant's name. Events in an older form have only the host, and only the service's own hosts name the tenant. */
function tenantOf(fields: Fields): string | undefined {
  return shortText(fields["tenant_name"]) ?? tenantOfHost(text(fields["hostname"]) ?? "");
}

/** `acme` of acme.eu.auth0.com. */
export function tenantOfHost(host: string): string | undefined {
  return host.length > longest
    ? undefined
    : /^([a-z\d-]+)(?:\.[a-z\d-]+)?\.auth0\.com$/i.exec(host)?.[1]?.toLowerCase();
}

/** Also reads `{"$date": …}` of database exports. */
export function timeOf(date: unknown): number {
  const inner = part(date)["$date"] ?? date;
  if (typeof inner === "string") return Date.parse(inner);
  return typeof inner === "number" ? (inner > 1e11 ? inner : inner * 1000) : NaN;
}
