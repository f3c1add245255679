/** Makes the self-signed certificate of one plugin process. */
import { issueCertificate, type Certificate } from "../../formats/certificate/certificate";

export type { Certificate } from "../../formats/certificate/certificate";

const minute = 60_000;
const year = 365 * 24 * 60 * minute;

/** A P-256 certificate for `localhost`, its own authority, for both ends of a connection. Valid for a year. */
export const createCertificate = (now = new Date()): Certificate =>
  issueCertificate({
    commonName: "localhost",
    validFrom: now.getTime() - minute,
    validTo: now.getTime() + year,
    isAuthority: true,
    ends: ["server", "client"],
    hosts: ["localhost"],
  });
