/** Repairs macOS executables that Bun compiles on another system. */

const segmentCommand = 0x19;
const signatureCommand = 0x1d;

/**
 * Removes the runtime's signature, which no longer matches. macOS on Intel starts an executable without a signature, but not with a
 * wrong one. For Apple's processors, the compiler makes a new signature.
 */
export function withoutSignature(executable: Buffer): Buffer {
  const header = 32;
  const size = executable.readUInt32LE(20);
  let signature: { at: number; from: number } | undefined;
  let linkEdit = 0;
  for (let at = header; at < header + size; at += executable.readUInt32LE(at + 4)) {
    const command = executable.readUInt32LE(at);
    if (command === signatureCommand) signature = { at, from: executable.readUInt32LE(at + 8) };
    if (command === segmentCommand && executable.toString("latin1", at + 8, at + 18) === "__LINKEDIT") linkEdit = at;
  }
  if (!signature) return executable;
  const length = executable.readUInt32LE(signature.at + 4);
  const end = header + size;
  const cut = Buffer.from(executable.subarray(0, signature.from));
  cut.copy(cut, signature.at, signature.at + length, end);
  cut.fill(0, end - length, end);
  cut.writeUInt32LE(cut.readUInt32LE(16) - 1, 16);
  cut.writeUInt32LE(size - length, 20);
  // The signature was at the end of the last segment and of the file.
  if (linkEdit > signature.at) linkEdit -= length;
  cut.writeBigUInt64LE(BigInt(cut.length) - cut.readBigUInt64LE(linkEdit + 40), linkEdit + 48);
  return cut;
}
