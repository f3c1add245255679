/** Zip archives, well-formed or not, as an attacker could upload them. */
import { crc32, deflateRawSync } from "node:zlib";

export interface Entry {
  readonly name: string;
  readonly content: string | Buffer;
  readonly method?: number;
  readonly flags?: number;
  /** Of Unix: 0o120777 for a link. */
  readonly mode?: number;
  /** In place of the true size, in the directory. */
  readonly claims?: number;
}

/** With what `change` makes of its bytes. */
export function zip(entries: readonly Entry[], change: (archive: Buffer) => Buffer = (archive) => archive): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, method = 8, flags = 0, mode = 0o100644, claims } of entries) {
    const [title, bytes] = [Buffer.from(name), Buffer.from(content)];
    const packed = method === 0 ? bytes : deflateRawSync(bytes);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(claims ?? bytes.length, 18);
    shared.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, title, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(mode * 65_536, 6);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 3]), shared, tail, title]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return change(Buffer.concat([...locals, directory, end]));
}
