/** The counts and the log of each exchange. */
import { TenantError } from "../../../src/tenant/error";
import { noUsage, withUsage } from "../../../src/tenant/http/usage";
import type { Request } from "../../../src/tenant/http/call";
import type { RawResponse } from "../../../src/tenant/http/transport";

const request = (): Request<unknown> => ({
  method: "POST",
  path: "/api/v2/things?page=0",
  name: "/things",
  headers: {},
  body: '"ä"',
  bucket: "global",
  idempotent: true,
  decoders: {},
  attempts: { count: 0, waitedMs: 12.4 },
});

/** Exchanges of a quarter of a second each. Returns the counts and the log. */
function account(...outcomes: (RawResponse | Error)[]) {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const told: unknown[] = [];
  const usage = noUsage();
  const layer = withUsage({
    clock: { now: () => now, sleep: async () => {} },
    log: (level, message, fields) => told.push([level, message, fields]),
    usage,
    rate: () => 7,
  });
  const send = layer(async () => {
    now += 250.4;
    const outcome = outcomes.shift()!;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  return { send, told, usage };
}

test("logs a response with its time, its attempt and the quota that it names", async () => {
  const headers = {
    "x-request-id": "r1",
    "x-ratelimit-limit": "10",
    "x-ratelimit-remaining": "9",
    "x-ratelimit-reset": "1767225600",
  };
  const answer = { status: 200, headers, text: "öäü" };
  const { send, told, usage } = account(answer);
  expect(await send(request())).toBe(answer);
  expect(told).toEqual([
    [
      "debug",
      "POST /api/v2/things?page=0",
      {
        method: "POST",
        path: "/things",
        status: 200,
        ms: 250,
        request_id: "r1",
        try: 1,
        waited_ms: 12,
        bucket: "global",
        limit: "10",
        remaining: "9",
        reset: "1767225600",
        rate: 7,
      },
    ],
  ]);
  expect(usage).toEqual({ ...noUsage(), requests: 1, bytesSent: 4, bytesReceived: 6 });
});

test("passes on a failure with its code, and counts further attempts as retries and 429s as throttled", async () => {
  const broken = new TenantError("timeout", "It failed.");
  const defect = new TypeError("x is not a function");
  const { send, told, usage } = account(broken, defect, { status: 429, headers: {}, text: "" });
  const asked = request();
  await expect(send(asked)).rejects.toBe(broken);
  await expect(send(asked)).rejects.toBe(defect);
  await send(asked);
  expect(told).toMatchObject([
    ["debug", "POST /api/v2/things?page=0", { status: "timeout", try: 1, ms: 250 }],
    ["debug", "POST /api/v2/things?page=0", { status: "error", try: 2 }],
    ["debug", "POST /api/v2/things?page=0", { status: 429, try: 3 }],
  ]);
  expect(usage).toMatchObject({ requests: 3, retries: 2, throttled: 1, bytesSent: 12, bytesReceived: 0 });
});

test.each([
  { date: "Thu, 01 Jan 2026 00:00:00 GMT", clockAheadMs: 250.4 },
  { date: "Fri, 02 Jan 2026 00:00:00 GMT", clockAheadMs: 250.4 - 86_400_000 },
  { date: "soon", clockAheadMs: undefined },
  { date: undefined, clockAheadMs: undefined },
])("compares the clock with the Date of a response: $date", async ({ date, clockAheadMs }) => {
  const { send, usage } = account({ status: 200, headers: date === undefined ? {} : { date }, text: "" });
  await send(request());
  if (clockAheadMs === undefined) expect(usage.clockAheadMs).toBeUndefined();
  else expect(usage.clockAheadMs).toBeCloseTo(clockAheadMs, 3);
});
