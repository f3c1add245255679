/** The kinds of credentials, and the parameters that the token endpoint gets for each. */
import { randomUUID } from "node:crypto";
import type { Clock } from "../clock";
import { TenantError } from "../error";
import { KeyProblem, signingKey, type Algorithm } from "./private-key";

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
  const { SignJWT } = await import("jose");
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
