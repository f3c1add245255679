/** The kinds of credentials, the private keys that people give, and the parameters that the token endpoint gets for each. */
import { randomUUID, type KeyObject } from "node:crypto";
import type { Clock } from "../clock";
import { TenantError } from "../error";

export type Credentials =
  | { kind: "access_token"; accessToken: string }
  | { kind: "client_secret"; clientId: string; clientSecret: string }
  | {
      kind: "private_key";
      clientId: string;
      /** PEM text of the key, in PKCS #8, PKCS #1 or SEC 1, in a form that `private-key` reads. */
      privateKey: string;
      /** Default RS256. */
      algorithm?: Algorithm;
    };

/** Credentials that fetch a token. */
export type ClientCredentials = Exclude<Credentials, { kind: "access_token" }>;

/** Seconds for which an assertion is valid. */
const assertionLifetime = 180;

/** The parameters that authenticate a client at the token endpoint. Throws invalid_key. */
export async function clientAuthentication(
  credentials: ClientCredentials,
  endpoint: string,
  clock: Clock,
): Promise<Record<string, string>> {
  const { clientId } = credentials;
  if (credentials.kind === "client_secret") return { client_id: clientId, client_secret: credentials.clientSecret };
  return {
    client_id: clientId,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: await assertion(credentials, `${endpoint}/`, clock),
  };
}

async function assertion(
  { clientId, privateKey, algorithm = "RS256" }: Extract<Credentials, { kind: "private_key" }>,
  audience: string,
  clock: Clock,
): Promise<string> {
  const { SignJWT } = await import("./sign-jwt.js");
  const issued = Math.floor(clock.now() / 1000);
  try {
    return await new SignJWT()
      .setProtectedHeader({ alg: algorithm })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setJti(randomUUID())
      .setIssuedAt(issued)
      .setExpirationTime(issued + assertionLifetime)
      .sign(await signingKey(privateKey, algorithm));
  } catch (cause) {
    // Another error may hold a part of the key.
    const problem = cause instanceof KeyProblem ? cause.message : "it was refused";
    throw new TenantError("invalid_key", `The private key (sensitive) cannot sign with ${algorithm}: ${problem}.`);
  }
}

export type Algorithm = "RS256" | "RS384" | "RS512" | "PS256" | "ES256";

/** Why a text is no key that can sign. Its message follows "The private key cannot sign with RS256: ". */
class KeyProblem extends Error {}

const base64 = /^[A-Za-z\d+/]+={0,2}$/;

/** The PEM text of the only private key in a text. Throws a KeyProblem. */
export function pemIn(privateKey: string): string {
  const text = unwrapped(privateKey);
  const found = [...text.matchAll(/-----BEGIN ([A-Z\d ]+)-----(.*?)-----END \1-----/gs)];
  const keys = found.filter(([, label]) => label!.endsWith("PRIVATE KEY"));
  if (keys.length > 1) throw new KeyProblem(`it contains ${keys.length} private keys`);
  const [block] = keys;
  if (!block) throw new KeyProblem(whyNone(text, found[0]?.[1]));
  const [, label, content] = block;
  if (label!.startsWith("ENCRYPTED") || /ENCRYPTED/.test(content!)) {
    throw new KeyProblem("it is encrypted, and the provider takes no passphrase: give the decrypted key");
  }
  if (label!.startsWith("OPENSSH")) {
    throw new KeyProblem("it is in OpenSSH's format: convert a copy of it with ssh-keygen -p -m PKCS8");
  }
  const body = content!.replace(/\s/g, "");
  if (!base64.test(body)) throw new KeyProblem(whyDamaged(body));
  return `-----BEGIN ${label}-----\n${body.match(/.{1,64}/g)!.join("\n")}\n-----END ${label}-----\n`;
}

/** Without quotes, base64 around PEM, and backslashes, which PEM does not have, in place of line breaks. */
function unwrapped(text: string): string {
  const trimmed = text.trim().replace(/^(["'])(.*)\1$/s, "$2");
  const compact = trimmed.replace(/\s/g, "");
  const decoded = base64.test(compact) ? Buffer.from(compact, "base64").toString("latin1") : "";
  return (decoded.includes("-----BEGIN ") ? decoded : trimmed).replace(/(\\+r)?\\+n/g, "\n");
}

function whyNone(text: string, label: string | undefined): string {
  if (label === "CERTIFICATE") return "it is a certificate, not a private key";
  if (label?.endsWith("PUBLIC KEY")) return "it is a public key, not a private one";
  if (/-----BEGIN [A-Z\d ]*PRIVATE KEY-----/.test(text))
    return "it ends early: its line -----END … KEY----- is missing";
  return "it has no line -----BEGIN PRIVATE KEY-----";
}

function whyDamaged(body: string): string {
  if (body === "") return "nothing is between its first and its last line";
  if (body.includes("\\")) return "it contains a backslash; line breaks may be written as \\n in two characters";
  return "it contains characters that no key has";
}

/** The key, if it can sign with the algorithm. Throws a KeyProblem. */
export async function signingKey(privateKey: string, algorithm: Algorithm): Promise<KeyObject> {
  const { createPrivateKey } = await import("node:crypto");
  const key = keyFrom(pemIn(privateKey), createPrivateKey);
  const { asymmetricKeyType: type = "", asymmetricKeyDetails: { modulusLength = 0, namedCurve = "" } = {} } = key;
  const kind =
    type === "rsa" ? `RSA, ${modulusLength} bits` : `${type.toUpperCase()}${namedCurve && `, ${namedCurve}`}`;
  const [fits, needed] =
    algorithm === "ES256"
      ? [namedCurve === "prime256v1", "an EC key of the curve prime256v1"]
      : [type === "rsa" && modulusLength >= 2048, "an RSA key of at least 2048 bits"];
  if (!fits) throw new KeyProblem(`it is another kind of key (${kind}), and ${algorithm} needs ${needed}`);
  return key;
}

function keyFrom(pem: string, createPrivateKey: (pem: string) => KeyObject): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new KeyProblem("its content between the first and the last line is damaged or incomplete");
  }
}
