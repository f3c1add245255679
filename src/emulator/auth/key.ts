/** RSA keys: one of the tenant that signs tokens, and one of the ready client for private_key_jwt. */
import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, importPKCS8, importSPKI } from "jose";
import type { webcrypto } from "node:crypto";

type CryptoKey = webcrypto.CryptoKey;

export interface Key {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** PKCS #8 PEM. */
  readonly privatePem: string;
  /** SubjectPublicKeyInfo PEM. */
  readonly publicPem: string;
  readonly jwk: object;
}

async function describe(privateKey: CryptoKey, publicKey: CryptoKey): Promise<Key> {
  const [privatePem, publicPem, jwk] = await Promise.all([
    exportPKCS8(privateKey),
    exportSPKI(publicKey),
    exportJWK(publicKey),
  ]);
  return { privateKey, publicKey, privatePem, publicPem, jwk };
}

export async function generateKey(): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return describe(privateKey, publicKey);
}

/** The key from its two PEM texts. */
export async function restoreKey(pem: Pick<Key, "privatePem" | "publicPem">): Promise<Key> {
  return describe(
    await importPKCS8(pem.privatePem, "RS256", { extractable: true }),
    await importSPKI(pem.publicPem, "RS256", { extractable: true }),
  );
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
