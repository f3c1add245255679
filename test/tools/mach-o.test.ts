/** After the signature is removed from an executable for macOS, header, commands, segment and end of the file agree. */
import { withoutSignature } from "../../src/tools/build/mach-o";

/** A header, the last segment, an optional signature, one more command, and 64 bytes. The signature is in the last 16. */
function executable(signed: boolean): Buffer {
  const segment = Buffer.alloc(72);
  segment.writeUInt32LE(0x19, 0);
  segment.writeUInt32LE(72, 4);
  segment.write("__LINKEDIT", 8);
  const signature = Buffer.alloc(16);
  signature.writeUInt32LE(0x1d, 0);
  signature.writeUInt32LE(16, 4);
  const other = Buffer.from("2a00000008000000", "hex");
  const commands = Buffer.concat(signed ? [segment, signature, other] : [segment, other]);
  const header = Buffer.alloc(32);
  header.writeUInt32LE(0xfeedfacf, 0);
  header.writeUInt32LE(signed ? 3 : 2, 16);
  header.writeUInt32LE(commands.length, 20);
  // Data after the commands starts at the same place, signed or not.
  const room = Buffer.alloc(128 - commands.length);
  const content = Buffer.alloc(signed ? 64 : 48, 7);
  const file = Buffer.concat([header, commands, room, content]);
  file.writeBigUInt64LE(160n, 32 + 40);
  file.writeBigUInt64LE(BigInt(content.length), 32 + 48);
  if (signed) file.writeUInt32LE(160 + 48, 32 + 72 + 8);
  return file;
}

test("restores the executable without its signature", () => {
  expect(withoutSignature(executable(true))).toEqual(executable(false));
});

test("leaves an executable without a signature unchanged", () => {
  expect(withoutSignature(executable(false))).toEqual(executable(false));
});
