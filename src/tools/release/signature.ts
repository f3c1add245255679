/** Signs the checksums with GnuPG: with the key that the registry knows, or with a temporary key. */
import { spawn } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { isSignedBy } from "../../install/signature";

export interface Key {
  /** Fingerprint, or another id that GnuPG accepts. */
  readonly id: string;
  readonly passphrase?: string;
  /** GnuPG's folder; default: the one of the user. */
  readonly home?: string;
}

async function gpg(args: readonly string[], { passphrase, home }: Omit<Key, "id"> = {}): Promise<string> {
  const settings = ["--batch", "--yes", "--pinentry-mode", "loopback", "--passphrase-fd", "0"];
  const child = spawn("gpg", [...(home === undefined ? [] : ["--homedir", home]), ...settings, ...args]);
  child.stdin.on("error", () => {}).end(passphrase ?? "");
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk));
  const [code] = (await once(child, "close").catch(() => {
    throw new Error("gpg cannot be started: install GnuPG, which signs the checksums");
  })) as [number];
  if (code !== 0) throw new Error(`gpg ${args.join(" ")} ended with ${code}: ${stderr}`);
  return stdout;
}

/** OpenPGP's number. The registry accepts RSA and DSA; `tenantform install` verifies RSA. */
const rsa = "1";

/** Returns the fingerprint. Throws if the key is missing, or if the registry or `tenantform install` does not accept it. */
export async function examine(key: Key): Promise<string> {
  const listed = await gpg(["--with-colons", "--list-secret-keys", key.id], key);
  const records = listed.split("\n").map((line) => line.split(":"));
  const kind = records.find(([type]) => type === "sec")?.[3] ?? "";
  if (kind !== rsa) {
    throw new Error(`the key ${key.id} is not RSA, and tenantform install verifies only RSA: sign with an RSA key`);
  }
  return records.find(([type]) => type === "fpr")![9]!;
}

export async function sign(file: string, signature: string, key: Key): Promise<void> {
  await gpg(["--local-user", key.id, "--detach-sign", "--output", signature, file], key);
}

/** The armored OpenPGP key. */
export const publicKey = (key: Key) => gpg(["--armor", "--export", key.id], key);

/** The PEM of the key or subkey that made the signature. Throws if `tenantform install` could not verify the signature. */
export async function releaseKeyOf(key: Key, content: Uint8Array, signature: Buffer): Promise<string> {
  const listed = await gpg(["--with-colons", "--with-key-data", "--list-keys", key.id], key);
  // The modulus and the exponent of each RSA key follow its record as two lines.
  const records = listed.matchAll(/^(?:pub|sub):[^:]*:[^:]*:1:[^]*?^pkd:0:\d+:(\w+):.*\npkd:1:\d+:(\w+):/gm);
  for (const [, modulus, exponent] of records) {
    const [n, e] = [modulus!, exponent!].map((hex) => Buffer.from(hex, "hex").toString("base64url"));
    const candidate = createPublicKey({ key: { kty: "RSA", n, e }, format: "jwk" });
    if (isSignedBy(candidate, content, signature)) return String(candidate.export({ type: "spki", format: "pem" }));
  }
  throw new Error(
    "tenantform install could not verify the signature: sign with an RSA key of at least 2048 bits, without an expiry of signatures in gpg.conf",
  );
}

/** Makes a temporary key, and afterwards removes it and ends GnuPG's agent. */
export async function withThrowAwayKey<T>(use: (key: Key) => Promise<T>): Promise<T> {
  const home = await mkdtemp(path.join(os.tmpdir(), "gnupg-"));
  const key = { id: "dry-run@tenantform.invalid", home };
  try {
    await gpg(["--quick-generate-key", `Dry run <${key.id}>`, "rsa2048", "sign", "1d"], key);
    return await use(key);
  } finally {
    const agent = spawn("gpgconf", ["--homedir", home, "--kill", "gpg-agent"], { stdio: "ignore" });
    await once(agent, "close").catch(() => {});
    await rm(home, { recursive: true, force: true });
  }
}
