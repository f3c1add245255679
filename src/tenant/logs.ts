/** Reads the tenant's log, oldest event first. */
import type { Decoder } from "./http/call";
import type { Client } from "./http/client";
import { isRecord, listOf } from "./http/json";

/** An event as the service returns it. */
export type LogRecord = Readonly<Record<string, unknown>>;

export interface Logs {
  /** The first event since the time. undefined: there is none. */
  firstSince(time: Date): Promise<LogRecord | undefined>;
  /** Up to 100 events after the event with this id, by checkpoint. Empty: there are no more yet. */
  after(id: string): Promise<readonly LogRecord[]>;
}

const isLog = (value: unknown): value is LogRecord => isRecord(value);
const isLogs = listOf(isLog);
const decodeLogs: Decoder<readonly LogRecord[]> = (body) => (isLogs(body) ? body : undefined);

const path = "/logs";
const decoders = { 200: decodeLogs };

export function createLogs(client: Client): Logs {
  return {
    async firstSince(time) {
      const query = { q: `date:[${time.toISOString()} TO *]`, sort: "date:1", page: 0, per_page: 1 };
      const { body } = await client.send({ method: "GET", path, query, decoders });
      return body[0];
    },
    async after(id) {
      const { body } = await client.send({ method: "GET", path, query: { from: id, take: 100 }, decoders });
      return body;
    },
  };
}
