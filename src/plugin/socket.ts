/** A place for a socket: in a fresh folder that only this user may enter, by a path short enough for the system. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface SocketPlace {
  address: string;
  /** Takes the folder and what is in it away. */
  remove: () => void;
}

/** Bytes of a path that a socket's address holds; what is longer would be cut off without a word. */
const longest = process.platform === "darwin" ? 103 : 107;
const name = "plugin-";

/** Made in the temporary folder or, where its path is too long, in the one that every system of the kind has. */
export function makeSocketPlace(temporary = os.tmpdir(), shortest = "/tmp"): SocketPlace {
  const parent = [temporary, shortest].find(
    (folder) => Buffer.byteLength(addressIn(folder, `${name}XXXXXX`)) <= longest,
  );
  if (parent === undefined) {
    throw new Error(
      `the temporary folder's path is too long to hold a socket: set TMPDIR to a shorter one than ${temporary}`,
    );
  }
  const folder = newFolder(path.join(parent, name));
  return { address: addressIn(folder), remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

const addressIn = (...folder: string[]) => path.join(...folder, "socket");

function newFolder(prefix: string): string {
  try {
    return mkdtempSync(prefix);
  } catch (error) {
    throw new Error(
      `no folder for a socket can be made in the temporary folder, set another by TMPDIR: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
