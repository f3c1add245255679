/** A provider listening for Terraform: on a socket of its own, behind mutual TLS or, for tests, without. */
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import tls from "node:tls";
import type { Certificate } from "./certificate";
import type { ProviderHandlers } from "./handlers";
import type { Log } from "./log";
import { addHousekeeping, addProvider } from "./services";

/** Where to listen: a socket in a fresh folder only this user may enter, or the first free port of a range. */
export type Place = { network: "unix" } | { network: "tcp"; firstPort: number; lastPort: number };

export interface ListenOptions {
  place?: Place;
  tls?: {
    certificate: Certificate;
    /** PEM. Whoever shows another certificate, or none, is refused. */
    clientCertificate: string;
  };
  /** Takes what a handler has thrown; silent by default. */
  log?: Log;
  /** Called when the client says that it is done with the process. */
  onShutdown?: () => void;
  /** Called each time the last of the accepted connections has closed. */
  onDeserted?: () => void;
}

export interface Listening {
  network: "unix" | "tcp";
  /** The path of the socket, or host and port. */
  address: string;
  /** Ends every connection and removes the socket with its folder. The end of the process does the latter as well. */
  close(): Promise<void>;
}

const messageLimit = 256 * 1024 * 1024;

export async function listen(handlers: ProviderHandlers, options: ListenOptions = {}): Promise<Listening> {
  const { place = { network: "unix" }, log = () => {}, onShutdown = () => {}, onDeserted = () => {} } = options;
  const grpc = new Server({
    "grpc.max_receive_message_length": messageLimit,
    "grpc.max_send_message_length": messageLimit,
    "grpc.enable_channelz": 0,
  });
  addProvider(grpc, handlers, log);
  addHousekeeping(grpc, onShutdown, log);

  const connections = new Set<net.Socket>();
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const server = doorFor(options.tls, (socket) => {
    connections.add(socket);
    socket.on("error", (error) => log("debug", "Connection failed", { error }));
    socket.once("close", () => {
      connections.delete(socket);
      if (connections.size === 0) onDeserted();
    });
    injector.injectConnection(socket);
  });

  const { address, release } = place.network === "unix" ? await openSocket(server) : await openPort(server, place);
  return {
    network: place.network,
    address,
    async close() {
      const closed = once(server, "close");
      server.close();
      grpc.forceShutdown();
      for (const socket of connections) socket.destroy();
      await closed;
      release();
    },
  };
}

/**
 * What Terraform wants to read in `TF_REATTACH_PROVIDERS` to use a provider that is listening already.
 * `source` is the provider's full address, host name included.
 */
export function reattachment(source: string, { network, address }: Listening, pid = process.pid): string {
  const Addr = { Network: network, String: address };
  return JSON.stringify({ [source]: { Protocol: "grpc", ProtocolVersion: 6, Pid: pid, Test: true, Addr } });
}

/**
 * TLS is done here and not by grpc-js for two reasons. With `ca` absent or filled Node builds its store of public
 * authorities first, 20 ms of every start, but with an empty list it does not. And the client's certificate can be
 * compared as a whole, where an authority would also let in what it has signed.
 */
function doorFor(options: ListenOptions["tls"], accept: (socket: net.Socket) => void): net.Server {
  if (options === undefined) return net.createServer(accept);
  const { certificate, clientCertificate } = options;
  const expected = new X509Certificate(clientCertificate).raw;
  const identity = { cert: certificate.pem, key: certificate.key, ca: [] };
  const demands = { requestCert: true, rejectUnauthorized: false, ALPNProtocols: ["h2"] };
  return tls.createServer({ ...identity, ...demands }, (socket) => {
    if (socket.getPeerX509Certificate()?.raw.equals(expected)) accept(socket);
    else socket.destroy();
  });
}

async function openSocket(server: net.Server) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "plugin-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  const release = () => {
    process.off("exit", remove);
    remove();
  };
  const address = path.join(folder, "socket");
  try {
    server.listen(address);
    await once(server, "listening");
  } catch (error) {
    release();
    throw error;
  }
  return { address, release };
}

async function openPort(server: net.Server, { firstPort, lastPort }: { firstPort: number; lastPort: number }) {
  for (let port = firstPort; port <= lastPort; port++) {
    try {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      return { address: `127.0.0.1:${port}`, release() {} };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
  throw new Error(`Every port from ${firstPort} to ${lastPort} is taken`);
}
