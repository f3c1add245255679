/** Writes the log of a made-up week to a file, as the tenant would have written it. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Seed } from "../api/families";
import { createEmulator } from "../emulator";
import { createEdge } from "../enforcement/edge";
import { requestDetails, requestEvent, type NewEvent } from "../logs/event";
import { createLogIds } from "../logs/log";
import { seededRandom } from "../state/identity";
import { week, type WeekOptions } from "./week";

/** A tenant that watches the attackers and the failing integration, but stops nobody. */
export const watchingSeed: Seed = {
  network_acls: [
    {
      description: "Watch the networks of the attackers",
      active: true,
      priority: 10,
      rule: { scope: "authentication", action: { log: true }, match: { geo_country_codes: ["SC", "PA"] } },
    },
  ],
  rate_limit_policies: [
    { consumer_selector: "third_party_clients", configuration: { action: "log", limit: 50 } },
    { consumer_selector: "default", configuration: { action: "log", limit: 100 } },
  ],
};

export interface Written {
  requests: number;
  /** Requests that network ACLs or rate limit policies stopped. */
  stopped: number;
  events: number;
}

const linesPerChunk = 500;

function* chunks(options: WeekOptions, seed: Seed, written: Written): Generator<string> {
  // Ids of the seed's objects depend on the seed of the week too.
  const { store } = createEmulator({ seed: { ...seed, faults: [] }, random: seededRandom(options.seed), now: () => 0 });
  const [acls, policies] = [store.networkAcls.values(), store.rateLimitPolicies.values()];
  const nextId = createLogIds();
  let at = 0;
  let lines: string[] = [];
  const append = (event: NewEvent) => {
    const log_id = nextId(at);
    lines.push(`${JSON.stringify({ ...event, log_id, _id: log_id })}\n`);
    written.events++;
  };
  const edge = createEdge(append);
  for (const made of week(options)) {
    const { method, path, origin, type, participants } = made;
    at = made.at;
    written.requests++;
    if (edge.admit({ method, path, origin, client: participants.client_id, at }, acls, policies).passes) {
      const details = type === "sapi" ? requestDetails(method, path, origin, 204) : {};
      append(requestEvent(type, at, origin, participants, details));
    } else written.stopped++;
    if (lines.length < linesPerChunk) continue;
    yield lines.join("");
    lines = [];
  }
  yield lines.join("");
}

/** JSON lines, compressed if the name of the file ends in .gz. */
export async function writeTraffic(file: string, options: WeekOptions, seed: Seed = watchingSeed): Promise<Written> {
  const written: Written = { requests: 0, stopped: 0, events: 0 };
  const source = Readable.from(chunks(options, seed, written), { objectMode: true, highWaterMark: 2 });
  const target = createWriteStream(file);
  await (file.endsWith(".gz") ? pipeline(source, createGzip({ level: 1 }), target) : pipeline(source, target));
  return written;
}
