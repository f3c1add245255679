/** Makes detached OpenPGP signatures, in the form of GnuPG and in other forms. */
import { sign, type KeyObject } from "node:crypto";

export interface Shape {
  readonly version?: number;
  /** 0: over binary content. */
  readonly type?: number;
  readonly algorithm?: number;
  readonly hash?: readonly [number: number, name: string];
  /** Signed ones, with their lengths. */
  readonly subpackets?: Buffer;
  readonly tag?: number;
}

/** Signer's fingerprint and the time of the signature. */
export const usual = Buffer.concat([
  Buffer.of(22, 33, 4),
  Buffer.alloc(20, 7),
  Buffer.of(5, 2, 0x6b, 0x02, 0xc8, 0x54),
]);

export function signatureBy(key: KeyObject, content: Buffer, shape: Shape = {}): Buffer {
  const { version = 4, type = 0, algorithm = 1, hash = [10, "sha512"], subpackets = usual, tag = 0x89 } = shape;
  const hashed = Buffer.concat([Buffer.of(version, type, algorithm, hash[0]), length(subpackets), subpackets]);
  const trailer = Buffer.from([version, 0xff, 0, 0, 0, 0]);
  trailer.writeUInt32BE(hashed.length, 2);
  const value = withoutZeros(sign(hash[1], Buffer.concat([content, hashed, trailer]), key));
  const unhashed = Buffer.concat([Buffer.of(9, 16), Buffer.alloc(8, 7)]);
  const bits = 8 * (value.length - 1) + (32 - Math.clz32(value[0]!));
  const number = Buffer.concat([Buffer.of(bits >> 8, bits & 0xff), value]);
  const body = Buffer.concat([hashed, length(unhashed), unhashed, Buffer.of(0, 0), number]);
  return Buffer.concat([Buffer.of(tag), length(body), body]);
}

const length = ({ length: bytes }: Buffer) => Buffer.of(bytes >> 8, bytes & 0xff);

const withoutZeros = (number: Buffer) => number.subarray(number.findIndex((byte) => byte !== 0));
