/** An exchange with servers that break off, flood or stay silent. */
import { closeAll, closed, get, ok, open, post, serve, type Script } from "../support/bytes-server";
import { timers } from "../support/timers";

afterEach(closeAll);

const ends =
  (text: string): Script =>
  (socket) =>
    socket.end(text);
const writes =
  (text: string | Buffer): Script =>
  (socket) =>
    socket.write(text);

describe.each([
  ["a read", get],
  ["a write", post],
])("%s that was sent", (_name, request) => {
  test.each<[string, Script]>([
    ["reset", (socket) => socket.resetAndDestroy()],
    ["closed without a response", (socket) => socket.end()],
    ["closed inside the status line", ends("HTTP/1.1 2")],
    ["closed inside the headers", ends("HTTP/1.1 200 OK\r\ncontent-le")],
    ["closed before the body's length", ends("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc")],
    ["closed inside a chunk", ends("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc")],
    ["closed before the last chunk", ends("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n")],
    [
      "reset inside the body",
      (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc", () => socket.resetAndDestroy()),
    ],
    // undici treats it as the response to "Expect: 100-continue", which the client never sends.
    ["100 Continue, unasked", (socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${ok()}`)],
    ["a status without a body, with a length", writes("HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n")],
    ["no HTTP", writes("220 hello\r\n\r\n")],
    ["TLS on a connection without TLS", (socket) => socket.write(Buffer.from("1503030002022a", "hex"))],
    ["a status that is no number", writes("HTTP/1.1 2x0 OK\r\ncontent-length: 0\r\n\r\n")],
    ["a length that is no number", writes("HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n")],
    ["two lengths", writes("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab")],
    [
      "a length next to chunks",
      writes("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\nab\r\n0\r\n\r\n"),
    ],
    ["a chunk of no size", writes("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab\r\n")],
    ["a header with a NUL", writes("HTTP/1.1 200 OK\r\nx-a: \0\r\ncontent-length: 0\r\n\r\n")],
    ["another protocol", writes("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n")],
    [
      "headers of 100 kB",
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx-a: ${"a".repeat(100_000)}\r\ncontent-length: 0\r\n\r\n`),
    ],
  ])("may have arrived if the response is %s, and the transport does not repeat it", async (_kind, script) => {
    const { origin, asked } = await serve(script);
    const failed = open({ origin, timeouts: { exchange: 5_000 } }).exchange(request);
    await expect(failed).rejects.toMatchObject({
      name: "TenantError",
      code: "connection_failed",
      unsent: false,
      method: request.method,
      message: expect.stringContaining(`${origin} broke the connection: `),
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]!.body).toBe(request.body ?? "");
  });

  test.each<[string, Script]>([
    ["nothing", () => {}],
    [
      "headers without an end",
      (socket) => {
        const more = setInterval(() => socket.write("x-a: b\r\n"), 5);
        socket.write("HTTP/1.1 200 OK\r\n");
        socket.on("close", () => clearInterval(more));
      },
    ],
    [
      "only interim responses",
      (socket) => {
        const more = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"), 5);
        socket.on("close", () => clearInterval(more));
      },
    ],
  ])("fails and closes its connection if %s comes", async (_kind, script) => {
    const { origin, asked, sockets } = await serve(script);
    const failed = open({ origin, timeouts: { exchange: 100 } }).exchange(request);
    await expect(failed).rejects.toMatchObject({ code: "timeout", unsent: false });
    await closed(sockets[0]!);
    expect(asked).toHaveLength(1);
  });

  test("waits for a slow body, but not longer than the time limit of an exchange", async () => {
    const slowly: Script = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n");
      const more = setInterval(() => socket.write("a"), 120);
      socket.on("close", () => clearInterval(more));
    };
    const { origin } = await serve(slowly);
    expect(await open({ origin }).exchange(request)).toMatchObject({ text: "aaaaaa" });
    const failed = open({ origin, timeouts: { exchange: 500 } }).exchange(request);
    await expect(failed).rejects.toMatchObject({ code: "timeout", unsent: false });
  });

  test("reads bodies with each framing, after interim responses, with repeated headers", async () => {
    const answers = [
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab",
      "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nx-a: 0\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;ext=1\r\na\r\n1\r\nb\r\n0\r\nx-trailer: 1\r\n\r\n",
      "HTTP/1.0 200 OK\r\n\r\nab",
      "HTTP/1.1 200\r\nX-A: 1\r\nx-a: 2\r\nRetry-After: 3\r\nretry-after: 4\r\nset-cookie: a\r\nset-cookie: b\r\nconnection: close\r\n\r\nab",
    ];
    const { origin } = await serve((socket, { nth }) => {
      const answer = answers[nth - 1]!;
      if (answer.includes("content-length") || answer.includes("chunked")) socket.write(answer);
      else socket.end(answer);
    });
    const transport = open({ origin });
    for (const { length } of answers) {
      expect(length).toBeGreaterThan(0);
      expect(await transport.exchange(request)).toMatchObject({ status: 200, text: "ab" });
    }
    const { origin: other } = await serve((socket) => socket.end(answers[3]!));
    const { headers } = await open({ origin: other }).exchange(request);
    expect(headers).toMatchObject({ "x-a": "1", "retry-after": "3", "set-cookie": "a" });
  });
});

test("stops reading a response at 32 MiB", async () => {
  const megabyte = Buffer.alloc(1024 * 1024, " ");
  const { origin } = await serve((socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(megabyte));
    };
    socket.on("drain", more).write("HTTP/1.1 200 OK\r\n\r\n", more);
  });
  await expect(open({ origin }).exchange(get)).rejects.toMatchObject({
    code: "unlike_service",
    message: expect.stringContaining("more than 32 MiB"),
  });
});

test("decodes characters that are split between two chunks of a body", async () => {
  const text = "ä€😀".repeat(3);
  const bytes = Buffer.from(text);
  const { origin } = await serve((socket) => {
    socket.setNoDelay().write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`);
    let at = 0;
    const more = setInterval(() => {
      socket.write(bytes.subarray(at, ++at));
      if (at === bytes.length) clearInterval(more);
    }, 1);
  });
  expect((await open({ origin }).exchange(get)).text).toBe(text);
});

test("removes a byte order mark from the text", async () => {
  const { origin } = await serve((socket) => socket.write(Buffer.from(ok("\xef\xbb\xbf{}"), "latin1")));
  expect((await open({ origin }).exchange(get)).text).toBe("{}");
});

test("returns redirects as responses, and no body for statuses without one", async () => {
  const answers = [
    "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
    "HTTP/1.1 204 No Content\r\ncontent-type: application/json\r\n\r\n",
    "HTTP/1.1 304 Not Modified\r\n\r\n",
  ];
  const { origin, asked } = await serve((socket, { nth }) => socket.write(answers[nth - 1]!));
  const transport = open({ origin });
  expect(await transport.exchange(get)).toMatchObject({ status: 302, headers: { location: "http://127.0.0.1:1/" } });
  expect(await transport.exchange(get)).toMatchObject({ status: 204, text: "" });
  expect(await transport.exchange(get)).toMatchObject({ status: 304, text: "" });
  expect(asked.map(({ connection }) => connection)).toEqual([1, 1, 1]);
});

test("sends a request exactly as it was written, and refuses values that headers cannot carry", async () => {
  const { origin, port, asked } = await serve((socket) => socket.write(ok()));
  const transport = open({ origin });
  const path = "/api/v2/organizations/org_1/members?take=1&from=a%2Bb%7Cc";
  await transport.exchange({
    ...post,
    path,
    headers: { authorization: "Bearer x", "content-type": "application/json" },
  });
  expect(asked[0]!.head).toMatch(
    /^POST \/api\/v2\/organizations\/org_1\/members\?take=1&from=a%2Bb%7Cc HTTP\/1\.1\r\n/,
  );
  const lines = asked[0]!.head.toLowerCase().split("\r\n");
  expect(lines).toEqual(
    expect.arrayContaining([`host: 127.0.0.1:${port}`, "authorization: bearer x", "content-length: 7"]),
  );
  for (const odd of [{ path: "/a b" }, { path: "/a\r\nx: y" }, { headers: { "x-a": "b\r\nx: y" } }]) {
    await expect(transport.exchange({ ...get, ...odd })).rejects.toMatchObject({ code: "connection_failed" });
  }
  expect(asked).toHaveLength(1);
});

test("leaves no timer after an exchange that would keep the process alive", async () => {
  const exchange = 12_345;
  const { origin } = await serve((socket, { nth }) => (nth === 1 ? socket.write(ok()) : socket.destroy()));
  const transport = open({ origin, timeouts: { exchange } });
  const left = await timers(exchange, async () => {
    expect(await transport.exchange(get)).toMatchObject({ text: "ok" });
    await expect(transport.exchange(get)).rejects.toMatchObject({ code: "connection_failed" });
  });
  expect(left).toEqual({ begun: 2, waiting: 0 });
});

test("states the length of a write without a body", async () => {
  const { origin, asked } = await serve((socket) => socket.write(ok()));
  await open({ origin }).exchange({ method: "POST", path: "/", headers: {} });
  expect(asked[0]!.head.toLowerCase()).toContain("content-length: 0");
});
