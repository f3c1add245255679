// The public documents of the tenant that clients read before they ask for anything: keys and discovery.

import type { Hono } from "hono";
import { json } from "../http/answer";
import type { Environment } from "../http/context";
import type { Keys } from "./key";
import { catalogue } from "./scope";

export function addDiscovery(app: Hono<Environment>, keys: Keys): void {
  app.get("/.well-known/jwks.json", async () => {
    const { jwk } = await keys.tenant();
    return json(200, { keys: [{ ...jwk, use: "sig", alg: "RS256", kid: "tenant" }] });
  });

  app.get("/.well-known/openid-configuration", (c) => {
    const { origin } = new URL(c.req.url);
    return json(200, {
      issuer: `${origin}/`,
      token_endpoint: `${origin}/oauth/token`,
      jwks_uri: `${origin}/.well-known/jwks.json`,
      grant_types_supported: ["client_credentials"],
      response_types_supported: ["token"],
      subject_types_supported: ["public"],
      scopes_supported: catalogue,
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "private_key_jwt"],
      token_endpoint_auth_signing_alg_values_supported: ["RS256", "RS384", "PS256"],
      id_token_signing_alg_values_supported: ["RS256"],
    });
  });
}
