/** The certificate must name the endpoint, whether the connection is direct or through a proxy. */
import { createServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { issueCertificate } from "../../../src/formats/certificate/certificate";
import { closeAll, get, listen, ok, open, post } from "../support/bytes-server";

afterEach(closeAll);

const now = Date.now();
const valid = { validFrom: now - 60_000, validTo: now + 24 * 60 * 60_000 };
const authority = issueCertificate({ ...valid, commonName: "authority", isAuthority: true });
const issue = (commonName: string, hosts: string[] = [], addresses: number[][] = []) =>
  issueCertificate({
    ...valid,
    commonName,
    issuer: authority,
    ends: ["server"],
    hosts,
    addresses: addresses.map((bytes) => Buffer.from(bytes)),
  });

const ipv4 = [192, 0, 2, 1];
const ipv6 = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
const loopback = [127, 0, 0, 1];

const certificates = {
  "the proxy": issue("localhost", ["localhost"], [loopback]),
  "the proxy, by common name alone": issue("localhost"),
  "the IPv4 address": issue("any", [], [ipv4]),
  "the IPv4 address among others": issue("any", ["other.example"], [[192, 0, 2, 9], ipv4]),
  "another IPv4 address": issue("any", [], [[192, 0, 2, 2]]),
  "the IPv4 address, by common name alone": issue("192.0.2.1"),
  "the IPv4 address, as a host name": issue("any", ["192.0.2.1", "*.0.2.1"]),
  "the IPv6 address": issue("any", [], [ipv6]),
  "another IPv6 address": issue("any", [], [ipv6.with(15, 2)]),
  "the IPv6 address, by common name alone": issue("2001:db8::1"),
  "the name": issue("any", ["tenant.acme.example"]),
  "another name": issue("tenant.acme.example", ["other.acme.example"]),
  "a wildcard that matches the name": issue("any", ["*.acme.example"]),
  "a wildcard one level above the name": issue("any", ["*.example"]),
  "a wildcard for everything": issue("*", ["*"]),
  "no name at all": issue("any"),
};
type Name = keyof typeof certificates;

/** The port of a server with this certificate. The server counts the requests that arrive. */
async function tenantWith(name: Name) {
  const { pem: cert, key } = certificates[name];
  const received: string[] = [];
  const server = createTlsServer({ cert, key }, (socket) => {
    socket
      .on("error", () => {})
      .on("data", (bytes: Buffer) => {
        received.push(bytes.toString());
        socket.end(ok("ok", "connection: close\r\n"));
      });
  }).on("tlsClientError", () => {});
  return { port: await listen(server), received };
}

/** A proxy that opens each tunnel to one port, for any address. */
async function proxyTo(protocol: "http" | "https", host: string, port: number) {
  const { pem: cert, key } = certificates["the proxy"];
  const server = protocol === "http" ? createServer() : createHttpsServer({ cert, key });
  server.on("connect", (_request, client: Socket) => {
    const onward = connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    for (const end of [client, onward]) end.on("error", () => {});
    onward.on("close", () => client.destroy()).pipe(client);
    client.on("close", () => onward.destroy()).pipe(onward);
  });
  return `${protocol}://${host}:${await listen(server)}`;
}

/** The accepted certificates. With any other certificate, no byte of the request may reach the server. */
async function accepted(reach: (port: number) => Promise<{ origin: string; proxy?: string }>) {
  const names: string[] = [];
  for (const name of Object.keys(certificates) as Name[]) {
    const { port, received } = await tenantWith(name);
    const transport = open({ ...(await reach(port)), certificateAuthority: authority.pem });
    const outcome = await transport.exchange(post).catch((error: unknown) => error);
    if (received.length > 0) names.push(name);
    else expect(outcome).toMatchObject({ name: "TenantError", code: "connection_failed", unsent: true });
  }
  return names;
}

describe.each([
  ["http", "localhost"],
  ["https", "127.0.0.1"],
] as const)("through a proxy at %s://%s", (protocol, host) => {
  test.each<[string, string, Name[]]>([
    ["an IPv4 address", "https://192.0.2.1", ["the IPv4 address", "the IPv4 address among others"]],
    ["an IPv6 address", "https://[2001:db8::1]", ["the IPv6 address"]],
    ["a name", "https://tenant.acme.example", ["the name", "a wildcard that matches the name"]],
  ])("accepts only certificates for an endpoint with %s", async (_kind, origin, expected) => {
    const reach = async (port: number) => ({ origin, proxy: await proxyTo(protocol, host, port) });
    expect(await accepted(reach)).toEqual(expected);
  });
});

test.each<[string, Name[]]>([
  ["127.0.0.1", ["the proxy"]],
  ["localhost", ["the proxy", "the proxy, by common name alone"]],
])("accepts only certificates for %s on a direct connection", async (host, expected) => {
  expect(await accepted(async (port) => ({ origin: `https://${host}:${port}` }))).toEqual(expected);
});

test.each(["127.0.0.1", "localhost"])(
  "refuses a proxy at https://%s without a certificate for its own host",
  async (host) => {
    const { pem: cert, key } = certificates["the name"];
    const asked: string[] = [];
    const server = createHttpsServer({ cert, key }).on("connect", ({ url = "" }) => asked.push(url));
    const proxy = `https://${host}:${await listen(server)}`;
    const transport = open({ origin: "https://tenant.acme.example", proxy, certificateAuthority: authority.pem });
    await expect(transport.exchange(get)).rejects.toMatchObject({ code: "connection_failed", unsent: true });
    expect(asked).toEqual([]);
  },
);

test("names the address and the names of the certificate in the error", async () => {
  const { port } = await tenantWith("another IPv4 address");
  const proxy = await proxyTo("http", "localhost", port);
  const transport = open({ origin: "https://192.0.2.1", proxy, certificateAuthority: authority.pem });
  await expect(transport.exchange(get)).rejects.toMatchObject({
    message:
      "https://192.0.2.1 could not be reached: the certificate is for IP Address:192.0.2.2, not for the IP address 192.0.2.1.",
  });
});
