/** Whose certificates are believed: those of the machine, of NODE_EXTRA_CA_CERTS and SSL_CERT_FILE, and one that is given. */
import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import type { Environment } from "./proxy";

/** Undefined for what the runtime believes of itself. Made once: it costs more than a connection. */
export function trust(
  given: string | undefined,
  environment: Environment = process.env,
): tls.SecureContext | undefined {
  // Bun reads the file itself.
  const named = "bun" in process.versions ? undefined : contentOf(environment.SSL_CERT_FILE);
  const more = [named, given].filter((pem) => pem !== undefined);
  if (more.length === 0) return undefined;
  const trusting = tls.createSecureContext();
  // What an option names replaces the runtime's own, so that all 150 of those would have to be named and read again.
  const { context } = trusting as { context: { addCACert(pem: string): void } };
  // Before 22.15 they are forgotten where others are added.
  const extra = "getCACertificates" in tls ? undefined : contentOf(environment.NODE_EXTRA_CA_CERTS);
  for (const pem of [extra, ...more]) if (pem !== undefined) context.addCACert(pem);
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
