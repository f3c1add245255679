/** Keeps tokens for later processes of this user, encrypted with the credentials that get them. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { cacheFolder } from "./cache-folder";
import { cacheNote, quietly } from "./cache-notes";

const cipher = "aes-256-gcm";
const hash = "sha256";
const sizes = { key: 32, nonce: 12, tag: 16, salt: 16 };

/**
 * `subject` tells the tokens of one user apart, such as by tenant and client. Without the secret that got a token, the file is worth
 * nothing: the secret gives the key. TENANT_KEEP_TOKEN=false keeps no token and reads none.
 */
export function keptTokens(
  subject: string,
  secret: string,
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): { read(): unknown; write(token: object): void } | undefined {
  if (/^(false|0|no|off)$/i.test(env.TENANT_KEEP_TOKEN?.trim() ?? "")) return undefined;
  const note = cacheNote(subject, "tokens.json", () => cacheFolder("token", env));
  const purpose = createHash(hash).update(subject).digest();
  const keyFrom = (salt: Buffer) => Buffer.from(hkdfSync(hash, secret, salt, purpose, sizes.key));
  return {
    read: () => quietly(() => opened(note.read(), keyFrom)),
    write: (token) =>
      void quietly(() => {
        const [salt, nonce] = [randomBytes(sizes.salt), randomBytes(sizes.nonce)];
        const sealing = createCipheriv(cipher, keyFrom(salt), nonce);
        const sealed = Buffer.concat([sealing.update(JSON.stringify(token), "utf8"), sealing.final()]);
        const parts = [salt, nonce, sealing.getAuthTag(), sealed];
        note.write(parts.map((part) => part.toString("base64")));
      }),
  };
}

/** Throws if another secret sealed the note, or if it was changed. */
function opened(note: unknown, keyFrom: (salt: Buffer) => Buffer): unknown {
  const parts = (note as readonly unknown[]).map((part) => Buffer.from(String(part), "base64"));
  const [salt, nonce, tag, sealed] = parts as [Buffer, Buffer, Buffer, Buffer];
  const opening = createDecipheriv(cipher, keyFrom(salt), nonce, { authTagLength: sizes.tag }).setAuthTag(tag);
  return JSON.parse(Buffer.concat([opening.update(sealed), opening.final()]).toString("utf8"));
}
