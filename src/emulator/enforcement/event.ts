/** An event about many requests in the tenant's log, in the form of the service. */

export interface LogEvent {
  /** ISO 8601, UTC, milliseconds. */
  readonly date: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

/** The name of the tenant is none that its clients know. */
const frame = { tenant_name: "embedded-tenant", environment_name: "local", $event_schema: { version: "1.0.0" } };

export const countingEvent = (type: string, at: number, description: string, more: object): LogEvent => ({
  date: new Date(at).toISOString(),
  type,
  description,
  ...more,
  ...frame,
});

/** Auth0 keeps events for days. The tenant keeps the last ones, in limited memory. */
export const mostEvents = 10_000;

/** Returns a function that adds an event to the log, and drops the oldest one beyond the limit. */
export const appendTo = (log: LogEvent[]) => (event: LogEvent) => {
  if (log.push(event) > mostEvents) log.shift();
};
