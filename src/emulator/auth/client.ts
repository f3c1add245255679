/** The applications that may ask for tokens. */
import { clientId, clientSecret } from "../state/identity";
import type { Kind } from "../state/kind";

export interface Client {
  readonly client_id: string;
  readonly client_secret: string;
  readonly name: string;
  /** A client that is not global gets tokens, and is then refused by the management API with 401. */
  readonly global: boolean;
  /** Scopes it may be granted; absent: the whole catalogue. */
  readonly scopes?: readonly string[];
  /** PEM of the public key its private_key_jwt assertions are checked with. */
  readonly public_key?: string;
}

export const clientKind: Kind<"clients", Client> = {
  name: "clients",
  idOf: ({ client_id }) => client_id,
  seed: {
    type: "object",
    additionalProperties: false,
    properties: {
      client_id: { type: "string", minLength: 1 },
      client_secret: { type: "string", minLength: 1, writeOnly: true },
      name: { type: "string" },
      global: { type: "boolean" },
      scopes: { type: "array", items: { type: "string" } },
      public_key: { type: "string" },
    },
  },
  complete: (given, { random }) => ({
    client_id: clientId(random),
    client_secret: clientSecret(random),
    name: "Seeded client",
    global: true,
    ...given,
  }),
  secrets: ["client_secret"],
};
