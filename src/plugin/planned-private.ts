/** Reads the private data of planned objects from a saved plan, because Terraform does not hand over that of new objects. */
import { readFile, stat } from "node:fs/promises";

/** A plan of 10,000 members has two megabytes. */
const mostBytes = 64 * 1024 * 1024;

/** The fields of Terraform's own format that lead to the private data. */
const [changes, privateData] = [3, 10];

/** Empty if the file is not a plan that can be read, such as an encrypted one. */
export async function plannedPrivateIn(file: string): Promise<readonly Buffer[]> {
  try {
    if ((await stat(file)).size > mostBytes) return [];
    const { openArchive } = await import("../archive/archive.js");
    const entries = openArchive(await readFile(file), { entries: 10_000, bytes: mostBytes });
    const plan = entries.find(({ name }) => name === "tfplan")?.read();
    return plan ? fieldsIn(plan, changes).flatMap((change) => fieldsIn(change, privateData)) : [];
  } catch {
    return [];
  }
}

/** The values of one field in a message of protobuf, if they have a length. Throws if the bytes are no message. */
function fieldsIn(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const number = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = number();
    const kind = tag % 8;
    if (kind === 0) number();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else if (kind === 2) {
      const length = number();
      if (length > message.length - at) throw new RangeError("the message is cut");
      if (Math.floor(tag / 8) === wanted) found.push(message.subarray(at, at + length));
      at += length;
    } else throw new RangeError("no such kind of field");
  }
  return found;
}
