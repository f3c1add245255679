/** Opens connections within a time limit: TCP, TLS with a certificate for the right host, or both through a tunnel. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect, isIP, type Socket } from "node:net";
import * as tls from "node:tls";
import type { PeerCertificate, SecureContext } from "node:tls";
import { isLoopback } from "../../text/url";

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

/** `encrypted`: whether one of the URLs is https. Reads the authorities before a timer runs. */
export function createConnector(options: ConnectorOptions, encrypted: boolean): Connector {
  const { certificateAuthority, timeout, wanted } = options;
  const opening = new Set<AbortController>();
  const encrypt = encrypted ? createEncryption(certificateAuthority) : undefined;
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
function createEncryption(certificateAuthority: string | undefined): Encrypt {
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

/**
 * Returns undefined if the certificate is for the host. Pass the host: the runtime's own choice is the proxy's host or localhost when the endpoint is an IP
 * address behind a tunnel, because SNI carries no addresses. Node 22 also finds no IPv6 address in any certificate.
 */
export function nameMismatch(hostname: string, certificate: PeerCertificate): Error | undefined {
  if (!isIP(hostname)) return tls.checkServerIdentity(hostname, certificate);
  if (new X509Certificate(certificate.raw).checkIP(hostname)) return undefined;
  const names = certificate.subjectaltname ?? "no IP address";
  return new Error(`the certificate is for ${names}, not for the IP address ${hostname}`);
}

/** Which of these variables the runtime already follows. */
export interface Runtime {
  readonly SSL_CERT_FILE: boolean;
  /** False for Node before 22.15, which ignores the variable if other authorities are added. */
  readonly NODE_EXTRA_CA_CERTS: boolean;
}

const running: Runtime = {
  SSL_CERT_FILE: "bun" in process.versions,
  NODE_EXTRA_CA_CERTS: "getCACertificates" in tls,
};

/** Undefined if the runtime's own authorities suffice. Call it once, because it takes longer than a connection. */
export function trust(
  configured: string | undefined,
  environment: Environment = process.env,
  runtime: Runtime = running,
): SecureContext | undefined {
  const read = (name: keyof Runtime) => (runtime[name] ? undefined : contentOf(environment[name]));
  const more = [read("SSL_CERT_FILE"), configured].filter((pem) => pem !== undefined);
  if (more.length === 0) return undefined;
  const trusting = tls.createSecureContext();
  // The option `ca` would replace the runtime's 150 authorities, which would then be parsed again.
  const { context } = trusting as { context: { addCACert(pem: string): void } };
  for (const pem of [read("NODE_EXTRA_CA_CERTS"), ...more]) if (pem !== undefined) context.addCACert(pem);
  return trusting;
}

/** An unreadable file counts as absent. The error of the connection then names the missing authority. */
function contentOf(file: string | undefined): string | undefined {
  try {
    return file ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

export type Environment = Readonly<NodeJS.ProcessEnv>;

/** The proxy's URL, or undefined for a direct connection. Connections to this machine are always direct. */
export function proxyFor(origin: string, environment: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(origin);
  const named = (name: string) => environment[name] || environment[name.toLowerCase()] || undefined;
  const proxy = named(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (proxy === undefined || isLoopback(hostname)) return undefined;
  const exempt = (named("NO_PROXY") ?? "").split(/[\s,]+/);
  const actual = port || (protocol === "https:" ? "443" : "80");
  if (exempt.some((entry) => matches(entry.toLowerCase(), hostname, actual))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function matches(entry: string, hostname: string, port: string): boolean {
  if (entry === "*") return true;
  const [, host = "", only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const domain = host.replace(/^\*?\./, "");
  if (domain === "") return false;
  return (only === undefined || only === port) && (hostname === domain || hostname.endsWith(`.${domain}`));
}
