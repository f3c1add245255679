/** undici's agent for one origin: its authorities, its time limits, and the proxy that the environment names. Loaded at the first request. */
import { X509Certificate } from "node:crypto";
import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import tls from "node:tls";
import { buildConnector, EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";
import { isLoopback } from "../../formats/text/url";

export interface DispatcherOptions {
  readonly origin: string;
  /** URL of the proxy, unless NO_PROXY exempts the origin. Empty if there is none. */
  readonly proxy: string;
  /** Has NO_PROXY, and the variables that name authorities. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** PEM text of authorities to trust in addition to those of the machine. */
  readonly certificateAuthority?: string;
  /** Milliseconds to connect. */
  readonly timeout: number;
  /** Milliseconds after which an unused connection is closed, or earlier if the server says so. */
  readonly idle: number;
  /** Closes all connections, also those that are being opened, which undici does not do itself. */
  readonly signal: AbortSignal;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { origin, proxy, environment, certificateAuthority, timeout, idle, signal } = options;
  if (proxy !== "" && !/^https?:$/.test(new URL(proxy).protocol))
    throw new Error(`the URL of a proxy must start with http: or https:, not with ${new URL(proxy).protocol}`);
  setMaxListeners(0, signal);
  const settings = {
    timeout,
    // undici keeps a TLS session before the server is verified, and a resumed session is not verified.
    maxCachedSessions: 0,
    secureContext: trust(certificateAuthority, environment),
    checkServerIdentity: nameMismatch,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn verification off otherwise.
    rejectUnauthorized: true,
    signal,
  };
  const connector = buildConnector(settings);
  return new EnvHttpProxyAgent({
    connect: (place, done) =>
      connector(place, (...outcome) => {
        // Node reports an alert without closing the socket. The end that follows would hide the message of the alert.
        outcome[1]?.once("error", (error) => outcome[1]!.destroy(error));
        done(...outcome);
      }),
    requestTls: settings,
    proxyTls: settings,
    // The transport has one timer for the whole exchange. Those of undici are exact only to a second.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idle,
    keepAliveMaxTimeout: idle,
    // Subtracted from the time that a server names, because a request needs this long to arrive.
    keepAliveTimeoutThreshold: 1_000,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: isLoopback(new URL(origin).hostname) ? "*" : environment.NO_PROXY || environment.no_proxy || "",
    token: proxy === "" ? undefined : credentialsIn(new URL(proxy)),
    clientFactory: (url, given) => new ProxyPool(url, { ...given, headersTimeout: timeout }),
  });
}

/** Names the proxy in each error. undici would connect again and again if an error had the code of a lost connection. */
class ProxyPool extends Pool {
  readonly #host: string;
  constructor(url: URL, options: Pool.Options) {
    super(url.origin, options);
    this.#host = url.host;
  }
  override connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  override connect(...parameters: Parameters<Dispatcher["connect"]>): void;
  override async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const headers = { ...(options.headers as Record<string, string>), host: options.path! };
    const reply = await super.connect({ ...options, headers }).catch((cause: Error) => {
      throw new Error(`the proxy ${this.#host}: ${cause.message}`, { cause });
    });
    if (reply.statusCode === 200) return reply;
    reply.socket.on("error", () => {}).destroy();
    throw new Error(`the proxy ${this.#host} responded with ${reply.statusCode}`);
  }
}

/** undici omits a user without a password. */
function credentialsIn({ username, password }: URL): string | undefined {
  const user = [username, password].map(decodeURIComponent).join(":");
  return user === ":" ? undefined : `Basic ${Buffer.from(user).toString("base64")}`;
}

/** Returns undefined if the certificate is for the host. Node 22 finds no IPv6 address in any certificate. */
function nameMismatch(host: string, certificate: tls.PeerCertificate): Error | undefined {
  if (!isIP(host)) return tls.checkServerIdentity(host, certificate);
  if (new X509Certificate(certificate.raw).checkIP(host)) return undefined;
  const names = certificate.subjectaltname ?? "no IP address";
  return new Error(`the certificate is for ${names}, not for the IP address ${host}`);
}

/** Whether the runtime follows SSL_CERT_FILE itself. All follow NODE_EXTRA_CA_CERTS, but not beside authorities that are named. */
const followsFile = "bun" in process.versions;

/** Undefined if the runtime's own authorities suffice. Call it once, because it takes longer than a connection. */
export function trust(
  configured: string | undefined,
  environment: NodeJS.ProcessEnv,
  follows = followsFile,
): tls.SecureContext | undefined {
  const file = contentOf(environment.SSL_CERT_FILE);
  if (configured === undefined && (follows || file === undefined)) return undefined;
  const { getCACertificates } = tls as { getCACertificates?: (type: "default") => string[] };
  const own = getCACertificates?.("default") ?? tls.rootCertificates;
  const more = [contentOf(environment.NODE_EXTRA_CA_CERTS), file, configured];
  return tls.createSecureContext({ ca: [...own, ...more.filter((pem) => pem !== undefined)] });
}

/** An unreadable file counts as absent. The error of the connection then names the missing authority. */
function contentOf(file: string | undefined): string | undefined {
  try {
    return file ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
