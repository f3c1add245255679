/** The public documents of the tenant: its keys and its OpenID configuration. */
import { operation, type Family } from "../http/operation";
import { listOf } from "../schema/shape";
import { signingAlgorithms } from "./assertion";
import { catalogueOf } from "./scope";

export const discovery: Family = {
  schemas: {},
  operations: [
    operation({
      method: "GET",
      path: "/.well-known/jwks.json",
      summary: "The public keys that verify access tokens",
      success: 200,
      response: { type: "object", required: ["keys"], properties: { keys: listOf({ type: "object" }) } },
      async handle({ tenant }) {
        const { publicKey } = await tenant.keys.tenant();
        return { keys: [{ ...publicKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "tenant" }] };
      },
    }),
    operation({
      method: "GET",
      path: "/.well-known/openid-configuration",
      summary: "The endpoints of the tenant",
      success: 200,
      response: { type: "object", required: ["issuer", "token_endpoint", "jwks_uri"] },
      handle({ tenant, request }) {
        const { origin } = new URL(request.url);
        return {
          issuer: `${origin}/`,
          token_endpoint: `${origin}/oauth/token`,
          jwks_uri: `${origin}/.well-known/jwks.json`,
          grant_types_supported: ["client_credentials"],
          response_types_supported: ["token"],
          subject_types_supported: ["public"],
          scopes_supported: catalogueOf(tenant.flags),
          token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "private_key_jwt"],
          token_endpoint_auth_signing_alg_values_supported: signingAlgorithms,
          id_token_signing_alg_values_supported: ["RS256"],
        };
      },
    }),
  ],
};
