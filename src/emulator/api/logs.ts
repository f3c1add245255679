/** The tenant's log: /logs and /logs/{id}. */
import { api, atMost, operation, type Call, type Operation } from "../http/operation";
import { ServiceError } from "../http/response";
import { fingerprints } from "../enforcement/origin";
import { matcherOf } from "../logs/query";
import type { LogEvent } from "../logs/event";
import { boolean, exactly, listOf, number, optional, text, type Schema } from "../schema";

const eventShape: Schema = {
  type: "object",
  additionalProperties: true,
  required: ["date", "type", "log_id"],
  properties: {
    date: { type: "string", format: "date-time" },
    type: text,
    log_id: text,
    description: text,
    client_id: text,
    client_name: text,
    connection: text,
    strategy: text,
    strategy_type: text,
    ip: text,
    client_ip: text,
    hostname: text,
    user_agent: text,
    user_id: text,
    user_name: text,
    organization_id: text,
    isMobile: boolean,
    details: { type: "object" },
    security_context: { type: "object", properties: Object.fromEntries(fingerprints.map((name) => [name, text])) },
    location_info: { type: "object", properties: { country_code: text, country_name: text } },
  },
};

const defaultSize = 50;
const mostResults = 1000;
const longText: Schema = { type: "string", maxLength: 4000 };

const querySchema = optional({
  from: { type: "string", pattern: "^\\d*$", maxLength: 100 },
  take: { type: "integer", minimum: 1, maximum: 100, default: defaultSize },
  q: longText,
  page: { type: "integer", minimum: 0 },
  per_page: { type: "integer", minimum: 1, maximum: 100, default: defaultSize },
  sort: { type: "string", pattern: "^\\w+:(1|-1)$", description: "date:1 or date:-1; -1 by default." },
  fields: longText,
  include_fields: boolean,
  include_totals: boolean,
});

interface Query {
  readonly from?: string;
  readonly take?: number;
  readonly q?: string;
  readonly page?: number;
  readonly per_page?: number;
  readonly sort?: string;
  readonly fields?: string;
  readonly include_fields?: boolean;
  readonly include_totals?: boolean;
}

/** The next page begins after the last event of this one, so events that arrive in between are neither lost nor repeated. */
function byCheckpoint({ tenant, request, headers }: Call, from: string, take: number): readonly LogEvent[] {
  const page = tenant.log.after(from, take);
  const next = new URL("/api/v2/logs", request.url);
  next.searchParams.set("from", page.at(-1)?.log_id ?? from);
  next.searchParams.set("take", String(take));
  headers.link = `<${next}>; rel="next"`;
  return page;
}

function trimmed(event: LogEvent, { fields = "", include_fields = true }: Query): object {
  const names = fields.split(",").map((name) => name.trim());
  if (fields === "") return event;
  return Object.fromEntries(Object.entries(event).filter(([name]) => names.includes(name) === include_fields));
}

/** Assumption: a search of the log without `sort` begins with the newest event. */
function sorted(events: readonly LogEvent[], sort = "date:-1"): LogEvent[] {
  const [field = "", direction] = sort.split(":");
  const sign = Number(direction);
  const textOf = (event: LogEvent) => String(event[field] ?? "");
  const order = (a: LogEvent, b: LogEvent) =>
    textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : a.log_id < b.log_id ? -1 : 1;
  return events.toSorted((a, b) => sign * order(a, b));
}

function bySearch({ tenant }: Call, query: Query): object {
  const { q = "", page = 0, per_page: limit = defaultSize, sort, include_totals } = query;
  if ((page + 1) * limit > mostResults) {
    const guide = "https://auth0.com/docs/logs/retrieve-log-events-using-mgmt-api#retrieve-logs-by-checkpoint";
    throw new ServiceError(
      400,
      `Requesting page ${page + 1} exceeds the allowed maximum of ${mostResults} records: please consider searching by checkpoint ${guide}`,
    );
  }
  const found = sorted(tenant.log.events().filter(matcherOf(q)), sort);
  const logs = found.slice(page * limit, (page + 1) * limit).map((event) => trimmed(event, query));
  return include_totals ? { start: page * limit, limit, length: logs.length, total: logs.length, logs } : logs;
}

export const logs: readonly Operation[] = [
  operation<unknown, Query>({
    method: "GET",
    path: api("/logs"),
    summary: "Search the log, or read it on from an event",
    scope: "read:logs",
    query: querySchema,
    success: 200,
    response: {
      oneOf: [
        // With `fields`, events can lack any property.
        exactly({ start: number, limit: number, length: number, total: number, logs: listOf({ type: "object" }) }),
        listOf({ type: "object" }),
      ],
    },
    // As documented, `from` makes the tenant ignore everything but `take`.
    handle: (call) =>
      call.query.from
        ? byCheckpoint(call, call.query.from, call.query.take ?? defaultSize)
        : bySearch(call, call.query),
  }),
  operation({
    method: "GET",
    path: api("/logs/{id}"),
    summary: "Read an event of the log",
    scope: "read:logs",
    id: atMost(100),
    success: 200,
    response: eventShape,
    refusals: [404],
    handle({ tenant, id }) {
      const event = tenant.log.get(id);
      // Assumption: the message for a log event that does not exist.
      if (event === undefined) throw new ServiceError(404, "The log event does not exist.");
      return event;
    },
  }),
];
