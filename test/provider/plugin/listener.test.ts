/** The listener of the plugin: its socket, certificate, connections and end; what a certificate is valid for. */
import { createPublicKey, X509Certificate } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { status } from "@grpc/grpc-js";
import { issueCertificate } from "../../../src/formats/certificate/certificate";
import { callsOf } from "../../../src/provider/plugin/calls";
import { createCertificate } from "../../../src/provider/plugin/certificate";
import type { ProviderHandlers } from "../../../src/provider/plugin/handlers";
import { listen, type Listening, type ListenOptions, makeSocketPlace } from "../../../src/provider/plugin/listener";
import { connect, type PluginClient, type Security } from "./support/client";

describe("listener", () => {
  const open: { close(): unknown }[] = [];

  afterEach(async () => {
    for (const opened of open.splice(0).toReversed()) await opened.close();
  });

  async function start(handlers: ProviderHandlers, options?: ListenOptions): Promise<Listening> {
    const listening = await listen(callsOf(handlers), options);
    open.push(listening);
    return listening;
  }

  function visit({ network, address }: Listening, security?: Security): PluginClient {
    const client = connect(network === "unix" ? `unix:${address}` : address, security);
    open.push(client);
    return client;
  }

  test("sends the handler's response, with empty scalars and lists for missing fields", async () => {
    const requests: unknown[] = [];
    const listening = await start({
      importResourceState: async (request) => {
        requests.push(request);
        return { importedResources: [{ typeName: request.typeName }] };
      },
    });
    const answer = await visit(listening).ask("provider", "importResourceState", { typeName: "fixture_note" });
    expect(requests).toEqual([
      { typeName: "fixture_note", id: "", clientCapabilities: undefined, identity: undefined },
    ]);
    expect(answer).toMatchObject({ importedResources: [{ typeName: "fixture_note" }], diagnostics: [] });
  });

  test("responds with UNIMPLEMENTED if there is no handler", async () => {
    const client = visit(await start({}));
    await expect(client.ask("provider", "getFunctions")).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });

  test("reports an error of a handler to the client and in the log", async () => {
    const logged: unknown[][] = [];
    const gaveUp = new Error("gave up");
    const handlers = { readResource: () => Promise.reject(gaveUp) };
    const listening = await start(handlers, {
      log: (level, message, fields) => void logged.push([level, message, fields]),
    });
    const answer = visit(listening).ask("provider", "readResource");
    await expect(answer).rejects.toMatchObject({ code: status.UNKNOWN, details: "gave up" });
    expect(logged.filter(([level]) => level !== "trace")).toEqual([
      ["error", "ReadResource failed", { error: gaveUp }],
    ]);
    expect(logged[0]).toEqual(["trace", "ReadResource begins", { call: "ReadResource", phase: "begin" }]);
  });

  describe("a stream of responses", () => {
    test("ends after the last response", async () => {
      const listening = await start({
        async *listResource({ typeName, limit }) {
          for (let n = 1; n <= limit; n++) yield { displayName: `${typeName} ${n}` };
        },
      });
      const events = await visit(listening).list("listResource", { typeName: "note", limit: 3 }).toArray();
      expect(events).toMatchObject([1, 2, 3].map((n) => ({ displayName: `note ${n}`, diagnostic: [] })));
    });

    test("reports an error of the handler after the responses before it", async () => {
      const events: unknown[] = [];
      const answers = visit(
        await start({
          async *listResource() {
            yield { displayName: "first" };
            throw new Error("gave up");
          },
        }),
      ).list("listResource");
      const reading = async () => {
        for await (const event of answers) events.push(event);
      };
      await expect(reading()).rejects.toMatchObject({ code: status.UNKNOWN, details: "gave up" });
      expect(events).toMatchObject([{ displayName: "first" }]);
    });

    test("is read one message at a time, and only while the client listens", async () => {
      const said = new EventEmitter();
      const finished = once(said, "finished");
      let made = 0;
      const listening = await start({
        async *listResource() {
          try {
            for (;;) yield { displayName: `${++made} ${".".repeat(100_000)}` };
          } finally {
            said.emit("finished");
          }
        },
      });
      const answers = visit(listening).list("listResource");
      answers.on("error", () => {});
      await once(answers, "readable");
      answers.cancel();
      await finished;
      expect(made).toBeLessThan(100);
    });
  });

  test("carries messages far above the 4 MB that gRPC allows by default", async () => {
    const client = visit(await start({ readResource: async ({ currentState }) => ({ newState: currentState }) }));
    const msgpack = Buffer.alloc(20_000_000, 7);
    const answer = await client.ask<{ newState: { msgpack: Buffer } }>("provider", "readResource", {
      currentState: { msgpack },
    });
    expect(Buffer.compare(answer.newState.msgpack, msgpack)).toBe(0);
  });

  test("is healthy, and keeps stdio and broker open until the client closes them", async () => {
    const client = visit(await start({}));
    expect(await client.ask("health", "check", { service: "plugin" })).toEqual({ status: 1 });
    const [stdio, broker] = [client.stdio(), client.broker()];
    const stdioEnd = new Promise((resolve) => stdio.on("error", resolve));
    const brokerEnd = new Promise((resolve) => broker.on("status", resolve));
    broker.write({ serviceId: 1 });
    broker.end();
    broker.resume();
    expect(await brokerEnd).toMatchObject({ code: status.OK });
    expect(stdio.closed).toBe(false);
    stdio.cancel();
    expect(await stdioEnd).toMatchObject({ code: status.CANCELLED });
  });

  test("reports that the client no longer needs the process", async () => {
    const said = new EventEmitter();
    const done = once(said, "shutdown");
    const client = visit(await start({}, { onShutdown: () => said.emit("shutdown") }));
    expect(await client.ask("controller", "shutdown")).toEqual({});
    await done;
  });

  test("reports the end of the last connection, and not of one before", async () => {
    const said = new EventEmitter();
    const listening = await start({}, { onDeserted: () => said.emit("deserted") });
    const [first, last] = [visit(listening), visit(listening)];
    for (const client of [first, last]) await client.ask("health", "check");
    let told = 0;
    said.on("deserted", () => told++);
    first.close();
    await last.ask("health", "check");
    expect(told).toBe(0);
    const deserted = once(said, "deserted");
    last.close();
    await deserted;
    expect(told).toBe(1);
  });

  test("accepts only this user, and leaves no files behind", async () => {
    const listening = await start({});
    const folder = path.dirname(listening.address);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await visit(listening).ask("health", "check");
    open.splice(0);
    await listening.close();
    expect(existsSync(folder)).toBe(false);
  });

  describe("over TLS", () => {
    const [server, client, other] = [createCertificate(), createCertificate(), createCertificate()];
    const tls = { certificate: server, clientCertificate: client.pem };

    test("accepts the one certificate from its options", async () => {
      const visitor = visit(await start({}, { tls }), { server: server.der, own: client });
      expect(await visitor.ask("health", "check")).toEqual({ status: 1 });
    });

    test.each([
      ["an unknown certificate", other],
      ["the server's own certificate", server],
      ["no certificate", undefined],
    ])("refuses %s", async (_who, own) => {
      const visitor = visit(await start({}, { tls }), { server: server.der, own });
      await expect(visitor.ask("health", "check")).rejects.toMatchObject({ code: status.UNAVAILABLE });
    });
  });

  async function occupied() {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push({ close: () => new Promise((resolve) => server.close(resolve)) });
    return (server.address() as AddressInfo).port;
  }

  describe("on a port", () => {
    test("skips ports that are taken", async () => {
      const taken = await occupied();
      const listening = await start({}, { place: { network: "tcp", firstPort: taken, lastPort: 65_535 } });
      expect(Number(listening.address.replace("127.0.0.1:", ""))).toBeGreaterThan(taken);
      expect(await visit(listening).ask("health", "check")).toEqual({ status: 1 });
    });

    test("fails if no port is free", async () => {
      const taken = await occupied();
      const listening = listen(callsOf({}), { place: { network: "tcp", firstPort: taken, lastPort: taken } });
      await expect(listening).rejects.toThrow(`Every port from ${taken} to ${taken} is taken`);
    });
  });
});

describe("socket", () => {
  // Not the temporary folder of the test, because its path may be long itself.
  const short = mkdtempSync("/tmp/socket-test-");
  afterAll(() => rmSync(short, { recursive: true }));

  /** A folder whose path has exactly this many bytes. */
  function folderOf(length: number, letter = "x"): string {
    const rest = length - Buffer.byteLength(short) - 1;
    const folder = path.join(short, letter.repeat(rest / Buffer.byteLength(letter)));
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  test.each([60, 70, 80, 88, 90, 100, 107, 108, 200])(
    "keeps the whole address with a temporary folder of %d bytes",
    (length) => {
      const { address, remove } = makeSocketPlace(folderOf(length), short);
      expect(Buffer.byteLength(address)).toBeLessThanOrEqual(process.platform === "darwin" ? 103 : 107);
      expect(statSync(path.dirname(address)).mode & 0o777).toBe(0o700);
      remove();
      expect(existsSync(path.dirname(address))).toBe(false);
    },
  );

  test("counts bytes, not letters", () => {
    const { address, remove } = makeSocketPlace(folderOf(Buffer.byteLength(short) + 1 + 70, "ä"), short);
    remove();
    expect(path.dirname(path.dirname(address))).toBe(short);
  });

  test("reports the problem and the remedy if no path is short enough", () => {
    const long = folderOf(120);
    expect(() => makeSocketPlace(long, long)).toThrow(`set TMPDIR to a path shorter than ${long}`);
  });
});

const now = new Date("2031-02-03T04:05:06.789Z");

test("is a self-signed certificate for localhost, from a minute ago and for a year", () => {
  const { subject, issuer, subjectAltName, ca, validFrom, validTo, serialNumber } = new X509Certificate(
    createCertificate(now).pem,
  );
  // Positive, and of full length.
  expect(serialNumber).toMatch(/^[4-7][\dA-F]{31}$/);
  expect([subject, issuer, subjectAltName, ca]).toEqual(["CN=localhost", "CN=localhost", "DNS:localhost", true]);
  expect(new Date(validFrom)).toEqual(new Date("2031-02-03T04:04:06Z"));
  expect(new Date(validTo)).toEqual(new Date("2032-02-03T04:05:06Z"));
});

describe("a certificate", () => {
  const [validFrom, validTo] = [Date.parse("2031-02-03T04:05:06Z"), Date.parse("2032-02-03T04:05:06Z")];
  const authority = issueCertificate({ commonName: "Authority", validFrom, validTo, isAuthority: true });
  const issued = issueCertificate({
    commonName: "localhost",
    issuer: authority,
    validFrom,
    validTo,
    ends: ["server"],
    hosts: ["localhost", "tenant.example"],
    addresses: [Buffer.of(127, 0, 0, 1), Buffer.from(`${"00".repeat(15)}01`, "hex")],
  });

  test("signs another certificate with an authority", () => {
    const [ca, leaf] = [new X509Certificate(authority.pem), new X509Certificate(issued.pem)];
    expect([ca.ca, leaf.ca]).toEqual([true, false]);
    expect(ca.checkIssued(ca)).toBe(true);
    expect(leaf.checkIssued(ca)).toBe(true);
    expect(leaf.checkIssued(leaf)).toBe(false);
    expect(leaf.verify(ca.publicKey)).toBe(true);
    expect(leaf.verify(leaf.publicKey)).toBe(false);
    expect(leaf.publicKey.equals(createPublicKey(issued.key))).toBe(true);
  });

  test("is valid for the names, addresses, ends and time of its options", () => {
    const leaf = new X509Certificate(issued.der);
    expect([leaf.subject, leaf.issuer]).toEqual(["CN=localhost", "CN=Authority"]);
    expect(leaf.checkHost("tenant.example")).toBe("tenant.example");
    expect(leaf.checkHost("other.example")).toBeUndefined();
    expect([leaf.checkIP("127.0.0.1"), leaf.checkIP("::1"), leaf.checkIP("127.0.0.2")]).toEqual([
      "127.0.0.1",
      "::1",
      undefined,
    ]);
    expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect([new Date(leaf.validFrom).getTime(), new Date(leaf.validTo).getTime()]).toEqual([validFrom, validTo]);
  });
});
