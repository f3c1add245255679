/** Makes a place for a socket: a new folder that only this user can enter, with a path that is short enough. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface SocketPlace {
  address: string;
  /** Removes the folder with its content. */
  remove: () => void;
}

/** The longest path of a socket in bytes. The system silently truncates a longer one. */
const longest = process.platform === "darwin" ? 103 : 107;
const name = "plugin-";

/** Makes the folder in the temporary folder, or in `/tmp` if that path is too long. */
export function makeSocketPlace(temporary = os.tmpdir(), shortest = "/tmp"): SocketPlace {
  const parent = [temporary, shortest].find(
    (folder) => Buffer.byteLength(addressIn(folder, `${name}XXXXXX`)) <= longest,
  );
  if (parent === undefined) {
    throw new Error(
      `the path of the temporary folder is too long for a socket: set TMPDIR to a path shorter than ${temporary}`,
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
      `the temporary folder accepts no new folder for a socket, so set TMPDIR to another one: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
