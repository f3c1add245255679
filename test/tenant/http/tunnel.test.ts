/** Connections through a proxy, a request without a tunnel, and the authorities that environment variables name. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpsServer } from "node:https";
import { connect, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import tls, { connect as connectSecurely, createServer as createTlsServer } from "node:tls";
import { createEmulator } from "../../../src/emulator/emulator";
import { issueCertificate } from "../../../src/formats/certificate/certificate";
import { trust } from "../../../src/tenant/http/dispatcher";
import { proxyFor } from "../../../src/tenant/http/transport";
import { closeAll, closed, get, listen, ok, open, post, type Script, serve } from "../support/bytes-server";

afterEach(closeAll);

const origin = "https://tenant.invalid";
const established = "HTTP/1.1 200 Connection established\r\n\r\n";

/** Refuses a POST that was certainly not sent. */
const fails = (transport: ReturnType<typeof open>, code: string, message: unknown) =>
  expect(transport.exchange(post)).rejects.toMatchObject({ code, unsent: true, message });

/** The requests that a proxy gets from the client of a tenant, and the tenant. */
async function heard(endpoint: string, user = "") {
  const { port, asked } = await serve((socket, { nth }) => socket.write(nth === 1 ? established : ok()));
  const transport = open({ origin: endpoint, proxy: `http://${user}127.0.0.1:${port}` });
  expect(await transport.exchange(get)).toMatchObject({ text: "ok" });
  return asked.map(({ head }) => head.trimEnd().toLowerCase().split("\r\n"));
}

test("gives the proxy the address of the endpoint, and no credentials, also with IPv6", async () => {
  const [told, through] = await heard("http://tenant.invalid");
  expect(told).toEqual([
    "connect tenant.invalid:80 http/1.1",
    "host: tenant.invalid:80",
    "connection: close",
    "proxy-connection: keep-alive",
  ]);
  expect(through).toEqual(["get / http/1.1", "host: tenant.invalid", "connection: keep-alive"]);
  const [[asked, host] = []] = await heard("http://[2001:db8::1]:8080");
  expect([asked, host]).toEqual(["connect [2001:db8::1]:8080 http/1.1", "host: [2001:db8::1]:8080"]);
});

test("gives the user of the proxy's URL, decoded, only to the proxy", async () => {
  for (const [user, decoded] of [
    ["me%40x:p%3As@", "me@x:p:s"],
    ["me@", "me:"],
    [":p@", ":p"],
  ] as const) {
    const [told, through] = await heard("http://tenant.invalid:8080", user);
    const basic = `proxy-authorization: basic ${Buffer.from(decoded).toString("base64")}`;
    expect(told).toContain(basic.toLowerCase());
    expect(through!.join()).not.toContain("proxy-authorization");
  }
});

test("shows a proxy with TLS only the address of a tenant with TLS", async () => {
  const period = { validFrom: Date.now() - 60_000, validTo: Date.now() + 60_000 };
  const issuer = issueCertificate({ ...period, commonName: "authority", isAuthority: true });
  const hosts = ["localhost", "tenant.invalid"];
  const { pem: cert, key } = issueCertificate({ ...period, commonName: "any", issuer, ends: ["server"], hosts });
  const tenant = createTlsServer({ cert, key }, (socket) => {
    socket.on("error", () => {}).once("data", () => socket.end(ok("ok", "connection: close\r\n")));
  });
  const port = await listen(tenant);
  const seen: string[] = [];
  const between = createHttpsServer({ cert, key }).on("connect", ({ url = "" }, client: Socket) => {
    seen.push(url);
    const onward = connect(port, "127.0.0.1", () => client.write(established));
    onward.on("close", () => client.destroy()).pipe(client);
    client.on("close", () => onward.destroy()).pipe(onward);
    for (const end of [client, onward]) end.on("error", () => {});
    client.on("data", (bytes: Buffer) => seen.push(bytes.toString("latin1")));
  });
  const proxy = `https://localhost:${await listen(between)}`;
  const transport = open({ origin, proxy, certificateAuthority: issuer.pem });
  expect(await transport.exchange(get)).toMatchObject({ text: "ok" });
  expect(seen[0]).toBe("tenant.invalid:443");
  expect(seen.join()).not.toContain("HTTP/1.1");
});

test.each(["403 Forbidden", "407 Proxy Authentication Required", "502 Bad Gateway", "300 Elsewhere", "199 Not yet"])(
  "names a proxy that responds with %s, closes the connection, and sends nothing",
  async (status) => {
    const { port, asked, sockets } = await serve((socket) =>
      socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`),
    );
    const words = `${origin} could not be reached: the proxy 127.0.0.1:${port} responded with ${status.slice(0, 3)}.`;
    await fails(open({ origin, proxy: `http://127.0.0.1:${port}` }), "connection_failed", words);
    expect(asked).toHaveLength(1);
    await closed(sockets[0]!);
  },
);

test.each<[string, Script, string]>([
  ["closes", (socket) => socket.end(), "the proxy HOST: other side closed."],
  ["resets", (socket) => socket.resetAndDestroy(), "the proxy HOST: read ECONNRESET."],
  ["sends data in place of the tenant", (socket) => socket.write(`${established}hello`), ""],
  [
    "does not speak HTTP",
    (socket) => socket.write("220 hello\r\n\r\n"),
    "the proxy HOST: Response does not match the HTTP/1.1 protocol",
  ],
])("sends nothing through a proxy that %s", async (_kind, script, why) => {
  const { port, asked, sockets } = await serve(script);
  const words = `${origin} could not be reached: ${why.replace("HOST", `127.0.0.1:${port}`)}`;
  const transport = open({ origin, proxy: `http://127.0.0.1:${port}` });
  await fails(transport, "connection_failed", expect.stringContaining(words));
  expect(asked).toHaveLength(1);
  await closed(sockets[0]!);
});

test("gives up a silent proxy at the time limit for connecting", async () => {
  const { port, sockets } = await serve(() => {});
  const transport = open({ origin, proxy: `http://127.0.0.1:${port}`, timeouts: { connect: 60 } });
  await fails(transport, "timeout", expect.stringContaining("not connected within 60 ms"));
  await closed(sockets[0]!);
});

test("refuses a proxy of another kind", async () => {
  const words = "the URL of a proxy must start with http: or https:, not with socks5:";
  await fails(open({ origin, proxy: "socks5://127.0.0.1:1" }), "connection_failed", expect.stringContaining(words));
});

test("aborts the opening of a tunnel at the end", async () => {
  const { port, asked, sockets } = await serve(() => transport.stop());
  const transport = open({ origin, proxy: `http://127.0.0.1:${port}`, timeouts: { connect: 60_000, stop: 0 } });
  await expect(transport.exchange(post)).rejects.toMatchObject({ code: "stopped", unsent: true });
  await closed(sockets[0]!);
  expect(asked).toHaveLength(1);
});

test("fails only one request if the proxy refuses its tunnel", async () => {
  const { port } = await serve((socket, { head, nth }) => {
    if (!head.startsWith("CONNECT")) socket.write(ok());
    else socket.write(nth % 3 === 1 ? "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n" : established);
  });
  const proxy = `http://127.0.0.1:${port}`;
  const transport = open({ origin: "http://tenant.invalid", proxy, timeouts: { idle: 60_000 } });
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => transport.exchange(post)));
  const failed = outcomes.filter(({ status }) => status === "rejected");
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.length).toBeLessThan(12);
  for (const { reason } of failed as PromiseRejectedResult[]) {
    expect(reason).toMatchObject({ code: "connection_failed", unsent: true, message: expect.stringContaining("502") });
  }
  // The next request uses a connection that was given back.
  expect(await transport.exchange(post)).toMatchObject({ text: "ok" });
});

test.each<[NodeJS.ProcessEnv, string]>([
  [{}, ""],
  [{ HTTPS_PROXY: "http://proxy:3128" }, "http://proxy:3128"],
  [{ https_proxy: "proxy:3128" }, "http://proxy:3128"],
  [{ HTTP_PROXY: "http://proxy:3128" }, ""],
  [{ HTTPS_PROXY: "", https_proxy: "http://proxy:3128" }, "http://proxy:3128"],
])("finds in %j the proxy %j", (environment, proxy) => expect(proxyFor(origin, environment)).toBe(proxy));

test.each([
  ["127.0.0.1", {}, true],
  ["localhost", {}, true],
  ["0.0.0.0", {}, false],
  ["0.0.0.0", { NO_PROXY: "other.example, 0.0.0.0" }, true],
  ["0.0.0.0", { no_proxy: "0.0.0.0:PORT" }, true],
  ["0.0.0.0", { NO_PROXY: "0.0.0.0:1" }, false],
  ["0.0.0.0", { NO_PROXY: "*" }, true],
])("connects to %s with %j directly: %s", async (host, exempt, isDirect) => {
  const { port, asked } = await serve((socket, { head }) =>
    socket.write(head.startsWith("CONNECT") ? established : ok()),
  );
  const exempts = Object.entries(exempt).map(([name, value]) => [name, value.replace("PORT", String(port))]);
  const environment = { HTTP_PROXY: `127.0.0.1:${port}`, ...Object.fromEntries(exempts) };
  await open({ origin: `http://${host}:${port}`, environment }).exchange(get);
  expect(asked[0]!.head).toMatch(isDirect ? /^GET / : /^CONNECT /);
});

describe("authorities", () => {
  /** A tenant with a certificate authority of its own. */
  interface Party {
    readonly port: number;
    readonly pem: string;
    /** Has the path of the authority's certificate. */
    readonly file: string;
    close(): unknown;
  }

  let directory: string;
  let parties: readonly Party[];
  let one: Party;
  let two: Party;
  let three: Party;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), "authorities-"));
    const party = async (name: string): Promise<Party> => {
      const { url, ca, close } = await createEmulator().listen({ tls: true });
      const file = path.join(directory, `${name}.pem`);
      await writeFile(file, ca!);
      return { port: Number(new URL(url).port), pem: ca!, file, close };
    };
    parties = [one, two, three] = [await party("one"), await party("two"), await party("three")];
  });
  afterAll(async () => {
    await Promise.all(parties.map(({ close }) => close()));
    await rm(directory, { recursive: true });
  });

  /** The tenants that the client trusts. */
  const believed = (trusting: ReturnType<typeof trust>) =>
    Promise.all(
      parties.map(
        ({ port }) =>
          new Promise<boolean>((resolve) => {
            const at = { port, host: "127.0.0.1", servername: "localhost" };
            const socket = connectSecurely({ ...at, secureContext: trusting });
            socket
              .once("error", () => resolve(false))
              .once("secureConnect", () => {
                socket.destroy();
                resolve(true);
              });
          }),
      ),
    );

  test("leaves the trust to the runtime if no variable names a readable file", async () => {
    expect(trust(undefined, {})).toBeUndefined();
    expect(trust(undefined, { SSL_CERT_FILE: "" })).toBeUndefined();
    expect(trust(undefined, { SSL_CERT_FILE: path.join(directory, "none.pem") })).toBeUndefined();
    expect(trust(undefined, { SSL_CERT_FILE: two.file }, true)).toBeUndefined();
    expect(await believed(undefined)).toEqual([false, false, false]);
  });

  test("trusts each named authority in addition to the others", async () => {
    expect(await believed(trust(one.pem, {}))).toEqual([true, false, false]);
    expect(await believed(trust(undefined, { SSL_CERT_FILE: two.file }))).toEqual([false, true, false]);
    const all = { SSL_CERT_FILE: two.file, NODE_EXTRA_CA_CERTS: three.file };
    for (const follows of [false, true]) {
      expect(await believed(trust(one.pem, all, follows))).toEqual([true, true, true]);
    }
    const missing = { ...all, NODE_EXTRA_CA_CERTS: path.join(directory, "none.pem") };
    expect(await believed(trust(one.pem, missing))).toEqual([true, true, false]);
  });

  test("keeps the authorities of the runtime", () => {
    const make = jest.spyOn(tls, "createSecureContext");
    trust(one.pem, {});
    const [[options] = []] = make.mock.calls;
    make.mockRestore();
    expect(options!.ca).toEqual(expect.arrayContaining([...tls.rootCertificates]));
  });
});
