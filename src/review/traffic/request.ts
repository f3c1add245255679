/** Turns log events into requests with the attributes that the events have. An attribute that is left out is not known. */
import { isIP } from "node:net";
import { apiOf, factNames, isFact, rowOf, type Api, type FactName } from "../../judge/access/access";
import type { LogEvent } from "./event";
import { apisByType } from "./event-types";

/** The attributes that events have as texts. */
export type LoggedName = Exclude<FactName, "path" | "managed">;

export interface LoggedRequest extends Readonly<Partial<Record<LoggedName, string>>> {
  /** Several if the event does not tell. */
  readonly apis: readonly Api[];
  /** The client id of the application. */
  readonly client?: string | undefined;
}

export interface ReadEvent {
  /** Whether a public document names the type of the event. */
  readonly isKnown: boolean;
  /** Milliseconds since the epoch. NaN: missing or not readable. */
  readonly at: number;
  readonly tenant?: string | undefined;
  /** Left out: the event is no request. */
  readonly request?: LoggedRequest;
  /** The application's name, else its client id, for people. */
  readonly application?: string | undefined;
  /** The id of the user. Never shown. */
  readonly user?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Longer texts are shortened, so that they cannot fill the memory. */
const longest = 500;

const part = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, longest) : undefined;

/** `names`: the attributes that are needed. */
export function readEvent({ type, fields }: LogEvent, names: ReadonlySet<FactName>): ReadEvent {
  const apis = apisByType.get(type);
  const client = text(fields["client_id"]);
  const { path, userAgent } = part(part(fields["details"])["request"]);
  const own = typeof path === "string" && path.startsWith("/") ? [apiOf(path)] : apis;
  return {
    isKnown: apis !== undefined,
    at: timeOf(fields["date"]),
    tenant: text(fields["tenant_name"]) ?? tenantOfHost(text(fields["hostname"]) ?? ""),
    ...(apis?.length && { request: { apis: own!, client, ...attributesOf(fields, names, text(userAgent)) } }),
    application: text(fields["client_name"]) ?? client,
    // A name without an id is what somebody typed, and may be no user.
    user: text(fields["user_id"]),
  };
}

const places = factNames.flatMap((name) => {
  const { logged, kind } = rowOf(name);
  return logged === undefined ? [] : [{ name: name as LoggedName, path: logged.split("."), kind }];
});

/** `Chrome 120.0.0 / Mac OS X 10.15.7`: Auth0 shortens the header so, and the header itself is not known. */
const summary = /^(unknown|.{1,100} \d+(\.\d+){0,5} \/ .{1,100} \d+(\.\d+){0,5})$/;

function attributesOf(fields: Fields, names: ReadonlySet<FactName>, header: string | undefined) {
  const found: Partial<Record<LoggedName, string>> = {};
  for (const { name, path, kind } of places) {
    if (!names.has(name)) continue;
    let value: unknown = fields;
    for (const step of path) value = part(value)[step];
    const own = (name === "user_agent" && header) || value;
    if (typeof own !== "string" || own === "" || own.length > longest) continue;
    if (name === "user_agent" && header === undefined && summary.test(own)) continue;
    const isReadable = kind === "address" ? isIP(own) !== 0 && !own.includes("%") : isFact(name, own);
    if (isReadable) found[name] = name === "country" ? own.toUpperCase() : own;
  }
  return found;
}

/** `acme` of acme.eu.auth0.com. Events in an older form have only the host, and only Auth0's own hosts name the tenant. */
export function tenantOfHost(host: string): string | undefined {
  return /^([a-z\d-]{1,63})(?:\.[a-z\d-]{1,63})?\.auth0\.com$/i.exec(host)?.[1]?.toLowerCase();
}

/** Also reads `{"$date": …}` of database exports. */
const timeOf = (date: unknown): number => Date.parse(text(part(date)["$date"] ?? date) ?? "");
