/** Signs access tokens, and verifies those of requests to the management API. */
import { errors, jwtVerify, SignJWT } from "jose";
import { ServiceError } from "../http/response";
import { isLoopback } from "../http/path";
import type { Claims, Tenant, Tokens } from "../tenant";
import { urlIn } from "../../formats/text/url";
import { clientKind } from "./client";

/** Whether a URL belongs to this tenant: on a loopback name, or on the host of the request, with any scheme. */
export function isOwn(text: string, requestUrl: string): boolean {
  const url = urlIn(text);
  return url !== undefined && (isLoopback(url.hostname) || url.host === new URL(requestUrl).host);
}

/** Throws the 403 for a token that lacks any of the scopes. */
export function checkScope({ scope = "" }: Claims, ...needed: readonly string[]): void {
  const granted = String(scope).split(" ");
  if (needed.every((one) => granted.includes(one))) return;
  throw new ServiceError(403, `Insufficient scope, expected any of: ${needed.join(", ")}`, "insufficient_scope");
}

const unauthorized = (message: string) => new ServiceError(401, message);

/** The response of the service to an invalid token. */
function refusal(error: unknown): ServiceError {
  if (error instanceof errors.JWTExpired) return unauthorized("Expired token received for JSON Web Token validation");
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return unauthorized("Invalid signature received for JSON Web Token validation");
  }
  return unauthorized("Invalid token");
}

export function createTokens({
  store,
  keys,
  instance,
  now,
}: Pick<Tenant, "store" | "keys" | "instance" | "now">): Tokens {
  const checked = async (token: string): Promise<Claims> => {
    const { publicKey } = await keys.tenant();
    const { payload } = await jwtVerify<Claims>(token, publicKey, {
      algorithms: ["RS256"],
      currentDate: new Date(now()),
      requiredClaims: ["iss", "aud", "exp", "azp"],
    }).catch((error: unknown) => {
      throw refusal(error);
    });
    return payload;
  };

  return {
    async sign(claims) {
      const { privateKey } = await keys.tenant();
      return new SignJWT(claims).setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "tenant" }).sign(privateKey);
    },
    async verify(authorization, requestUrl) {
      if (authorization === null) throw unauthorized("Missing authentication");
      const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
      if (token === undefined) throw unauthorized("Bad HTTP authentication header format");
      const claims = await checked(token);
      const { iss, aud, azp } = claims;
      const isOwnApi = (audience: unknown) =>
        typeof audience === "string" && isOwn(audience, requestUrl) && new URL(audience).pathname === "/api/v2/";
      if (!isOwn(String(iss), requestUrl) || ![aud].flat().some(isOwnApi)) throw unauthorized("Invalid token");
      // The tenants of one process share their keys.
      if (claims.instance !== undefined && claims.instance !== instance) throw unauthorized("Invalid token");
      const client = store.of(clientKind).get(String(azp));
      if (!client) throw unauthorized("Invalid token");
      if (!client.global) throw unauthorized("Client is not global.");
      return claims;
    },
  };
}
