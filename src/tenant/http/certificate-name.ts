/** Checks that a certificate is for the host that a URL names. */
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

/**
 * Undefined if it is. Pass the host: the runtime's own choice is the proxy's host or localhost when the endpoint is an IP
 * address behind a tunnel, because SNI carries no addresses. Node 22 also finds no IPv6 address in any certificate.
 */
export function nameMismatch(hostname: string, certificate: PeerCertificate): Error | undefined {
  if (!isIP(hostname)) return checkServerIdentity(hostname, certificate);
  if (new X509Certificate(certificate.raw).checkIP(hostname)) return undefined;
  const names = certificate.subjectaltname ?? "no IP address";
  return new Error(`the certificate is for ${names}, not for the IP address ${hostname}`);
}
