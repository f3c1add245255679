/** Connects through a proxy: undici opens tunnels, with TLS to the endpoint inside. Loaded only if a proxy is set. */
import type { Socket } from "node:net";
import type { Pool as Connections } from "undici";
import connectMethod from "undici/lib/api/api-connect.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import { addressOf, type Connector } from "./connector";

export interface ProxyOptions {
  readonly target: URL;
  readonly proxy: URL;
  readonly connector: Connector;
  readonly settings: Connections.Options;
}

/** How undici requests a connection, and the options that its proxy agent passes for a tunnel. */
type Connect = Extract<NonNullable<Connections.Options["connect"]>, (...parameters: never[]) => unknown>;

// undici's index.js adds this method, on which its proxy agent relies.
Dispatcher.prototype.connect ??= connectMethod;

export function throughProxy({ target, proxy, connector, settings }: ProxyOptions): ProxyAgent {
  if (!/^https?:$/.test(proxy.protocol))
    throw new Error(`the URL of a proxy must start with http: or https:, not with ${proxy.protocol}`);
  const { hostname, port } = addressOf(target);
  const authority = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;

  /** The agent would do TLS itself for an https origin. It gets an http origin, so that TLS is done in one place. */
  const open = async (connect: Connect, signal: AbortSignal): Promise<Socket> => {
    const tunnel = await new Promise<Socket>((resolve, reject) => {
      const place = { protocol: "http:", hostname, host: authority, port: String(port), connections: 0, signal };
      connect(place, (error, socket) => (error ? reject(blaming(proxy, error)) : resolve(socket as Socket)));
    });
    // These bytes would be mistaken for bytes of the endpoint.
    if (tunnel.readableLength > 0) throw spoken(tunnel, proxy);
    return connector.reach(target, signal, tunnel);
  };

  return new ProxyAgent({
    uri: proxy.href,
    token: credentialsIn(proxy),
    proxyTunnel: true,
    clientFactory: (url) =>
      new Pool(url, { connect: (_, done) => connector.attempt((signal) => connector.reach(proxy, signal), done) }),
    factory: (origin, { connect }: { connect: Connect }) =>
      new Pool(origin, {
        ...settings,
        connect: (_, done) => connector.attempt((signal) => open(connect, signal), done),
      }),
  } as ProxyAgent.Options);
}

function credentialsIn({ username, password }: URL): string | undefined {
  const user = [username, password].map(decodeURIComponent).join(":");
  return user === ":" ? undefined : `Basic ${Buffer.from(user).toString("base64")}`;
}

function spoken(tunnel: Socket, proxy: URL): Error {
  tunnel.destroy();
  return new Error(`the proxy ${proxy.host} sent data before the provider sent a request`);
}

/** An error on the way to the endpoint, with the proxy's name; a timeout stays one. */
function blaming(proxy: URL, error: NodeJS.ErrnoException): Error {
  if (error.code === "ETIMEDOUT") return error;
  const { message } = error.code === "UND_ERR_PRX_TLS" ? (error.cause as Error) : error;
  return new Error(`the proxy ${proxy.host}: ${message}`, { cause: error });
}
