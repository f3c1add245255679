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

export interface EventSink {
  event(event: LogEvent): void;
  /** Values beside events that are no events. */
  strange(count: number): void;
}

/** Returns false if there is no event. */
export function eventsIn(value: unknown, sink: EventSink, id?: string, depth = 0): boolean {
  if (typeof value === "string") return depth > 0 && eventsInText(value, sink, id, depth);
  if (!isFields(value) || depth > deepest) return false;
  if (Array.isArray(value)) {
    const strange = value.filter((one) => !eventsIn(one, sink, undefined, depth + 1)).length;
    if (strange === value.length) return false;
    sink.strange(strange);
    return true;
  }
  const own = idOf(value) ?? id;
  const type = value["type"];
  if (typeof type === "string" && type !== "" && isEvent(value)) {
    const name = own ?? idFrom(value["id"]) ?? contentOf(value);
    sink.event({ type, ...(name !== undefined && { id: name }), fields: value });
    return true;
  }
  for (const name of holders) {
    const held = value[name];
    if (held !== undefined && held !== null && eventsIn(held, sink, own, depth + 1)) return true;
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

function eventsInText(text: string, sink: EventSink, id: string | undefined, depth: number): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    return eventsIn(JSON.parse(text), sink, id, depth + 1);
  } catch {
    return false;
  }
}
