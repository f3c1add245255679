/** The tenant's log: its last events, in the order of their ids. */
import type { LogEvent, NewEvent } from "./event";

/** Auth0 keeps events for days. The tenant keeps the last ones, as many as fit into limited memory. */
export const mostEvents = 20_000;
const mostCharacters = 32 * 1024 * 1024;

/** Returns ids in the form of the service: a version, the time, and a number that makes each id higher than the one before. */
export function createLogIds(): (at: number) => string {
  let last = 0;
  let number = 1223372036854775808n;
  return (at) => {
    last = Math.max(last, Math.floor(at));
    const time = new Date(last).toISOString().replace(/\D/g, "");
    return `900${time}${String(number++).padStart(36, "0")}`;
  };
}

/** The last 20,000 events at most, and as many as 32 Mi characters of JSON hold. */
export interface EventLog {
  /** Adds an event, and drops the oldest ones beyond the limits. */
  append(event: NewEvent): void;
  /** The event with this id; undefined if it never existed or was dropped. */
  get(id: string): LogEvent | undefined;
  /** Oldest first. */
  events(): readonly LogEvent[];
  /** The oldest events with a higher id. */
  after(id: string, most: number): readonly LogEvent[];
  /** Removes all events. */
  clear(): void;
}

export function createEventLog(now: () => number): EventLog {
  const nextId = createLogIds();
  let events: LogEvent[] = [];
  let sizes: number[] = [];
  let characters = 0;

  /** The place of the first event whose id is at least this one. */
  const placeOf = (id: string) => {
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (events[middle]!.log_id < id) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  /** Drops more than necessary, so that not every event moves the whole list. */
  const shrink = () => {
    let dropped = 0;
    while (events.length - dropped > mostEvents * 0.95 || characters > mostCharacters * 0.95) {
      characters -= sizes[dropped++]!;
    }
    events = events.slice(dropped);
    sizes = sizes.slice(dropped);
  };

  return {
    append(event) {
      const log_id = nextId(now());
      const added = { ...event, log_id, _id: log_id };
      const size = JSON.stringify(added).length;
      events.push(added);
      sizes.push(size);
      characters += size;
      if (events.length > mostEvents || characters > mostCharacters) shrink();
    },
    get(id) {
      const event = events[placeOf(id)];
      return event?.log_id === id ? event : undefined;
    },
    events: () => events,
    after(id, most) {
      const place = placeOf(id);
      const start = events[place]?.log_id === id ? place + 1 : place;
      return events.slice(start, start + most);
    },
    clear() {
      [events, sizes, characters] = [[], [], 0];
    },
  };
}
