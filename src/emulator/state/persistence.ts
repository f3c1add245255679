/** Keeps a tenant in a JSON file from one run to the next: its contents, its ready client and its keys. */
import { isRecord } from "../../formats/text/record";
import { withRemedy } from "../../formats/text/whole-file";
import { closeSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { clientKind, type Client } from "../auth/client";
import { generateKey, once, pemOf, restoreKey, type Keys } from "../auth/key";
import type { Contents, Store } from "./store";

const format = "tenantform tenant 2";

/** The contents of the file. */
interface Kept {
  readonly format: typeof format;
  /** The id by which the ready client is found among the clients. */
  readonly client_id: string;
  /** PKCS #8. */
  readonly keys: { readonly tenant?: string; readonly client?: string };
  readonly tenant: Contents;
}

export interface Persistence {
  /** The ready client of the last run; undefined in the first run. */
  readonly ready?: Client;
  readonly keys: Keys;
  /** Writes the whole tenant, now and after each change. A change that cannot be written is undone. */
  begin(ready: Client): void;
  close(): void;
}

/** Names the process that made the lock. */
function holderOf(lock: string): string {
  const [, pid, host] = /^(\d{1,10}) ([\w.-]+)\n$/.exec(readFileSync(lock, "utf8")) ?? [];
  if (pid === undefined) return "";
  return ` by process ${pid}${host === hostname() ? "" : ` on ${host}`}`;
}

/**
 * Locks the file by an exclusive second file, and returns a function that removes it. The lock of a killed process stays: two processes
 * that both took it over could not tell each other apart, so a person removes it.
 */
function lockFile(file: string): () => void {
  const lock = `${file}.lock`;
  try {
    writeFileSync(lock, `${process.pid} ${hostname()}\n`, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      // An empty lock would stop the next start.
      rmSync(lock, { force: true });
      throw withRemedy(lock, error, "choose another file for the tenant");
    }
    throw new Error(
      `${file} is locked${holderOf(lock)}. End that embedded tenant, or choose another file. If no process uses the file, remove ${lock}.`,
      { cause: error },
    );
  }
  const unlock = () => rmSync(lock, { force: true });
  process.once("exit", unlock);
  return () => {
    process.off("exit", unlock);
    unlock();
  };
}

const unusable = (file: string, cause?: unknown) =>
  new Error(`${file} is not the file of an embedded tenant, or is damaged. It was not changed. Choose another file.`, {
    cause,
  });

/** Fills the store with the contents of the file. Returns undefined if there is no file yet. */
function load(file: string, store: Store): Kept | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  // Renaming would replace the link, and leave its target as it was.
  if (!found.isFile()) throw new Error(`${file} is a symbolic link, or no file: name the file itself.`);
  try {
    const kept = JSON.parse(readFileSync(file, "utf8")) as Kept;
    if (kept.format !== format || !isRecord(kept.keys)) throw unusable(file);
    store.replace(kept.tenant);
    return kept;
  } catch (error) {
    throw unusable(file, error);
  }
}

/** Writes a second file and gives it the name of the first, so that the file is whole at any time. */
function write(file: string, kept: Kept): void {
  const fresh = `${file}.new`;
  try {
    rmSync(fresh, { force: true });
    // The file holds secrets and private keys, so only its owner may read it.
    const descriptor = openSync(fresh, "wx", 0o600);
    try {
      try {
        writeFileSync(descriptor, `${JSON.stringify(kept)}\n`);
      } finally {
        closeSync(descriptor);
      }
      renameSync(fresh, file);
    } catch (error) {
      // A part of the secrets must not stay.
      rmSync(fresh, { force: true });
      throw error;
    }
  } catch (error) {
    const found = withRemedy(file, error, "choose another file");
    if (found !== error) throw found;
    throw new Error(`${file} cannot be written: ${(error as Error).message}.`, { cause: error });
  }
}

/** Fills the store with the contents of the file. Throws if another process uses the file. */
export function openPersistence(file: string, store: Store): Persistence {
  const unlock = lockFile(file);
  let kept: Kept;
  try {
    kept = load(file, store) ?? { format, client_id: "", keys: {}, tenant: {} };
  } catch (error) {
    unlock();
    throw error;
  }
  let isOpen = true;
  const keep = (more: Partial<Kept>) => {
    if (!isOpen) throw new Error(`${file} cannot be written: it is closed.`);
    const next = { ...kept, ...more };
    write(file, next);
    kept = next;
  };
  const key = (name: "tenant" | "client") =>
    once(async () => {
      const known = kept.keys[name];
      if (known !== undefined) return restoreKey(known);
      const made = await generateKey();
      keep({ keys: { ...kept.keys, [name]: pemOf(made.privateKey) } });
      return made;
    });
  const close = () => {
    isOpen = false;
    unlock();
  };

  return {
    ready: store.of(clientKind).get(kept.client_id),
    keys: { tenant: key("tenant"), client: key("client") },
    begin(ready) {
      try {
        keep({ client_id: ready.client_id, tenant: store.contents() });
      } catch (error) {
        close();
        throw error;
      }
      store.keepWith((tenant) => {
        try {
          keep({ tenant });
        } catch (error) {
          throw new Error(`${(error as Error).message} The change is refused, and had no effect.`, { cause: error });
        }
      });
    },
    close,
  };
}
