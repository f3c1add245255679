/**
 * Makes X.509 certificates of one form: P-256, for names of this machine, self-signed or signed by an authority made here.
 * It writes DER itself, because general certificate libraries add at least 45 ms to every start of a process.
 */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface Certificate {
  readonly der: Buffer;
  /** The same, as PEM text. */
  readonly pem: string;
  /** The private key, as PEM text (PKCS #8). */
  readonly key: string;
  /** The name of its subject, as DER. */
  readonly subject: Buffer;
  /** Identifies this certificate in the certificates that it signed. */
  readonly keyId: Buffer;
}

export interface CertificateOptions {
  readonly commonName: string;
  /** The certificate that signs this one. Default: self-signed. */
  readonly issuer?: Certificate;
  /** Milliseconds since 1970, before 2050. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Whether it may sign other certificates. Default: false. */
  readonly isAuthority?: boolean;
  /** The ends of a connection that may use it. Default: none. */
  readonly ends?: readonly ("server" | "client")[];
  /** Host names for which it is valid. */
  readonly hosts?: readonly string[];
  /** Addresses for which it is valid, each as its 4 or 16 bytes. */
  readonly addresses?: readonly Buffer[];
}

const objectIds = {
  ecdsaWithSha256: "2a8648ce3d040302",
  commonName: "550403",
  subjectKeyIdentifier: "551d0e",
  keyUsage: "551d0f",
  subjectAlternativeName: "551d11",
  basicConstraints: "551d13",
  authorityKeyIdentifier: "551d23",
  extendedKeyUsage: "551d25",
  server: "2b06010505070301",
  client: "2b06010505070302",
};

const oid = (name: keyof typeof objectIds) => objectId(objectIds[name]);

const digitalSignature = 0b1000_0000;
const keyCertSign = 0b0000_0100;

export function issueCertificate(options: CertificateOptions): Certificate {
  const { commonName, issuer, validFrom, validTo } = options;
  const { isAuthority = false, ends = [], hosts = [], addresses = [] } = options;
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const algorithm = sequence(oid("ecdsaWithSha256"));
  const subject = sequence(set(sequence(oid("commonName"), utf8(commonName))));
  const keyId = createHash("sha1").update(publicKey).digest();
  const usage = (ends.length > 0 ? digitalSignature : 0) | (isAuthority ? keyCertSign : 0);
  const extensions = [
    extension("basicConstraints", isAuthority ? sequence(boolean(true)) : sequence(), { critical: true }),
    extension("keyUsage", bits(Buffer.of(usage), isAuthority ? 2 : 7), { critical: true }),
    ends.length > 0 && extension("extendedKeyUsage", sequence(...ends.map(oid))),
    hosts.length + addresses.length > 0 &&
      extension("subjectAlternativeName", sequence(...hosts.map(dnsName), ...addresses.map(addressName))),
    isAuthority && ends.length === 0 && extension("subjectKeyIdentifier", octets(keyId)),
    issuer && extension("authorityKeyIdentifier", sequence(implicit(0, issuer.keyId))),
  ];
  const unsigned = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(serialNumber()),
    algorithm,
    issuer?.subject ?? subject,
    sequence(utcTime(validFrom), utcTime(validTo)),
    subject,
    publicKey,
    explicit(3, sequence(...extensions.filter((one) => one !== false && one !== undefined))),
  );
  const der = sequence(unsigned, algorithm, bits(sign("sha256", unsigned, issuer?.key ?? privateKey)));
  return { der, pem: pemOf(der), key: privateKey, subject, keyId };
}

function extension(name: keyof typeof objectIds, value: Buffer, { critical = false } = {}): Buffer {
  return critical ? sequence(oid(name), boolean(true), octets(value)) : sequence(oid(name), octets(value));
}

function pemOf(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

/** 16 bytes, of which the first two bits keep the number positive and of full length. */
function serialNumber(): Buffer {
  const number = randomBytes(16);
  number[0] = (number[0]! & 0x3f) | 0x40;
  return number;
}

/** The elements of DER (X.690) that certificates are made of. */

function element(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), body]);
  if (length < 0x100) return Buffer.concat([Buffer.of(tag, 0x81, length), body]);
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), body]);
}

const sequence = (...content: Uint8Array[]) => element(0x30, ...content);
const set = (...content: Uint8Array[]) => element(0x31, ...content);
const explicit = (number: number, content: Uint8Array) => element(0xa0 + number, content);
const implicit = (number: number, content: Uint8Array) => element(0x80 + number, content);
const integer = (bigEndian: Uint8Array) => element(0x02, bigEndian);
const boolean = (value: boolean) => element(0x01, Buffer.of(value ? 0xff : 0));
const octets = (content: Uint8Array) => element(0x04, content);
const utf8 = (text: string) => element(0x0c, Buffer.from(text));
const objectId = (hexadecimal: string) => element(0x06, Buffer.from(hexadecimal, "hex"));
const bits = (content: Uint8Array, unused = 0) => element(0x03, Buffer.of(unused), content);
/** A host name in a subject's alternative names. */
const dnsName = (host: string) => implicit(2, Buffer.from(host));
/** An address in a subject's alternative names, as its 4 or 16 bytes. */
const addressName = (address: Uint8Array) => implicit(7, address);

function utcTime(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\D/g, "");
  return element(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}
