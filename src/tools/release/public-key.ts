/** Converts the public halves of an OpenPGP key into the form that Node reads. */
import { createPublicKey, type KeyObject } from "node:crypto";

const primary = 6;
const subordinate = 14;
const rsa = 1;

/** The RSA keys in the output of `gpg --armor --export`: the primary key and its subkeys. */
export function rsaKeysIn(armored: string): KeyObject[] {
  const [, encoded = ""] = /\n\r?\n([A-Za-z0-9+/=\r\n]+?)\r?\n=[^\n]*\r?\n-----END/.exec(armored) ?? [];
  const packets = packetsOf(Buffer.from(encoded, "base64"));
  return packets
    .filter(({ tag }) => tag === primary || tag === subordinate)
    .flatMap(({ body }) => rsaKeyOf(body) ?? []);
}

/** All in the old format, which is what GnuPG writes. */
function packetsOf(bytes: Buffer): { tag: number; body: Buffer }[] {
  const packets: { tag: number; body: Buffer }[] = [];
  for (let at = 0; at < bytes.length;) {
    const head = bytes.readUInt8(at);
    const width = [1, 2, 4][head & 3];
    if ((head & 0xc0) !== 0x80 || width === undefined) throw new Error("gpg wrote a key in a format that is not known");
    const start = at + 1 + width;
    at = start + bytes.readUIntBE(at + 1, width);
    packets.push({ tag: (head >> 2) & 15, body: bytes.subarray(start, at) });
  }
  return packets;
}

/** See RFC 4880, section 5.5.2: version, time, algorithm, then modulus and exponent as numbers with their length in bits. */
function rsaKeyOf(body: Buffer): KeyObject | undefined {
  if (body.readUInt8(0) !== 4 || body.readUInt8(5) !== rsa) return undefined;
  const afterModulus = 8 + Math.ceil(body.readUInt16BE(6) / 8);
  const [n, e] = [body.subarray(8, afterModulus), body.subarray(afterModulus + 2)].map((part) =>
    part.toString("base64url"),
  );
  return createPublicKey({ key: { kty: "RSA", n, e }, format: "jwk" });
}
