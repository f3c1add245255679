/** When connections are opened, reused and closed, and how much of a request was sent by then. */
import type { Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { createCertificate } from "../../../src/provider/plugin/certificate";
import { closeAll, closed, get, listen, ok, open, post, serve } from "../support/bytes-server";
import { gate } from "../support/gate";
import { timers } from "../support/timers";

afterEach(closeAll);

describe("connections", () => {
  test("uses one connection for sequential requests, and as many as needed for parallel ones", async () => {
    const arrived = gate();
    const { origin, asked, sockets } = await serve((socket, { nth }) => {
      if (nth <= 3 || nth > 8) return void socket.write(ok());
      if (nth === 8) arrived.open();
      void arrived.opened.then(() => socket.write(ok()));
    });
    const transport = open({ origin });
    for (const request of [post, get, post]) await transport.exchange(request);
    expect(sockets).toHaveLength(1);
    await Promise.all(Array.from({ length: 5 }, () => transport.exchange(get)));
    expect(sockets).toHaveLength(5);
    await transport.exchange(get);
    expect(asked.map(({ connection }) => connection).slice(0, 3)).toEqual([1, 1, 1]);
    expect(sockets).toHaveLength(5);
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ["the server closed in the meantime", "", (socket) => socket.end()],
    ["the server reset in the meantime", "", (socket) => socket.resetAndDestroy()],
    ["the server is about to close", "connection: close\r\n", () => {}],
    ["the server keeps only for a moment", "keep-alive: timeout=1\r\n", () => {}],
    ["has received data without a request", "", (socket) => socket.write(ok("poison"))],
  ])("does not reuse a connection that %s", async (_kind, headers, meanwhile) => {
    const { origin, asked, sockets } = await serve((socket) => socket.write(ok("ok", headers)));
    const transport = open({ origin, timeouts: { idle: 60_000 } });
    expect(await transport.exchange(post)).toMatchObject({ text: "ok" });
    const first = sockets[0]!;
    const over = closed(first);
    meanwhile(first);
    await over;
    // The client must see the end of the connection, too.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    expect(await transport.exchange(post)).toMatchObject({ text: "ok" });
    expect(asked.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test("closes an idle connection, but not one that waits longer than that for a response", async () => {
    const { origin, sockets } = await serve((socket) => void setTimeout(() => socket.write(ok()), 80));
    const transport = open({ origin, timeouts: { idle: 20 } });
    expect(await transport.exchange(get)).toMatchObject({ text: "ok" });
    await closed(sockets[0]!);
  });

  test("does not repeat a request in the transport if its connection closes at that moment", async () => {
    for (const request of [get, post]) {
      const { origin, asked } = await serve((socket, { nth }) => (nth === 1 ? socket.write(ok()) : socket.destroy()));
      const transport = open({ origin });
      await transport.exchange(get);
      await expect(transport.exchange(request)).rejects.toMatchObject({ code: "connection_failed", unsent: false });
      expect(asked.map(({ connection }) => connection)).toEqual([1, 1]);
    }
  });

  test("does not mistake surplus bytes of a response for the next response", async () => {
    const { origin, asked } = await serve((socket, { nth }) =>
      socket.write(nth === 1 ? ok("one") + ok("poison") : ok("two")),
    );
    const transport = open({ origin });
    await transport.exchange(get).then(
      ({ text }) => expect(text).toBe("one"),
      (error) => expect(error).toMatchObject({ code: "connection_failed", unsent: false }),
    );
    expect(await transport.exchange(get)).toMatchObject({ text: "two" });
    expect(asked.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test("closes the connection of an abandoned response, and uses another one", async () => {
    const { origin, asked, sockets } = await serve((socket, { nth }) => void (nth > 1 && socket.write(ok())));
    const transport = open({ origin, timeouts: { exchange: 1_000 } });
    await expect(transport.exchange(get)).rejects.toMatchObject({ code: "timeout" });
    await closed(sockets[0]!);
    expect(await transport.exchange(get)).toMatchObject({ text: "ok" });
    expect(asked.map(({ connection }) => connection === 1)).toEqual([true, false]);
  });
});

describe("a request that was certainly not sent", () => {
  test("is reported if nothing listens at the address", async () => {
    const { port } = await serve(() => {});
    await closeAll();
    // If a name has several addresses, the error for all of them has no message of its own.
    for (const host of ["127.0.0.1", "localhost"]) {
      await expect(open({ origin: `http://${host}:${port}` }).exchange(post)).rejects.toMatchObject({
        code: "connection_failed",
        unsent: true,
        message: expect.stringMatching(/could not be reached: .*ECONNREFUSED/),
      });
    }
  });

  test.each<[string, (socket: Socket) => void, number, string]>([
    ["silent", () => {}, 60, "timeout"],
    ["not TLS", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), 10_000, "connection_failed"],
  ])("is reported if the handshake is %s", async (_kind, greet, connect, code) => {
    const { port } = await serve(() => {}, greet);
    const failed = open({ origin: `https://127.0.0.1:${port}`, timeouts: { connect } }).exchange(post);
    await expect(failed).rejects.toMatchObject({ code, unsent: true });
  });
});

test("verifies the server of each connection, because a resumed TLS session is not verified", async () => {
  const { pem: cert, key } = createCertificate();
  const reused: boolean[] = [];
  const server = createTlsServer({ cert, key }, (socket) => {
    reused.push(socket.isSessionReused());
    socket.on("error", () => {}).once("data", () => socket.end(ok("ok", "connection: close\r\n")));
  });
  const port = await listen(server);
  const transport = open({ origin: `https://localhost:${port}`, certificateAuthority: cert });
  for (let time = 0; time < 3; time++) expect(await transport.exchange(get)).toMatchObject({ text: "ok" });
  expect(reused).toEqual([false, false, false]);
  const elsewhere = open({ origin: `https://127.0.0.1:${port}`, certificateAuthority: cert });
  for (let time = 0; time < 2; time++) {
    await expect(elsewhere.exchange(post)).rejects.toMatchObject({ code: "connection_failed", unsent: true });
  }
});

test("verifies the certificate, whatever NODE_TLS_REJECT_UNAUTHORIZED says", async () => {
  const { NODE_TLS_REJECT_UNAUTHORIZED: before = "1" } = process.env;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  try {
    const { pem: cert, key } = createCertificate();
    let requests = 0;
    const server = createTlsServer(
      { cert, key },
      (socket) => void socket.on("error", () => {}).on("data", () => requests++),
    );
    const origin = `https://localhost:${await listen(server)}`;
    await expect(open({ origin }).exchange(post)).rejects.toMatchObject({ code: "connection_failed", unsent: true });
    expect(requests).toBe(0);
  } finally {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  }
});

test("knows that a server that demands a client certificate has not read the request", async () => {
  const { pem: cert, key } = createCertificate();
  const server = createTlsServer({ cert, key, requestCert: true, rejectUnauthorized: true });
  server.on("tlsClientError", () => {});
  const origin = `https://localhost:${await listen(server)}`;
  const failed = open({ origin, certificateAuthority: cert }).exchange(post);
  await expect(failed).rejects.toMatchObject({ code: "connection_failed", unsent: true });
});

describe("the end", () => {
  test("gives requests under way a grace period, and then says that they may have taken effect", async () => {
    for (const [request, effect] of [
      [get, "Stopped GET / before the response arrived."],
      [post, "Stopped POST / before the response arrived. The request may have taken effect."],
    ] as const) {
      const arrived = gate();
      const { origin, sockets } = await serve(() => arrived.open());
      const transport = open({ origin, timeouts: { stop: 30 } });
      const outcome = transport.exchange(request).catch((error: unknown) => error);
      await arrived.opened;
      transport.stop();
      expect(await outcome).toMatchObject({ code: "stopped", message: effect });
      await closed(sockets[0]!);
      await expect(transport.exchange(request)).rejects.toMatchObject({ code: "stopped", unsent: true });
    }
  });

  test("aborts connections that are being opened, and does not wait for them", async () => {
    const connect = 12_345;
    const arrived = gate();
    const { port, sockets } = await serve(() => {}, arrived.open);
    const transport = open({ origin: `https://127.0.0.1:${port}`, timeouts: { connect, stop: 0 } });
    const left = await timers(connect, async () => {
      const outcome = transport.exchange(post).catch((error: unknown) => error);
      await arrived.opened;
      transport.stop();
      expect(await outcome).toMatchObject({ code: "stopped", unsent: true });
      await closed(sockets[0]!);
    });
    expect(left).toEqual({ begun: 1, waiting: 0 });
  });

  test("stops as soon as all requests under way have their responses", async () => {
    const arrived = gate();
    const leave = gate();
    const { origin, sockets } = await serve((socket) => {
      arrived.open();
      void leave.opened.then(() => socket.write(ok()));
    });
    // The test would time out before this grace period ends.
    const transport = open({ origin, timeouts: { stop: 600_000 } });
    const outcome = transport.exchange(get);
    await arrived.opened;
    const over = closed(sockets[0]!);
    transport.stop();
    leave.open();
    expect(await outcome).toMatchObject({ text: "ok" });
    await over;
  });

  test("closes idle connections, and refuses new requests", async () => {
    for (const end of ["stop", "close"] as const) {
      const { origin, asked, sockets } = await serve((socket) => socket.write(ok()));
      const transport = open({ origin, timeouts: { idle: 60_000, stop: 60_000 } });
      await transport.exchange(get);
      const over = closed(sockets[0]!);
      await transport[end]();
      await over;
      await expect(transport.exchange(get)).rejects.toMatchObject({ code: "stopped", unsent: true });
      expect(asked).toHaveLength(1);
    }
  });

  test("resolves close when all requests under way have their responses, with or without a stop", async () => {
    for (const ends of [["close"], ["stop", "close"], ["close", "stop"]] as const) {
      const arrived = gate();
      const leave = [gate(), gate()];
      const { origin, asked } = await serve((socket, { nth }) => {
        if (nth === 2) arrived.open();
        void leave[nth - 1]!.opened.then(() => socket.write(ok()));
      });
      const transport = open({ origin, timeouts: { stop: 60_000 } });
      const outcomes = [get, get].map((one) => transport.exchange(one));
      await arrived.opened;
      const done: string[] = [];
      const over = Promise.all(ends.map((end) => transport[end]())).then(() => done.push("over"));
      leave[0]!.open();
      await Promise.race(outcomes);
      await new Promise(setImmediate);
      expect(done).toEqual([]);
      leave[1]!.open();
      await over;
      expect(await Promise.all(outcomes)).toMatchObject([{ text: "ok" }, { text: "ok" }]);
      expect(asked).toHaveLength(2);
    }
  });
});
