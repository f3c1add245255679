/** The connections to one origin: opened directly or through a proxy, kept for the next request, and never used in doubt. */
import type { Agent, ClientRequest, RequestOptions } from "node:http";
import { isIP, type Socket } from "node:net";
import type { ConnectionOptions, SecureContext } from "node:tls";
import { trust } from "./authorities";
import { nameMismatch } from "./certificate-name";

export interface Connections {
  /** A request that has a `socket` from the moment its bytes may leave; before that nothing of it was sent. */
  request(options: Pick<RequestOptions, "method" | "path" | "headers">): ClientRequest;
  destroy(): void;
}

export interface ConnectionsOptions {
  readonly origin: string;
  /** URL of the proxy to go through. */
  readonly proxy?: string;
  /** PEM text of authorities to trust besides those of the machine. */
  readonly certificateAuthority?: string;
  /** Milliseconds to connect, proxy and TLS included. */
  readonly timeout: number;
  /** Milliseconds for which a connection is kept that nobody uses, at most: less where the server keeps it for less. */
  readonly idle: number;
}

/** What did not come in time. */
export class Late extends Error {
  readonly code = "ETIMEDOUT";
}

export async function openConnections(options: ConnectionsOptions): Promise<Connections> {
  const { host, hostname, port } = new URL(options.origin);
  const { Agent, request } = await import("node:http");
  const pool: Agent = new Agent({ keepAlive: true, timeout: options.idle });
  const connect = await connector(options);
  const opening = new Set<Socket>();

  const open = async () => {
    const late = new Late(`not connected within ${options.timeout} ms`);
    let current: Socket | undefined;
    const timer = setTimeout(() => current?.destroy(late), options.timeout);
    const stage = (socket: Socket) => {
      if (current) opening.delete(current);
      opening.add((current = socket));
    };
    try {
      return await connect(stage);
    } finally {
      clearTimeout(timer);
      if (current) opening.delete(current);
    }
  };

  // A request gets its connection when it stands, and not before.
  pool.createConnection = (_, ended) => {
    open().then(
      (socket) => ended?.(null, socket),
      // No socket goes with an error, whatever the types say.
      (error: Error) => (ended as (error: Error) => void)(error),
    );
    return undefined;
  };
  pool.keepSocketAlive = (socket: Socket) => {
    // What comes now is no answer: whatever it is, the next one would be taken for it.
    socket.once("data", spoiled).once("end", spoiled);
    return Agent.prototype.keepSocketAlive.call(pool, socket);
  };
  pool.reuseSocket = (socket: Socket, by) => {
    socket.off("data", spoiled).off("end", spoiled);
    Agent.prototype.reuseSocket.call(pool, socket, by);
  };

  return {
    request({ method, path, headers }) {
      return request({ hostname: bare(hostname), port, method, path, headers: { host, ...headers }, agent: pool });
    },
    destroy() {
      for (const socket of opening) socket.destroy();
      pool.destroy();
    },
  };
}

function spoiled(this: Socket): void {
  this.destroy();
}

/** Opens one connection after another; `stage` is told of each socket that is waited for. */
async function connector({ origin, proxy, certificateAuthority }: ConnectionsOptions) {
  const net = await import("node:net");
  const target = new URL(origin);
  const by = proxy === undefined ? undefined : new URL(proxy);
  if (by && !/^https?:$/.test(by.protocol)) throw new Error(`a proxy is asked by http or https, not by ${by.protocol}`);
  const encrypted = [target, by].some((url) => url?.protocol === "https:");
  const encrypt = encrypted ? await encryption(certificateAuthority) : undefined;

  return async (stage: (socket: Socket) => void): Promise<Socket> => {
    const { hostname, port } = addressOf(by ?? target);
    const reach = (socket: Socket, event: string) => {
      stage(socket);
      return reached(socket, event);
    };
    const begin = (url: URL) => {
      const place = { host: hostname, port, noDelay: true };
      if (url.protocol === "https:") return reach(encrypt!(url, place), "secureConnect");
      return reach(net.connect(place), "connect");
    };
    if (!by) return begin(target);
    const tunnel = await throughProxy(await begin(by), by, target);
    return target.protocol === "https:" ? reach(encrypt!(target, { socket: tunnel }), "secureConnect") : tunnel;
  };
}

/** The tenant's sessions are taken up again: a further connection needs no certificate shown. */
async function encryption(certificateAuthority: string | undefined) {
  const tls = await import("node:tls");
  const sessions = new Map<string, Buffer>();
  const secureContext: SecureContext | undefined = trust(certificateAuthority);
  return (url: URL, place: ConnectionOptions) => {
    const { hostname } = addressOf(url);
    const socket = tls.connect({
      ...place,
      servername: isIP(hostname) ? "" : hostname,
      checkServerIdentity: (_, certificate) => nameMismatch(hostname, certificate),
      ALPNProtocols: ["http/1.1"],
      secureContext,
      session: sessions.get(url.origin),
      // Said in so many words, since NODE_TLS_REJECT_UNAUTHORIZED=0 would else turn it off.
      rejectUnauthorized: true,
    });
    // Not before: a session of somebody whose certificate was refused would be taken up without a look at the name.
    socket.once("secureConnect", () => socket.on("session", (session) => sessions.set(url.origin, session)));
    return socket;
  };
}

async function throughProxy(socket: Socket, proxy: URL, target: URL): Promise<Socket> {
  const { request } = await import("node:http");
  const { hostname, port } = addressOf(target);
  const authority = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  const user = [proxy.username, proxy.password].map(decodeURIComponent).join(":");
  const credentials = user === ":" ? {} : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` };
  return new Promise((resolve, reject) => {
    request({
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...credentials },
      createConnection: () => socket,
    })
      .once("connect", ({ statusCode = 0 }, through: Socket, early: Buffer) => {
        if (statusCode >= 200 && statusCode < 300 && early.length === 0) return resolve(through);
        through.destroy();
        reject(new Error(`the proxy ${proxy.host} answers CONNECT ${authority} with ${statusCode}`));
      })
      .once("error", (error: NodeJS.ErrnoException) =>
        reject(error.code === "ECONNRESET" ? new Error(`the proxy ${proxy.host} closed the connection`) : error),
      )
      .end();
  });
}

function reached(socket: Socket, event: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve(socket)).once("error", reject);
    socket.once("close", () => reject(new Error("the connection was closed before it stood")));
  });
}

const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, "$1");

function addressOf({ protocol, hostname, port }: URL): { hostname: string; port: number } {
  return { hostname: bare(hostname), port: Number(port) || (protocol === "https:" ? 443 : 80) };
}
