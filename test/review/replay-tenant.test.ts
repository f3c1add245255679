/** `replay --tenant` reads every event of the tenant's log once, also beside faults and new events, and goes on after a stop. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEmulator, type Emulator } from "../../src/emulator/emulator";
import { readTenantLog } from "../../src/review/replay/tenant-log";

const begin = Date.parse("2026-11-20T08:00:00.000Z");
/** Each event is one second later than the one before. */
const dateOf = (index: number) => new Date(begin + index * 1_000).toISOString();

let emulator: Emulator;
let environment: NodeJS.ProcessEnv;
let close: () => Promise<void>;
let added: number;
beforeEach(async () => {
  added = 0;
  emulator = createEmulator();
  const listening = await emulator.listen();
  close = listening.close;
  environment = {
    TENANT_ENDPOINT: listening.url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
  };
});
afterEach(() => close());

function append(count: number): void {
  for (let index = 0; index < count; index++) {
    emulator.log.append({ date: dateOf(added++), type: "s", ip: "203.0.113.7", description: "", client_id: "app" });
  }
}

const unexpected = () => {
  throw new Error("The service sends whole events.");
};

/** The dates of the events that were read, in their order, and the words of a stop. */
async function reading({ since = 0, pages = Infinity, onPage = (_stop: () => void) => {} } = {}) {
  const dates: unknown[] = [];
  const stop = new AbortController();
  let read = 0;
  const stopped = await readTenantLog(
    environment,
    { value: (event) => void dates.push((event as { date: string }).date), broken: unexpected, torn: unexpected },
    {
      since,
      signal: stop.signal,
      report() {
        onPage(() => stop.abort());
        if (++read === pages) stop.abort();
      },
    },
  );
  return { dates, stopped };
}

const dates = (first: number, end: number) => Array.from({ length: end - first }, (_, index) => dateOf(first + index));
const calls = () => emulator.requests.filter(({ path }) => path.startsWith("/api/v2/logs")).length;

test("reads 250 events once and in order, 100 with each call", async () => {
  append(250);
  expect(await reading()).toEqual({ dates: dates(0, 250), stopped: undefined });
  // One search for the first event, three pages, and the empty one that ends the log.
  expect(calls()).toBe(5);
});

test("begins at the given time, and an empty log is no error", async () => {
  expect(await reading()).toEqual({ dates: [], stopped: undefined });
  append(20);
  expect((await reading({ since: begin + 12_000 })).dates).toEqual(dates(12, 20));
});

test("loses and repeats no event after a 429, a 503 and a lost response", async () => {
  append(350);
  emulator.faults.add({ path: "/api/v2/logs", nth: 2, status: 429 });
  emulator.faults.add({ path: "/api/v2/logs", nth: 4, status: 503 });
  emulator.faults.add({ path: "/api/v2/logs", nth: 6, reset: "after" });
  expect((await reading()).dates).toEqual(dates(0, 350));
});

test("also reads events that arrive during the reading", async () => {
  append(150);
  let more = 2;
  const onPage = () => {
    if (more-- > 0) append(30);
  };
  expect((await reading({ onPage })).dates).toEqual(dates(0, 210));
});

test("says at which event it stopped, and a reading from there has the rest", async () => {
  append(250);
  const first = await reading({ pages: 1 });
  expect(first.dates).toEqual(dates(0, 101));
  expect(first.stopped?.isFailed).toBe(false);
  expect(first.stopped?.words).toContain(`To read the rest, give --since ${dateOf(100)}.`);
  const rest = await reading({ since: Date.parse(dateOf(100)) });
  // The last event of the first reading is read again; the replay counts an id once.
  expect(rest).toEqual({ dates: dates(100, 250), stopped: undefined });
});

test("keeps the events before an error, names the error, and a reading from there has the rest", async () => {
  append(250);
  emulator.faults.add({ path: "/api/v2/logs", nth: 3, status: 400 });
  const first = await reading();
  expect(first.dates).toEqual(dates(0, 101));
  expect(first.stopped).toEqual({
    isFailed: true,
    words: expect.stringMatching(
      /^The replay stopped reading at the events of .+Z, because the tenant could not be read \(Bad Request\)\. /,
    ),
  });
  expect(first.stopped?.words).toContain(`To read the rest, give --since ${dateOf(100)}.`);
  expect((await reading({ since: Date.parse(dateOf(100)) })).dates).toEqual(dates(100, 250));
});

test("does not wait for a response when it is stopped", async () => {
  append(350);
  emulator.faults.add({ path: "/api/v2/logs", nth: 3, latency: 600_000 });
  const { dates: read, stopped } = await reading({ onPage: (stop) => void setImmediate(stop) });
  expect(read).toEqual(dates(0, 101));
  expect(stopped?.words).toContain(`The replay stopped reading at the events of ${dateOf(100)}.`);
});

test("stops with an error if the pages of the log go in a circle", async () => {
  const page = (id: string) => [{ log_id: id, date: dateOf(0), type: "s" }];
  const server = createServer((request, response) => {
    const from = new URL(request.url!, "http://localhost").searchParams.get("from");
    const token = { access_token: "t", token_type: "Bearer", expires_in: 3_600 };
    const body = request.url!.includes("/logs") ? page(from === "b" ? "c" : from === "a" ? "b" : "a") : token;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    environment = { ...environment, TENANT_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    expect((await reading()).stopped).toEqual({ isFailed: true, words: expect.stringContaining("go in a circle") });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("names the missing scope", async () => {
  const client = emulator.store.clients.get(emulator.clientId)!;
  emulator.store.clients.put({ ...client, scopes: ["read:network_acls"] });
  await expect(reading()).rejects.toThrow(/read:logs/);
});
