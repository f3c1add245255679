/** Whose certificates are believed: those of the machine, of NODE_EXTRA_CA_CERTS and SSL_CERT_FILE, and one that is given. */
import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import type { Environment } from "./proxy";

/** Which of these variables the runtime follows of itself. */
export interface Runtime {
  readonly SSL_CERT_FILE: boolean;
  /** Also where others are added: Node before 22.15 forgets them then. */
  readonly NODE_EXTRA_CA_CERTS: boolean;
}

const running: Runtime = {
  SSL_CERT_FILE: "bun" in process.versions,
  NODE_EXTRA_CA_CERTS: "getCACertificates" in tls,
};

/** Undefined for what the runtime believes of itself. Made once: it costs more than a connection. */
export function trust(
  given: string | undefined,
  environment: Environment = process.env,
  runtime: Runtime = running,
): tls.SecureContext | undefined {
  const read = (name: keyof Runtime) => (runtime[name] ? undefined : contentOf(environment[name]));
  const more = [read("SSL_CERT_FILE"), given].filter((pem) => pem !== undefined);
  if (more.length === 0) return undefined;
  const trusting = tls.createSecureContext();
  // What an option names replaces the runtime's own, so that all 150 of those would have to be named and read again.
  const { context } = trusting as { context: { addCACert(pem: string): void } };
  for (const pem of [read("NODE_EXTRA_CA_CERTS"), ...more]) if (pem !== undefined) context.addCACert(pem);
  return trusting;
}

/** A file that cannot be read is none: the connection will tell whose certificate is missing. */
function contentOf(file: string | undefined): string | undefined {
  try {
    return file ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
