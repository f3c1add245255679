/** RSA keys: one of the tenant that signs tokens, and one of the ready client for private_key_jwt. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

export interface Key {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export const generateKey = (): Promise<Key> => promisify(generateKeyPair)("rsa", { modulusLength: 2048 });

/** PKCS #8 for a private key, SubjectPublicKeyInfo for a public one. */
export const pemOf = (key: KeyObject): string =>
  key.export({ type: key.type === "private" ? "pkcs8" : "spki", format: "pem" }).toString();

export function restoreKey(pem: string): Key {
  const privateKey = createPrivateKey(pem);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

export interface Keys {
  /** Signs the tenant's tokens. */
  tenant(): Promise<Key>;
  /** Signs the ready client's assertions. */
  client(): Promise<Key>;
}

/** Generates a key at the first use, because that takes a tenth of a second. */
export const once = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
};

/** Shared by all tenants of a process without a data file. */
export const sharedKeys: Keys = { tenant: once(generateKey), client: once(generateKey) };
