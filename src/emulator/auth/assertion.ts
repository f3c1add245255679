/** Authenticates a client by an assertion that it signed (private_key_jwt). */
import { decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { ServiceError } from "../http/response";
import type { Tenant } from "../tenant";
import { clientKind, type Client } from "./client";
import { isOwn } from "./token";

/** Assumption: a client assertion is accepted for 300 seconds after its `iat`. */
const longestAge = 300;
/** Assumption: the `exp` of a client assertion is at most two days from now. */
const longestLife = 2 * 86_400;
const tolerance = 10;
export const signingAlgorithms = ["RS256", "RS384", "PS256"];

export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const refused = () => new ServiceError(401, "Client authentication failed", "invalid_client");

/** Used assertions by client and `jti`, each with the second from which it is too old anyway. */
type Seen = Map<string, number>;
const seenBy = new WeakMap<Tenant, Seen>();

function checkFirstUse(tenant: Tenant, name: string, now: number): void {
  const seen: Seen = seenBy.get(tenant) ?? new Map();
  seenBy.set(tenant, seen);
  for (const [old, until] of seen) {
    if (until > now) break;
    seen.delete(old);
  }
  if (seen.has(name)) throw refused();
  seen.set(name, now + longestAge + 2 * tolerance);
}

/** The client that signed the assertion, or the 401. `claimed` is the client_id in the request, if any. */
export async function clientByAssertion(
  tenant: Tenant,
  assertion: string,
  { url, claimed }: { readonly url: string; readonly claimed: unknown },
): Promise<Client> {
  try {
    const { alg = "" } = decodeProtectedHeader(assertion);
    const client = tenant.store.of(clientKind).get(decodeJwt(assertion).iss ?? "");
    const key = client && (await tenant.publicKeyOf(client));
    if (!key || !signingAlgorithms.includes(alg)) throw refused();
    if (claimed !== undefined && claimed !== client.client_id) throw refused();
    const now = Math.floor(tenant.now() / 1000);
    const { payload } = await jwtVerify(assertion, key, {
      algorithms: signingAlgorithms,
      issuer: client.client_id,
      subject: client.client_id,
      currentDate: new Date(tenant.now()),
      maxTokenAge: longestAge,
      clockTolerance: tolerance,
      requiredClaims: ["aud", "exp", "iat"],
    });
    if (![payload.aud].flat().some((audience) => isOwn(String(audience), url))) throw refused();
    if (payload.exp! - now > longestLife) throw refused();
    if (payload.jti !== undefined) checkFirstUse(tenant, `${client.client_id} ${payload.jti}`, now);
    return client;
  } catch {
    throw refused();
  }
}
