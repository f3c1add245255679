// A server that sends raw bytes, and transports to it. All end with the test.
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { systemClock } from "../../../src/tenant/clock";
import type { Exchange } from "../../../src/tenant/http/call";
import { createTransport, type TransportOptions } from "../../../src/tenant/http/transport";

const closing: (() => unknown)[] = [];

/** Ends everything that was started here so far. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) await close();
}

export const get: Exchange = { method: "GET", path: "/", headers: {} };
export const post: Exchange = {
  method: "POST",
  path: "/",
  headers: { "content-type": "application/json" },
  body: '{"a":1}',
};

export interface Asked {
  readonly head: string;
  readonly body: string;
  /** The number of its connection, from 1. */
  readonly connection: number;
  /** The number of the request, from 1. */
  readonly nth: number;
}

export type Script = (socket: Socket, asked: Asked) => void;

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/** Sends bytes: the script responds to each complete request. */
export async function serve(script: Script, greet: (socket: Socket) => void = () => {}) {
  const asked: Asked[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const connection = sockets.push(socket.on("error", () => {}));
    let text = "";
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      for (;;) {
        const end = text.indexOf("\r\n\r\n") + 4;
        if (end < 4) return;
        const head = text.slice(0, end);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (text.length < end + length) return;
        const one = { head, body: text.slice(end, end + length), connection, nth: asked.length + 1 };
        text = text.slice(end + length);
        asked.push(one);
        script(socket, one);
      }
    });
    greet(socket);
  });
  const port = await listen(server);
  closing.unshift(() => sockets.forEach((socket) => socket.destroy()));
  return { port, origin: `http://127.0.0.1:${port}`, asked, sockets };
}

export function open({ proxy, ...options }: Partial<TransportOptions> & { origin: string; proxy?: string }) {
  const environment = proxy === undefined ? {} : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  const transport = createTransport({ clock: systemClock, environment, ...options });
  closing.unshift(() => transport.stop());
  return transport;
}

export const ok = (text = "ok", headers = "") =>
  `HTTP/1.1 200 OK\r\n${headers}content-length: ${text.length}\r\n\r\n${text}`;
export const closed = async (socket: Socket) =>
  socket.closed || new Promise((resolve) => socket.once("close", resolve));
