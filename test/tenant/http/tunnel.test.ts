/** Connections through a proxy: what it is told, and what becomes of a request where it does not open a tunnel. */
import { createServer as createHttpsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { createCertificate } from "../../../src/plugin/certificate";
import { closeAll, closed, get, listen, ok, open, post, serve, type Script } from "../support/bytes-server";

afterEach(closeAll);

const established = "HTTP/1.1 200 Connection established\r\n\r\n";

/** What a proxy is told by who asks a tenant through it, and what the tenant is. */
async function heard(origin: string, user = "") {
  const { port, asked } = await serve((socket, { nth }) => socket.write(nth === 1 ? established : ok()));
  const transport = open({ origin, proxy: `http://${user}127.0.0.1:${port}` });
  expect(await transport.exchange(get)).toMatchObject({ text: "ok" });
  return asked.map(({ head }) => head.trimEnd().toLowerCase().split("\r\n"));
}

test("a proxy is told where to, and not of whom it did not ask", async () => {
  const [told, through] = await heard("http://tenant.invalid");
  expect(told).toEqual(["connect tenant.invalid:80 http/1.1", "host: tenant.invalid:80", "connection: close"]);
  expect(through).toEqual(["get / http/1.1", "host: tenant.invalid", "connection: keep-alive"]);
});

test("the user of a proxy's URL is told to the proxy, decoded, and to nobody else", async () => {
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

test("an address of IPv6 keeps its brackets", async () => {
  const [[asked, host] = []] = await heard("http://[2001:db8::1]:8080");
  expect([asked, host]).toEqual(["connect [2001:db8::1]:8080 http/1.1", "host: [2001:db8::1]:8080"]);
});

test("a proxy that is asked by TLS sees of a tenant that is asked by TLS nothing but where it is", async () => {
  const { pem: cert, key } = createCertificate();
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
  const transport = open({ origin: `https://localhost:${port}`, proxy, certificateAuthority: cert });
  expect(await transport.exchange(get)).toMatchObject({ text: "ok" });
  expect(seen[0]).toBe(`localhost:${port}`);
  expect(seen.join()).not.toContain("HTTP/1.1");
});

const origin = "https://tenant.invalid";

test.each(["403 Forbidden", "407 Proxy Authentication Required", "502 Bad Gateway", "300 Elsewhere", "199 Not yet"])(
  "a proxy that answers %s is named with its status, and left, and nothing was sent",
  async (status) => {
    const { port, asked, sockets } = await serve((socket) =>
      socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`),
    );
    await expect(open({ origin, proxy: `http://127.0.0.1:${port}` }).exchange(post)).rejects.toMatchObject({
      code: "connection_failed",
      unsent: true,
      message: `${origin} could not be reached: the proxy 127.0.0.1:${port}: Proxy response (${status.slice(0, 3)}) !== 200 when HTTP Tunneling.`,
    });
    expect(asked).toHaveLength(1);
    await closed(sockets[0]!);
  },
);

test.each<[string, Script, string]>([
  ["closes", (socket) => socket.end(), "the proxy HOST: other side closed."],
  ["resets", (socket) => socket.resetAndDestroy(), "the proxy HOST: read ECONNRESET."],
  ["speaks for the tenant", (socket) => socket.write(`${established}hello`), "the proxy HOST sent data before"],
  [
    "speaks no HTTP",
    (socket) => socket.write("220 hello\r\n\r\n"),
    "the proxy HOST: Response does not match the HTTP/1.1 protocol",
  ],
])("through a proxy that %s nothing was sent", async (_kind, script, why) => {
  const { port, asked, sockets } = await serve(script);
  await expect(open({ origin, proxy: `http://127.0.0.1:${port}` }).exchange(post)).rejects.toMatchObject({
    code: "connection_failed",
    unsent: true,
    message: expect.stringContaining(`${origin} could not be reached: ${why.replace("HOST", `127.0.0.1:${port}`)}`),
  });
  expect(asked).toHaveLength(1);
  await closed(sockets[0]!);
});

test("a proxy that says nothing is left as soon as connecting may take no longer", async () => {
  const { port, sockets } = await serve(() => {});
  const transport = open({ origin, proxy: `http://127.0.0.1:${port}`, timeouts: { connect: 60 } });
  await expect(transport.exchange(post)).rejects.toMatchObject({
    code: "timeout",
    unsent: true,
    message: expect.stringContaining("not connected within 60 ms"),
  });
  await closed(sockets[0]!);
});

test("a proxy that is not there is a connection that failed, and nothing was sent", async () => {
  const failed = open({ origin, proxy: "http://127.0.0.1:1" }).exchange(post);
  await expect(failed).rejects.toMatchObject({ code: "connection_failed", unsent: true });
});

test("a proxy of another kind is refused", async () => {
  await expect(open({ origin, proxy: "socks5://127.0.0.1:1" }).exchange(post)).rejects.toMatchObject({
    code: "connection_failed",
    unsent: true,
    message: expect.stringContaining("the URL of a proxy must start with http: or https:, not with socks5:"),
  });
});

test("the end gives up a tunnel that the proxy does not open", async () => {
  const { port, asked, sockets } = await serve(() => transport.stop());
  const transport = open({ origin, proxy: `http://127.0.0.1:${port}`, timeouts: { connect: 60_000, stop: 0 } });
  await expect(transport.exchange(post)).rejects.toMatchObject({ code: "stopped", unsent: true });
  await closed(sockets[0]!);
  expect(asked).toHaveLength(1);
});

test("a tunnel that the proxy refuses fails one request, and leaves the others alone", async () => {
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
  // A connection that was given back carries the next request.
  expect(await transport.exchange(post)).toMatchObject({ text: "ok" });
});
