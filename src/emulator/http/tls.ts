/** A certificate for the loopback names, from an authority that is made for it and signs nothing else. */
import { issueCertificate } from "../../certificate/certificate";
import type { Certificate } from "./server";

const day = 86_400_000;
/** Apple's clients refuse server certificates that are valid for longer. */
const validDays = 397;

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
