/** The applications that can get tokens. */
import { boolean, listOf, optional, text } from "../schema";
import { clientId, clientSecret } from "../state/identity";
import type { Kind } from "../state/store";

export interface Client {
  readonly client_id: string;
  readonly client_secret: string;
  readonly name: string;
  /** A client that is not global gets tokens, but the management API refuses them with 401. */
  readonly global: boolean;
  /** The scopes that it can get; all by default. */
  readonly scopes?: readonly string[];
  /** PEM of the public key that verifies its private_key_jwt assertions. */
  readonly public_key?: string;
}

export const clientKind: Kind<"clients", Client> = {
  name: "clients",
  idOf: ({ client_id }) => client_id,
  seed: optional({
    client_id: { type: "string", minLength: 1 },
    client_secret: { type: "string", minLength: 1, writeOnly: true },
    name: text,
    global: boolean,
    scopes: listOf(text),
    public_key: text,
  }),
  complete: (given, { random }) => ({
    client_id: clientId(random),
    client_secret: clientSecret(random),
    name: "Seeded client",
    global: true,
    ...given,
  }),
};
