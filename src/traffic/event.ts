/** Reads log events, and finds them in the envelopes of log streams and of the tools that export them. */

/** An event as Auth0 writes it. */
export interface LogEvent {
  readonly type: string;
  /** Left out: the event has no id. */
  readonly id?: string;
  readonly fields: { readonly [name: string]: unknown };
}

/** The forms that are read, for the message about a log with another form. */
export const forms =
  "Auth0's log streams and exports, Amazon CloudWatch and EventBridge, Azure Event Grid, Google Cloud Logging, Loki, Splunk, Datadog and Elastic";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The parts of envelopes that hold events, as objects, lists, or text of JSON. */
const holders =
  "data logs log events records Records value logEvents message detail jsonPayload textPayload result values line event _raw attributes auth0 hits _source body Body".split(
    " ",
  );

/** Envelopes in envelopes, such as an export of a stream of an event bus. */
const deepest = 8;

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
    const entries = lineOf(value) ?? value;
    const strange = entries.filter((one) => !eventsIn(one, sink, undefined, depth + 1)).length;
    if (strange === entries.length) return false;
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

/** The line of `["1764307886000000000", "{…}"]`, a pair of Loki. Undefined for other lists. */
const lineOf = ([time, line, ...more]: readonly unknown[]): readonly unknown[] | undefined =>
  typeof time === "string" && /^\d{10,20}$/.test(time) && typeof line === "string" && more.length < 2
    ? [line]
    : undefined;

/** An event of an event bus has a type too, but it holds the event of Auth0. */
function isEvent(value: Fields): boolean {
  const { data } = value;
  if (isFields(data) && (typeof data["type"] === "string" || isFields(data["data"]))) return false;
  return value["date"] !== undefined || idOf(value) !== undefined;
}

const idFrom = (id: unknown) => (typeof id === "string" && id !== "" ? id.slice(0, 200) : undefined);

const idOf = (value: Fields) => idFrom(value["log_id"] ?? value["_id"]);

const identifying = ["date", "type", "ip", "client_id", "user_id", "user_agent", "hostname", "description"];

/** Stands for the id of an event without one, so that it counts once too. Undefined if it has no time. */
function contentOf(value: Fields): string | undefined {
  if (typeof value["date"] !== "string") return undefined;
  return JSON.stringify(identifying.map((name) => (typeof value[name] === "string" ? value[name].slice(0, 200) : "")));
}

/** Text may stand before the JSON, such as a time. */
function eventsInText(text: string, sink: EventSink, id: string | undefined, depth: number): boolean {
  const starts = [0, text.indexOf("{")].filter(
    (start) => /^\s{0,9}[[{]/.test(text.slice(start, start + 10)) && start >= 0,
  );
  for (const start of starts) {
    try {
      return eventsIn(JSON.parse(text.slice(start)), sink, id, depth + 1);
    } catch {
      // The text before the JSON may begin with a bracket.
    }
  }
  return false;
}
