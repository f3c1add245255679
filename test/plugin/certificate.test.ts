import { createPublicKey, X509Certificate } from "node:crypto";
import { createCertificate } from "../../src/plugin/certificate";

const now = new Date("2031-02-03T04:05:06.789Z");

test("is a self-signed X.509 certificate for localhost", () => {
  const { der, pem, key } = createCertificate();
  const certificate = new X509Certificate(der);
  expect(certificate.subject).toBe("CN=localhost");
  expect(certificate.issuer).toBe("CN=localhost");
  expect(certificate.subjectAltName).toBe("DNS:localhost");
  expect(certificate.ca).toBe(true);
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
  expect(certificate.publicKey.equals(createPublicKey(key))).toBe(true);
  expect(new X509Certificate(pem).raw).toEqual(der);
});

test("is valid from a minute ago and for a year", () => {
  const { validFrom, validTo } = new X509Certificate(createCertificate({ now }).der);
  expect(new Date(validFrom)).toEqual(new Date("2031-02-03T04:04:06Z"));
  expect(new Date(validTo)).toEqual(new Date("2032-02-03T04:05:06Z"));
});

test.each([
  ["00".repeat(16), `40${"00".repeat(15)}`],
  ["ff".repeat(16), `7f${"ff".repeat(15)}`],
])("keeps the serial %s positive and of full length", (given, kept) => {
  const serial = Buffer.from(given, "hex");
  expect(new X509Certificate(createCertificate({ serial }).der).serialNumber.toLowerCase()).toBe(kept);
  expect(serial.toString("hex")).toBe(given);
});
