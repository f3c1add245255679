/** One exchange with a server that floods, or has another identity. */
import { createServer, type RequestListener } from "node:http";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { createEmulator } from "../../../src/emulator/emulator";
import { systemClock } from "../../../src/tenant/clock";
import { createTransport, type TransportOptions } from "../../../src/tenant/http/transport";

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const request = { method: "GET", path: "/", headers: {} } as const;

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

function open(options: Partial<TransportOptions> & { origin: string }) {
  const transport = createTransport({ clock: systemClock, ...options });
  closing.unshift(() => transport.stop());
  return transport;
}

const toPort = async (server: Server, timeouts?: TransportOptions["timeouts"]) =>
  open({ origin: `http://127.0.0.1:${await listen(server)}`, timeouts });

/** Writes the same data again and again while the client reads. */
const flooding =
  (piece: Buffer | string): RequestListener =>
  (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", more).writeHead(200);
    more();
  };

test("stops reading a response at 32 MiB", async () => {
  const transport = await toPort(createServer(flooding(Buffer.alloc(1024 * 1024, " "))));
  const before = process.memoryUsage().rss;
  await expect(transport.exchange(request)).rejects.toMatchObject({
    code: "unlike_service",
    message: expect.stringContaining("more than 32 MiB"),
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
});

describe("certificates", () => {
  const asked = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  beforeEach(() => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  });
  afterEach(() => {
    if (asked === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = asked;
  });

  async function embedded() {
    const emulator = createEmulator();
    const listening = await emulator.listen({ tls: true });
    closing.push(() => listening.close());
    return { origin: listening.url, authority: listening.ca!, asked: () => emulator.requests.length };
  }

  /** A proxy that opens tunnels. */
  async function proxy(): Promise<string> {
    const server = createServer().on("connect", ({ url = "" }, socket) => {
      const { hostname, port } = new URL(`http://${url}`);
      const onward = connect(Number(port), hostname, () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
      onward.on("error", () => socket.destroy()).pipe(socket);
      socket.on("error", () => onward.destroy()).pipe(onward);
    });
    return `http://127.0.0.1:${await listen(server)}`;
  }

  test.each([
    ["directly", false],
    ["through a proxy", true],
  ])("are verified with every setting of the environment, %s", async (_name, byProxy) => {
    const { origin, authority, asked: requests } = await embedded();
    const common = { origin, ...(byProxy && { proxy: await proxy() }) };
    await expect(open(common).exchange(request)).rejects.toMatchObject({ code: "connection_failed" });
    expect(requests()).toBe(0);
    const { status } = await open({ ...common, certificateAuthority: authority }).exchange(request);
    expect(status).toBeGreaterThanOrEqual(200);
  });
});
