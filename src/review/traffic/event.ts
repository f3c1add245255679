/** Reads log events, and finds them in the envelopes of log streams and of the tools that export them. */
import { valueIn } from "./values";

/** An event as Auth0 writes it. */
export interface LogEvent {
  readonly type: string;
  readonly id?: string | undefined;
  readonly fields: { readonly [name: string]: unknown };
}

/** Source -> the properties of its envelopes that hold events, as objects, lists, or text of JSON. An envelope may be in another. */
const envelopes = {
  "Auth0's log streams and exports": ["data", "logs", "log"],
  "Amazon CloudWatch and EventBridge": ["logEvents", "events", "message", "detail"],
  "Azure Event Grid": ["data"],
  "Google Cloud Logging": ["jsonPayload", "textPayload"],
  Loki: ["data", "result", "values", "line"],
  Splunk: ["event", "result", "_raw"],
  Datadog: ["attributes"],
  Elastic: ["hits", "_source"],
};
const holders = [...new Set(Object.values(envelopes).flat())];
/** The forms that are read, for the message about a log with another form. */
export const forms = Object.keys(envelopes)
  .join(", ")
  .replace(/, (?=[^,]*$)/, " and ");

const deepest = 8;

type Fields = Readonly<Record<string, unknown>>;

export interface EventSink {
  event(event: LogEvent): void;
  /** Values beside events that are no events. */
  strange(count: number): void;
}

/** Returns false if there is no event. */
export function eventsIn(value: unknown, sink: EventSink, id?: string, depth = 0): boolean {
  const held = typeof value === "string" && depth > 0 ? valueIn(value) : value;
  if (typeof held !== "object" || held === null || depth > deepest) return false;
  if (Array.isArray(held)) {
    const others = held.filter((one) => !eventsIn(one, sink, undefined, depth + 1));
    if (others.length === held.length) return false;
    // Loki writes the time as a text before the text of each line.
    sink.strange(others.filter((one) => typeof one !== "string").length);
    return true;
  }
  const fields = held as Fields;
  const own = idFrom(fields["log_id"] ?? fields["_id"]) ?? id;
  const type = fields["type"];
  if (typeof type === "string" && type !== "" && isEvent(fields, own)) {
    sink.event({ type, id: own ?? idFrom(fields["id"]), fields });
    return true;
  }
  return holders.some((name) => fields[name] !== undefined && eventsIn(fields[name], sink, own, depth + 1));
}

/** An event of an event bus has a type too, but it holds the event of Auth0. */
function isEvent({ data, date }: Fields, id: string | undefined): boolean {
  const inner = typeof data === "object" && data !== null ? (data as Fields) : {};
  return typeof inner["type"] !== "string" && typeof inner["data"] !== "object" && (date ?? id) !== undefined;
}

const idFrom = (id: unknown) => (typeof id === "string" && id !== "" ? id.slice(0, 200) : undefined);
