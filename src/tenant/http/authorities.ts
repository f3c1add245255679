/** The trusted authorities: those of the machine, NODE_EXTRA_CA_CERTS and SSL_CERT_FILE, and the configured one. */
import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import type { Environment } from "./proxy";

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
  given: string | undefined,
  environment: Environment = process.env,
  runtime: Runtime = running,
): tls.SecureContext | undefined {
  const read = (name: keyof Runtime) => (runtime[name] ? undefined : contentOf(environment[name]));
  const more = [read("SSL_CERT_FILE"), given].filter((pem) => pem !== undefined);
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
