/** Only signatures by the key, over the content, in one form are valid. The release test has signatures by GnuPG itself. */
import { createSecretKey, generateKeyPairSync } from "node:crypto";
import { isSignedBy } from "../../src/install/signature";
import { privateKey, publicKey } from "./support/release";
import { signatureBy, usual, type Shape } from "./support/signature";

const content = Buffer.from("digests\n");

test("accepts the shape that GnuPG writes, with each hash", () => {
  for (const hash of [
    [8, "sha256"],
    [9, "sha384"],
    [10, "sha512"],
  ] as const) {
    expect(isSignedBy(publicKey, content, signatureBy(privateKey, content, { hash }))).toBe(true);
  }
});

test("accepts a signature that starts with a zero", () => {
  const signatures = Array.from({ length: 2000 }, (_, index) => Buffer.from(`${index}\n`));
  const short = signatures.find(
    (text) => signatureBy(privateKey, text).length < signatureBy(privateKey, content).length,
  );
  expect(isSignedBy(publicKey, short!, signatureBy(privateKey, short!))).toBe(true);
});

test.each<[string, Shape]>([
  ["over text, whose line ends are not signed", { type: 1 }],
  ["in another version", { version: 3 }],
  ["by another algorithm", { algorithm: 17 }],
  ["with SHA-1", { hash: [2, "sha1"] }],
  ["with another hash than it names", { hash: [8, "sha512"] }],
  ["that expires", { subpackets: Buffer.concat([usual, Buffer.of(5, 3, 0, 0, 0, 1)]) }],
  ["with a critical note", { subpackets: Buffer.concat([usual, Buffer.of(3, 0x80 | 20, 0, 0)]) }],
  ["with a broken note", { subpackets: Buffer.concat([usual, Buffer.of(9, 28)]) }],
  ["with an empty note", { subpackets: Buffer.concat([usual, Buffer.of(0)]) }],
  ["in a packet of another kind", { tag: 0x99 }],
  ["in the new format", { tag: 0xc2 }],
])("refuses a signature %s", (_, shape) => {
  expect(isSignedBy(publicKey, content, signatureBy(privateKey, content, shape))).toBe(false);
});

test("refuses a key that is too short, or of another kind", () => {
  const short = generateKeyPairSync("rsa", { modulusLength: 1024 });
  expect(isSignedBy(short.publicKey, content, signatureBy(short.privateKey, content))).toBe(false);
  const made = signatureBy(privateKey, content);
  expect(isSignedBy(generateKeyPairSync("ed25519").publicKey, content, made)).toBe(false);
  expect(isSignedBy(createSecretKey(Buffer.alloc(256)), content, made)).toBe(false);
});

test("refuses a signature that is cut or continued anywhere, empty, or armored", () => {
  const made = signatureBy(privateKey, content);
  for (let length = 0; length < made.length; length++) {
    expect(isSignedBy(publicKey, content, made.subarray(0, length))).toBe(false);
  }
  expect(isSignedBy(publicKey, content, Buffer.concat([made, Buffer.of(0)]))).toBe(false);
  expect(isSignedBy(publicKey, content, Buffer.concat([made, made]))).toBe(false);
  expect(
    isSignedBy(publicKey, content, Buffer.from(`-----BEGIN PGP SIGNATURE-----\n\n${made.toString("base64")}`)),
  ).toBe(false);
});

test("refuses a signature in which a byte that counts is changed", () => {
  const made = signatureBy(privateKey, content);
  // Not signed: the issuer outside the hashed part, and two bytes of the hash.
  const free = made.indexOf(Buffer.concat([Buffer.of(9, 16), Buffer.alloc(8, 7)]));
  for (let at = 0; at < made.length; at++) {
    if (at >= free && at < free + 12) continue;
    const changed = Buffer.from(made);
    changed[at]! ^= 1;
    expect([at, isSignedBy(publicKey, content, changed)]).toEqual([at, false]);
  }
});
