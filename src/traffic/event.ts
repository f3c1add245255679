/** Reads log events, and finds them in the envelopes of log streams. */

/** An event as the service writes it. */
export interface LogEvent {
  readonly type: string;
  /** Left out: the event has no id. */
  readonly id?: string;
  readonly fields: { readonly [name: string]: unknown };
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The parts of envelopes that hold events: HTTP streams, EventBridge, Event Grid, Splunk, Datadog, Elastic, and exports of them. */
const holders = [
  "data",
  "detail",
  "event",
  "logs",
  "log",
  "records",
  "Records",
  "events",
  "value",
  "attributes",
  "auth0",
  "result",
  "_source",
  "hits",
  "message",
  "_raw",
  "body",
  "Body",
];

/** Envelopes in envelopes, such as an export of a stream of an event bus. */
const deepest = 6;

/** Calls `found` for each event. Returns false if there is none. */
export function eventsIn(value: unknown, found: (event: LogEvent) => void, id?: string, depth = 0): boolean {
  if (typeof value === "string") return depth > 0 && eventsInText(value, found, id, depth);
  if (!isFields(value) || depth > deepest) return false;
  if (Array.isArray(value)) {
    let isAny = false;
    for (const one of value) isAny = eventsIn(one, found, undefined, depth + 1) || isAny;
    return isAny;
  }
  const own = idOf(value) ?? id;
  const type = value["type"];
  if (typeof type === "string" && isEvent(value)) {
    const name = own ?? idFrom(value["id"]) ?? contentOf(value);
    found({ type, ...(name !== undefined && { id: name }), fields: value });
    return true;
  }
  for (const name of holders) {
    const held = value[name];
    if (held !== undefined && held !== null && eventsIn(held, found, own, depth + 1)) return true;
  }
  return false;
}

/** An event of an event bus has a type too, but it holds the event of the service. */
function isEvent(value: Fields): boolean {
  const { data } = value;
  if (isFields(data) && (typeof data["type"] === "string" || isFields(data["data"]))) return false;
  return value["date"] !== undefined || idOf(value) !== undefined;
}

const idFrom = (id: unknown) => (typeof id === "string" && id !== "" ? id : undefined);

const idOf = (value: Fields) => idFrom(value["log_id"] ?? value["_id"]);

const identifying = ["date", "type", "ip", "client_id", "user_id", "user_agent", "hostname", "description"];

/** Stands for the id of an event without one, so that it counts once too. undefined: it has no time. */
function contentOf(value: Fields): string | undefined {
  if (typeof value["date"] !== "string") return undefined;
  return JSON.stringify(identifying.map((name) => (typeof value[name] === "string" ? value[name] : "")));
}

function eventsInText(text: string, found: (event: LogEvent) => void, id: string | undefined, depth: number): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    return eventsIn(JSON.parse(text), found, id, depth + 1);
  } catch {
    return false;
  }
}
