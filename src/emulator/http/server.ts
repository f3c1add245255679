/** The tenant on a port, with or without TLS. */
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { issueCertificate } from "../../formats/certificate/certificate";
import { ConnectionReset } from "./request-handler";

export interface Listening {
  /** Root URL of the tenant, without a slash at its end. */
  url: string;
  port: number;
  /** PEM of the certificate authority of a TLS port. */
  ca?: string;
  /** Frees the port and ends open connections. */
  close(): Promise<void>;
}

export interface Certificate {
  /** PEM of the authority. */
  ca: string;
  /** PEM of the server's certificate. */
  cert: string;
  /** PEM of the server's key. */
  key: string;
}

const day = 86_400_000;
/** Apple's clients refuse server certificates that are valid for longer. */
const validDays = 397;

/** A certificate for the loopback names, from an authority that is made for it and signs nothing else. */
export function createCertificate(now: number, hostNames: readonly string[]): Certificate {
  const period = { validFrom: now - day, validTo: now + validDays * day };
  const authority = issueCertificate({ ...period, commonName: "Tenantform embedded tenant", isAuthority: true });
  const { pem, key } = issueCertificate({
    ...period,
    commonName: "localhost",
    issuer: authority,
    ends: ["server"],
    hosts: ["localhost", ...hostNames],
    addresses: [Buffer.of(127, 0, 0, 1), Buffer.from(`${"00".repeat(15)}01`, "hex")],
  });
  return { ca: authority.pem, cert: pem, key };
}

export interface ServeOptions {
  port: number;
  certificate?: Certificate;
  /** Rejects with a ConnectionReset to break the connection. */
  fetch(request: Request): Promise<Response>;
}

function breakOff(socket: Socket, outgoing: ServerResponse, { begun }: ConnectionReset): void {
  if (begun) outgoing.writeHead(begun.status, begun.headers).write(begun.part, () => socket.destroySoon());
  // A TLS socket cannot send a reset.
  else if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

export async function serve({ port, certificate, fetch }: ServeOptions): Promise<Listening> {
  const listener = getRequestListener(
    (request, { incoming: message, outgoing }) =>
      fetch(request).catch((error: unknown) => {
        if (!(error instanceof ConnectionReset)) throw error;
        breakOff((message as IncomingMessage).socket, outgoing as ServerResponse, error);
        return RESPONSE_ALREADY_SENT;
      }),
    { overrideGlobalObjects: false },
  ) as (request: IncomingMessage, response: ServerResponse) => void;
  const server = certificate
    ? createSecureServer({ cert: certificate.cert, key: certificate.key }, listener)
    : createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const actual = (server.address() as AddressInfo).port;
  return {
    url: `${certificate ? "https" : "http"}://127.0.0.1:${actual}`,
    port: actual,
    ...(certificate && { ca: certificate.ca }),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
