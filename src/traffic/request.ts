/** Turns log events into requests with the attributes that the events have. An attribute that is left out is not known. */
import { isIP } from "node:net";
import { factNames, isFact, rowOf, type Api, type FactName } from "../access/access";
import type { LogEvent } from "./event";
import { apisOfEvent, groupOf } from "./event-types";

/** The attributes that events have as texts. */
export type LoggedName = Exclude<FactName, "path" | "managed">;

export interface LoggedRequest extends Readonly<Partial<Record<LoggedName, string>>> {
  /** Several if the event does not tell. */
  readonly apis: readonly Api[];
  /** The client id of the application. */
  readonly client?: string;
}

export interface ReadEvent {
  readonly kind: "request" | "notice" | "unknown";
  /** Milliseconds since the epoch. NaN: missing or not readable. */
  readonly at: number;
  readonly tenant?: string | undefined;
  readonly request?: LoggedRequest | undefined;
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
export function readEvent({ type, fields }: LogEvent, names: ReadonlySet<FactName> = every): ReadEvent {
  const group = groupOf(type);
  const client = text(fields["client_id"]);
  return {
    kind: group?.apis ? "request" : group ? "notice" : "unknown",
    at: timeOf(fields["date"]),
    tenant: text(fields["tenant_name"]) ?? tenantOfHost(text(fields["hostname"]) ?? ""),
    request: group?.apis && {
      apis: apisOfEvent(group.apis, pathOf(fields)),
      ...(client !== undefined && { client }),
      ...attributesOf(fields, names),
    },
    application: text(fields["client_name"]) ?? client,
    // A name without an id is what somebody typed, and may be no user.
    user: text(fields["user_id"]),
  };
}

const places = factNames.flatMap((name) => {
  const { logged, kind } = rowOf(name);
  return logged === undefined ? [] : [{ name: name as LoggedName, path: logged.split("."), kind }];
});

const every: ReadonlySet<FactName> = new Set(factNames);

function attributesOf(fields: Fields, names: ReadonlySet<FactName>): Partial<Record<LoggedName, string>> {
  const found: Partial<Record<LoggedName, string>> = {};
  for (const { name, path, kind } of places) {
    if (!names.has(name)) continue;
    let value: unknown = fields;
    for (const step of path) value = part(value)[step];
    const own = name === "user_agent" ? headerOf(fields, value) : value;
    if (typeof own !== "string" || own === "" || own.length > longest) continue;
    const isReadable = kind === "address" ? isIP(own) !== 0 && !own.includes("%") : isFact(name, own);
    if (isReadable) found[name] = name === "country" ? own.toUpperCase() : own;
  }
  return found;
}

/** `Chrome 120.0.0 / Mac OS X 10.15.7`: Auth0 shortens the header so, and the header itself is not known. */
const summary = /^.{1,100} \d+(\.\d+){0,5} \/ .{1,100} \d+(\.\d+){0,5}$/;

function headerOf(fields: Fields, agent: unknown): unknown {
  const whole = text(part(part(fields["details"])["request"])["userAgent"]);
  if (whole !== undefined) return whole;
  return typeof agent === "string" && (agent === "unknown" || summary.test(agent.slice(0, longest)))
    ? undefined
    : agent;
}

/** Where the event shows the path of the request. */
function pathOf(fields: Fields): string | undefined {
  const path = text(part(part(fields["details"])["request"])["path"]);
  return path?.startsWith("/") ? path : undefined;
}

/** `acme` of acme.eu.auth0.com. Events in an older form have only the host, and only Auth0's own hosts name the tenant. */
export function tenantOfHost(host: string): string | undefined {
  return /^([a-z\d-]{1,63})(?:\.[a-z\d-]{1,63})?\.auth0\.com$/i.exec(host)?.[1]?.toLowerCase();
}

/** Also reads `{"$date": …}` of database exports. */
function timeOf(date: unknown): number {
  const inner = part(date)["$date"] ?? date;
  if (typeof inner === "string") return Date.parse(inner);
  return typeof inner === "number" ? (inner > 1e11 ? inner : inner * 1000) : NaN;
}
