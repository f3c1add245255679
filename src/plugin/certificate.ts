/**
 * The certificate of one plugin process: self-signed, of one fixed shape, good for the length of a Terraform run.
 * Written out in DER here because general certificate libraries cost every start of the process 45 ms and more.
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface Certificate {
  der: Buffer;
  /** The same, as PEM text. */
  pem: string;
  /** The private key, as PEM text (PKCS #8). */
  key: string;
}

export interface CertificateOptions {
  now?: Date;
  /** 16 bytes; the first two bits are overwritten to keep the number positive and of full length. */
  serial?: Buffer;
}

const minute = 60_000;
const year = 365 * 24 * 60 * minute;

const objectIds = {
  ecdsaWithSha256: "2a8648ce3d040302",
  commonName: "550403",
  keyUsage: "551d0f",
  subjectAlternativeName: "551d11",
  basicConstraints: "551d13",
  extendedKeyUsage: "551d25",
  serverAuthentication: "2b06010505070301",
  clientAuthentication: "2b06010505070302",
};

/** A P-256 certificate for `localhost`, its own authority, for both ends of a connection. Valid for a year. */
export function createCertificate({
  now = new Date(),
  serial = randomBytes(16),
}: CertificateOptions = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const algorithm = sequence(objectId("ecdsaWithSha256"));
  const name = sequence(set(sequence(objectId("commonName"), utf8("localhost"))));
  const unsigned = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(positive(serial)),
    algorithm,
    name,
    sequence(utcTime(now.getTime() - minute), utcTime(now.getTime() + year)),
    name,
    publicKey,
    explicit(
      3,
      sequence(
        extension("basicConstraints", sequence(boolean(true)), { critical: true }),
        extension("keyUsage", bits(0b1000_0100, 2), { critical: true }),
        extension("extendedKeyUsage", sequence(objectId("serverAuthentication"), objectId("clientAuthentication"))),
        extension("subjectAlternativeName", sequence(dnsName("localhost"))),
      ),
    ),
  );
  const der = sequence(unsigned, algorithm, bits(sign("sha256", unsigned, privateKey)));
  return { der, pem: pemOf(der), key: privateKey };
}

function pemOf(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

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
const integer = (bigEndian: Uint8Array) => element(0x02, bigEndian);
const boolean = (value: boolean) => element(0x01, Buffer.of(value ? 0xff : 0));
const utf8 = (text: string) => element(0x0c, Buffer.from(text));
const objectId = (name: keyof typeof objectIds) => element(0x06, Buffer.from(objectIds[name], "hex"));
const dnsName = (host: string) => element(0x82, Buffer.from(host));
const bits = (content: Uint8Array | number, unused = 0) =>
  element(0x03, Buffer.of(unused), typeof content === "number" ? Buffer.of(content) : content);

function extension(name: keyof typeof objectIds, value: Buffer, { critical = false } = {}): Buffer {
  const content = element(0x04, value);
  return critical ? sequence(objectId(name), boolean(true), content) : sequence(objectId(name), content);
}

function utcTime(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\D/g, "");
  return element(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}

function positive(serial: Buffer): Buffer {
  const number = Buffer.from(serial);
  number[0] = (number[0]! & 0x3f) | 0x40;
  return number;
}
