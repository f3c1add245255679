/** Whose certificates are believed: those of the machine, NODE_EXTRA_CA_CERTS among them, and one that is given. */
import { readFileSync } from "node:fs";
import * as tls from "node:tls";

/** Undefined: the defaults. What is given replaces them in Node's eyes, so that they are named with it. */
export function trustedAuthorities(given: string | undefined): string[] | undefined {
  return given === undefined ? undefined : [...defaults(), given];
}

function defaults(): readonly string[] {
  // Since Node 22.15.
  const { getCACertificates } = tls as { getCACertificates?: (type: "default") => string[] };
  if (getCACertificates) return getCACertificates("default");
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  try {
    return extra ? [...tls.rootCertificates, readFileSync(extra, "utf8")] : tls.rootCertificates;
  } catch {
    // Node itself has warned of it.
    return tls.rootCertificates;
  }
}
