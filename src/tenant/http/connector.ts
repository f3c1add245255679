/** Opens connections within a time limit: TCP, TLS with a certificate for the right host, or both through a tunnel. */
import { connect, isIP, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { trust } from "./authorities";
import { nameMismatch } from "./certificate-name";

export interface ConnectorOptions {
  /** PEM text of authorities to trust in addition to those of the machine. */
  readonly certificateAuthority?: string;
  /** Milliseconds for one connection, proxy and TLS included. */
  readonly timeout: number;
  /** Whether any request waits for a connection. If none waits, no connection is opened. */
  wanted(): boolean;
}

export type Connected = (...outcome: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

export interface Connector {
  /** Opens a connection by `open`, which must give up when the signal aborts, and calls `done` once. */
  attempt(open: (signal: AbortSignal) => Promise<Socket>, done: Connected): void;
  /** A socket to the host of the URL, encrypted for https; over `tunnel` if there is one. */
  reach(url: URL, signal: AbortSignal, tunnel?: Socket): Promise<Socket>;
  /** Gives up all connections that are being opened. */
  destroy(): void;
}

/** The time limit is exceeded. */
export class Timeout extends Error {
  readonly code = "ETIMEDOUT";
}

/** `encrypted`: whether one of the URLs is https. Loads the TLS code before a timer runs. */
export async function createConnector(options: ConnectorOptions, encrypted: boolean): Promise<Connector> {
  const { certificateAuthority, timeout, wanted } = options;
  const opening = new Set<AbortController>();
  const encrypt = encrypted ? await createEncryption(certificateAuthority) : undefined;
  return {
    attempt(open, done) {
      if (!wanted()) return done(new Error("no request waits for a connection"), null);
      const abortion = new AbortController();
      opening.add(abortion);
      const timer = setTimeout(() => abortion.abort(new Timeout(`not connected within ${timeout} ms`)), timeout);
      const over = () => {
        clearTimeout(timer);
        opening.delete(abortion);
      };
      open(abortion.signal).then(
        (socket) => (over(), done(null, socket)),
        (error: Error) => (over(), done(error, null)),
      );
    },
    async reach(url, signal, tunnel) {
      if (url.protocol === "https:") return established(encrypt!(url, tunnel), "secureConnect", signal);
      const { hostname: host, port } = addressOf(url);
      return tunnel ?? established(connect({ host, port, noDelay: true }), "connect", signal);
    },
    destroy() {
      for (const one of opening) one.abort(new Error("stopped"));
    },
  };
}

export function addressOf({ protocol, hostname, port }: URL): { hostname: string; port: number } {
  return { hostname: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port) || (protocol === "https:" ? 443 : 80) };
}

type Encrypt = (url: URL, tunnel: Socket | undefined) => Socket;

/** Further connections resume a session of the same host, so no certificate is sent again. */
async function createEncryption(certificateAuthority: string | undefined): Promise<Encrypt> {
  const tls = await import("node:tls");
  const sessions = new Map<string, Buffer>();
  const secureContext: SecureContext | undefined = trust(certificateAuthority);
  return (url, tunnel) => {
    const { hostname, port } = addressOf(url);
    const socket = tls.connect({
      ...(tunnel ? { socket: tunnel } : { host: hostname, port }),
      servername: isIP(hostname) ? "" : hostname,
      checkServerIdentity: (_, certificate) => nameMismatch(hostname, certificate),
      ALPNProtocols: ["http/1.1"],
      secureContext,
      session: sessions.get(url.origin),
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn verification off otherwise.
      rejectUnauthorized: true,
    });
    // Resuming a session skips verification, so only a session with a verified server is kept.
    socket.once("secureConnect", () => socket.on("session", (session) => sessions.set(url.origin, session)));
    // Node reports an alert without closing the socket. The end that follows would hide the message of the alert.
    return socket.once("error", (error) => socket.destroy(error)).setNoDelay();
  };
}

function established(socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const giveUp = () => socket.destroy(signal.reason as Error);
    const fail = (error: Error) => {
      signal.removeEventListener("abort", giveUp);
      reject(error);
    };
    const closed = () => fail(new Error("the connection was closed before it was established"));
    socket.once("error", fail).once("close", closed);
    socket.once(event, () => {
      signal.removeEventListener("abort", giveUp);
      socket.off("error", fail).off("close", closed);
      resolve(socket);
    });
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp);
  });
}
