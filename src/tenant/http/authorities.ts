/** Whose certificates are believed: those of the machine, of NODE_EXTRA_CA_CERTS and SSL_CERT_FILE, and one that is given. */
import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import type { Environment } from "./proxy";

/**
 * Undefined for what the runtime believes of itself. Made once: with the authorities as an option each connection would
 * read all of them again, 30 ms in Node 20.
 */
export function trust(
  given: string | undefined,
  environment: Environment = process.env,
): tls.SecureContext | undefined {
  // Bun reads the file itself.
  const named = "bun" in process.versions ? undefined : contentOf(environment.SSL_CERT_FILE);
  const more = [named, given].filter((pem) => pem !== undefined);
  return more.length === 0 ? undefined : tls.createSecureContext({ ca: [...defaults(environment), ...more] });
}

/** What is named replaces these in Node's eyes, so that they are named with it. */
function defaults({ NODE_EXTRA_CA_CERTS }: Environment): readonly string[] {
  // Since Node 22.15.
  const { getCACertificates } = tls as { getCACertificates?: (type: "default") => string[] };
  if (getCACertificates) return getCACertificates("default");
  const extra = contentOf(NODE_EXTRA_CA_CERTS);
  return extra === undefined ? tls.rootCertificates : [...tls.rootCertificates, extra];
}

/** A file that cannot be read is none: the connection will tell whose certificate is missing. */
function contentOf(file: string | undefined): string | undefined {
  try {
    return file ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
