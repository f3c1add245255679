/** Verifies a detached OpenPGP signature by an RSA key, in the one shape that GnuPG gives to the signature of a release. */
import { verify, type KeyObject } from "node:crypto";

const version = 4;
const overBinary = 0;
const rsa = 1;
const hashes: Readonly<Record<number, string>> = { 8: "sha256", 9: "sha384", 10: "sha512" };
/** Time, user ID and fingerprint of the signer. Others, such as an expiry, would change what the signature means. */
const knownSubpackets = [2, 28, 33];
const leastBits = 2048;

/** False unless the bytes are exactly one such signature. */
export function isSignedBy(key: KeyObject, content: Uint8Array, signature: Buffer): boolean {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== "rsa" || bits < leastBits) return false;
  const parts = partsOf(signature);
  if (!parts || parts.value.length > bits / 8) return false;
  const { hash, signed, value } = parts;
  // OpenPGP drops the zeros that a number starts with.
  const padded = Buffer.concat([Buffer.alloc(bits / 8 - value.length), value]);
  return verify(hash, Buffer.concat([content, signed]), key, padded);
}

interface Parts {
  readonly hash: string;
  /** The bytes that are signed after the content. */
  readonly signed: Buffer;
  readonly value: Buffer;
}

/** See RFC 4880, sections 4.2.1 and 5.2.3. */
function partsOf(packet: Buffer): Parts | undefined {
  try {
    const body = bodyOf(packet);
    const hash = hashes[body.readUInt8(3)];
    if (!body.subarray(0, 3).equals(Buffer.of(version, overBinary, rsa)) || hash === undefined) return undefined;
    const hashed = 6 + body.readUInt16BE(4);
    if (!subpacketsOf(body.subarray(6, hashed)).every((type) => knownSubpackets.includes(type))) return undefined;
    const unhashed = hashed + 2 + body.readUInt16BE(hashed);
    // Follows two bytes of the hash, which prove nothing.
    const bits = body.readUInt16BE(unhashed + 2);
    const value = body.subarray(unhashed + 4);
    if (bits !== 8 * value.length - (Math.clz32(value[0]!) - 24)) return undefined;
    const trailer = Buffer.from([version, 0xff, 0, 0, 0, 0]);
    trailer.writeUInt32BE(hashed, 2);
    return { hash, signed: Buffer.concat([body.subarray(0, hashed), trailer]), value };
  } catch {
    // The packet ends too early, or is another one.
    return undefined;
  }
}

/** The body of one packet in the old format, which GnuPG writes. Nothing may follow the packet. */
function bodyOf(packet: Buffer): Buffer {
  const tag = packet.readUInt8(0);
  const [start, length] = tag === 0x88 ? [2, packet.readUInt8(1)] : [3, packet.readUInt16BE(1)];
  if ((tag !== 0x88 && tag !== 0x89) || packet.length !== start + length) throw new Error("not one signature");
  return packet.subarray(start);
}

/** Their types. */
function subpacketsOf(area: Buffer): number[] {
  const types: number[] = [];
  let at = 0;
  while (at < area.length) {
    const length = area.readUInt8(at);
    if (length === 0 || length >= 192 || at + 1 + length > area.length) throw new Error("not a short subpacket");
    types.push(area.readUInt8(at + 1));
    at += 1 + length;
  }
  return types;
}
