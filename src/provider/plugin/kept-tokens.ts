/** Keeps tokens for later processes of this user, encrypted with the credentials that get them. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cacheFolder } from "./cache-folder";

/*
 * One file in the user's cache has the last tokens: hashes of what they are for, and the sealed tokens. Two processes that write at the
 * same time lose one of theirs. If the file cannot be written or read, no token is kept.
 */

const mostTokens = 50;

const cipher = "aes-256-gcm";
const hash = "sha256";
const sizes = { key: 32, nonce: 12, tag: 16, salt: 16 };

/**
 * `subject` tells the tokens of one user apart, such as by tenant and client. Without the secret that got a token, the file is worth
 * nothing: the secret gives the key. TENANT_KEEP_TOKEN=false keeps no token and reads none, and so does a value that is not known.
 */
export function keptTokens(
  subject: string,
  secret: string,
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): { read(): unknown; write(token: object): void } | undefined {
  if (!/^(true|1|yes|on)?$/i.test(env.TENANT_KEEP_TOKEN?.trim() ?? "")) return undefined;
  const purpose = createHash(hash).update(subject).digest();
  const key = purpose.toString("hex").slice(0, 32);
  const keyFrom = (salt: Buffer) => Buffer.from(hkdfSync(hash, secret, salt, purpose, sizes.key));
  return {
    read: () => quietly(() => opened(entriesIn(fileIn(env)).find(([one]) => one === key)?.[1], keyFrom)),
    write: (token) =>
      void quietly(() => {
        const [salt, nonce] = [randomBytes(sizes.salt), randomBytes(sizes.nonce)];
        const sealing = createCipheriv(cipher, keyFrom(salt), nonce);
        const sealed = Buffer.concat([sealing.update(JSON.stringify(token), "utf8"), sealing.final()]);
        const parts = [salt, nonce, sealing.getAuthTag(), sealed];
        const file = fileIn(env);
        const others = (quietly(() => entriesIn(file)) ?? []).filter(([one]) => one !== key);
        const entry: Entry = [key, parts.map((part) => part.toString("base64"))];
        replaceFile(file, JSON.stringify([entry, ...others].slice(0, mostTokens)));
      }),
  };
}

/** Throws if another secret sealed the token, or if it was changed. */
function opened(entry: unknown, keyFrom: (salt: Buffer) => Buffer): unknown {
  const parts = (entry as readonly unknown[]).map((part) => Buffer.from(String(part), "base64"));
  const [salt, nonce, tag, sealed] = parts as [Buffer, Buffer, Buffer, Buffer];
  const opening = createDecipheriv(cipher, keyFrom(salt), nonce, { authTagLength: sizes.tag }).setAuthTag(tag);
  return JSON.parse(Buffer.concat([opening.update(sealed), opening.final()]).toString("utf8"));
}

type Entry = readonly [key: string, sealed: unknown];

function entriesIn(file: string): readonly Entry[] {
  const entries: unknown = JSON.parse(readFileSync(file, "utf8"));
  const isEntry = (entry: unknown): entry is Entry => Array.isArray(entry) && typeof entry[0] === "string";
  return Array.isArray(entries) ? entries.filter(isEntry) : [];
}

function fileIn(env: Readonly<NodeJS.ProcessEnv>): string {
  const folder = cacheFolder("token", env);
  if (folder === undefined) throw new Error("no cache");
  return path.join(folder, "tokens.json");
}

/** On a full disk, the file stays as it was. */
function replaceFile(file: string, text: string): void {
  const part = `${file}.${process.pid}`;
  try {
    writeFileSync(part, text, { mode: 0o600 });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
