/** A certificate for the loopback names, from an authority made on the spot that signs this one thing and is forgotten. */
import type { Certificate } from "./server";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const day = 86_400_000;
/** Apple's clients take no server certificate for longer. */
const validDays = 397;

export async function createCertificate(now: () => number = Date.now): Promise<Certificate> {
  // Loading them takes a tenth of a second, which only those who ask for TLS should pay.
  require("reflect-metadata");
  const x509 = require("@peculiar/x509") as typeof import("@peculiar/x509");
  const makeKeys = () => crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const [authorityKeys, serverKeys] = await Promise.all([makeKeys(), makeKeys()]);
  const period = { notBefore: new Date(now() - day), notAfter: new Date(now() + validDays * day) };
  const { KeyUsageFlags, ExtendedKeyUsage } = x509;

  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Tenantform embedded tenant",
    keys: authorityKeys,
    signingAlgorithm: algorithm,
    ...period,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    subject: "CN=localhost",
    issuer: authority.subject,
    publicKey: serverKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: algorithm,
    ...period,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: "dns", value: "localhost" },
        { type: "ip", value: "127.0.0.1" },
        { type: "ip", value: "::1" },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const privateKey = await crypto.subtle.exportKey("pkcs8", serverKeys.privateKey);
  return {
    ca: authority.toString("pem"),
    cert: certificate.toString("pem"),
    key: x509.PemConverter.encode(privateKey, "PRIVATE KEY"),
  };
}
