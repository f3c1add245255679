/** Listens for Terraform on a new socket, with mutual TLS, or without TLS in tests. */
import { once } from "node:events";
import type { Http2Server } from "node:http2";
import net from "node:net";
import tls from "node:tls";
import type { Calls } from "./calls";
import type { Certificate } from "./certificate";
import type { Log } from "./log";
import type { Method, Response } from "./grpc";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Where to listen: a socket in a new folder that only this user can enter, or the first free port of a range. */
export type Place = { network: "unix" } | { network: "tcp"; firstPort: number; lastPort: number };

/** Encoded responses that never change, by method, such as `GetProviderSchema`. */
export type Prepared = Readonly<Record<string, Uint8Array>>;

export interface ListenOptions {
  place?: Place;
  /** Encoded responses that need no handler. */
  prepared?: Prepared;
  tls?: {
    certificate: Certificate;
    /** PEM. A client with another certificate, or with none, is refused. */
    clientCertificate: string;
  };
  /** Gets the errors that handlers throw. Default: no log. */
  log?: Log;
  /** Called when the client no longer needs the process. Terraform accepts it if the process then ends without a response. */
  onShutdown?: () => void;
  /** Called each time the last of the accepted connections has closed. */
  onDeserted?: () => void;
}

export interface Listening {
  network: "unix" | "tcp";
  /** The path of the socket, or host and port. */
  address: string;
  /** Closes every connection, and removes the socket with its folder. The end of the process also removes them. */
  close(): Promise<void>;
}

export async function listen(calls: Calls, options: ListenOptions = {}): Promise<Listening> {
  const {
    place = { network: "unix" },
    prepared = {},
    log = () => {},
    onShutdown = () => {},
    onDeserted = () => {},
  } = options;
  const find = methodsOf(calls, prepared, onShutdown);
  let grpc: Promise<Http2Server> | undefined;
  // Loaded after the handshake, while Terraform connects.
  const speak = () => (grpc ??= import("./grpc.js").then(({ createGrpcServer }) => createGrpcServer({ find, log })));

  const connections = new Set<net.Socket>();
  const server = doorFor(options.tls, (socket) => {
    connections.add(socket);
    socket.on("error", (error) => log("debug", "Connection failed", { error }));
    socket.once("close", () => {
      connections.delete(socket);
      if (connections.size === 0) onDeserted();
    });
    void speak().then((spoken) => spoken.emit("connection", socket));
  });

  const { address, release } = place.network === "unix" ? await openSocket(server) : await openPort(server, place);
  setImmediate(speak);
  return {
    network: place.network,
    address,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of connections) socket.destroy();
      await closed;
      release();
    },
  };
}

/** The message without fields. */
const empty = new Uint8Array();
/** A HealthCheckResponse with the status SERVING. */
const serving = Uint8Array.of(0x08, 0x01);

/** The method for each path. The housekeeping responses are a few fixed bytes, so the protocol code is not loaded for them. */
function methodsOf(calls: Calls, prepared: Prepared, shutDown: () => void): (path: string) => Method | undefined {
  const housekeeping: Readonly<Record<string, () => Promise<Response>>> = {
    "/grpc.health.v1.Health/Check": async () => serving,
    "/plugin.GRPCController/Shutdown": async () => {
      shutDown();
      return empty;
    },
    "/plugin.GRPCStdio/StreamStdio": () => new Promise(() => {}),
    "/plugin.GRPCBroker/StartStream": async () => (async function* () {})(),
  };
  return (called) => {
    const [, service, name = ""] = called.split("/");
    if (service !== "tfplugin6.Provider") return housekeeping[called];
    return async (request) => prepared[name] ?? calls(name, request);
  };
}

/**
 * The value of `TF_REATTACH_PROVIDERS` with which Terraform uses a provider that already listens.
 * `source` is the provider's full address, including the host name.
 */
export function reattachment(source: string, { network, address }: Listening, pid = process.pid): string {
  const Addr = { Network: network, String: address };
  return JSON.stringify({ [source]: { Protocol: "grpc", ProtocolVersion: 6, Pid: pid, Test: true, Addr } });
}

/**
 * A `ca` keeps the runtime from building its store of public authorities, which would take 5 to 20 ms of every start. An authority would
 * also accept every certificate that it signed, so the client's certificate is compared here.
 */
function doorFor(options: ListenOptions["tls"], accept: (socket: net.Socket) => void): net.Server {
  if (options === undefined) return net.createServer(accept);
  const { certificate, clientCertificate } = options;
  const expected = derOf(clientCertificate);
  const identity = { cert: certificate.pem, key: certificate.key, ca: clientCertificate };
  const demands = { requestCert: true, rejectUnauthorized: false, ALPNProtocols: ["h2"] };
  return tls.createServer({ ...identity, ...demands }, (socket) => {
    if (socket.getPeerX509Certificate()?.raw.equals(expected)) accept(socket);
    else socket.destroy();
  });
}

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64");
}

async function openSocket(server: net.Server) {
  const { address, remove } = makeSocketPlace();
  process.once("exit", remove);
  const release = () => {
    process.off("exit", remove);
    remove();
  };
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

// Makes a place for a socket: a new folder that only this user can enter, with a path that is short enough.

interface SocketPlace {
  address: string;
  /** Removes the folder with its content. */
  remove: () => void;
}

/** The longest path of a socket in bytes. The system silently truncates a longer one. */
const longest = process.platform === "darwin" ? 103 : 107;
const name = "plugin-";

/** Makes the folder in the temporary folder, or in `/tmp` if that path is too long. */
export function makeSocketPlace(temporary = os.tmpdir(), shortest = "/tmp"): SocketPlace {
  const parent = [temporary, shortest].find(
    (folder) => Buffer.byteLength(addressIn(folder, `${name}XXXXXX`)) <= longest,
  );
  if (parent === undefined) {
    throw new Error(
      `the path of the temporary folder is too long for a socket: set TMPDIR to a path shorter than ${temporary}`,
    );
  }
  const folder = newFolder(path.join(parent, name));
  return { address: addressIn(folder), remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

const addressIn = (...folder: string[]) => path.join(...folder, "socket");

function newFolder(prefix: string): string {
  try {
    return mkdtempSync(prefix);
  } catch (error) {
    throw new Error(
      `the temporary folder accepts no new folder for a socket, so set TMPDIR to another one: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
