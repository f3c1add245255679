import { createPublicKey, X509Certificate } from "node:crypto";
import { issueCertificate } from "../../../src/formats/certificate/certificate";

const [validFrom, validTo] = [Date.parse("2031-02-03T04:05:06Z"), Date.parse("2032-02-03T04:05:06Z")];
const authority = issueCertificate({ commonName: "Authority", validFrom, validTo, isAuthority: true });
const issued = issueCertificate({
  commonName: "localhost",
  issuer: authority,
  validFrom,
  validTo,
  ends: ["server"],
  hosts: ["localhost", "tenant.example"],
  addresses: [Buffer.of(127, 0, 0, 1), Buffer.from(`${"00".repeat(15)}01`, "hex")],
});

test("signs another certificate with an authority", () => {
  const [ca, leaf] = [new X509Certificate(authority.pem), new X509Certificate(issued.pem)];
  expect([ca.ca, leaf.ca]).toEqual([true, false]);
  expect(ca.checkIssued(ca)).toBe(true);
  expect(leaf.checkIssued(ca)).toBe(true);
  expect(leaf.checkIssued(leaf)).toBe(false);
  expect(leaf.verify(ca.publicKey)).toBe(true);
  expect(leaf.verify(leaf.publicKey)).toBe(false);
  expect(leaf.publicKey.equals(createPublicKey(issued.key))).toBe(true);
});

test("is valid for the names, addresses, ends and time of its options", () => {
  const leaf = new X509Certificate(issued.der);
  expect([leaf.subject, leaf.issuer]).toEqual(["CN=localhost", "CN=Authority"]);
  expect(leaf.checkHost("tenant.example")).toBe("tenant.example");
  expect(leaf.checkHost("other.example")).toBeUndefined();
  expect([leaf.checkIP("127.0.0.1"), leaf.checkIP("::1"), leaf.checkIP("127.0.0.2")]).toEqual([
    "127.0.0.1",
    "::1",
    undefined,
  ]);
  expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect([new Date(leaf.validFrom).getTime(), new Date(leaf.validTo).getTime()]).toEqual([validFrom, validTo]);
});
