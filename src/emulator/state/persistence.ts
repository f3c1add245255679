// Keeps a tenant in a file from one run to the next: its contents, its ready client, its keys.

import { openJournal, readJournal, type Identity } from "./journal";
import { generateKey, once, restoreKey, type Key, type Keys } from "../auth/key";
import type { Client, Store } from "./store";

export interface Persistence {
  /** The ready client of the run before; undefined in the first. */
  readonly ready?: Client;
  readonly keys: Keys;
  /** Writes what the tenant is, and from then on every change. */
  begin(ready: Client): void;
  close(): void;
}

/** Appended changes are folded into a new beginning when there are more of them than this, and than the tenant itself. */
const foldAt = 16 * 1024 * 1024;

/** Fills the store with what the file holds. */
export function openPersistence(file: string, store: Store): Persistence {
  const kept = readJournal(file);
  const identity: Identity = kept?.identity ?? { clientId: "", keys: {} };
  if (kept) {
    const { organizations, ...collections } = kept.tenant;
    for (const client of collections.clients) store.clients.put(client);
    for (const user of collections.users) store.users.put(user);
    for (const acl of collections.network_acls) store.networkAcls.put(acl);
    for (const policy of collections.rate_limit_policies) store.rateLimitPolicies.put(policy);
    for (const organization of organizations) store.addOrganization(organization);
    for (const change of kept.changes) store.commit(change);
  }
  const journal = openJournal(file);

  const key = (name: "tenant" | "client") =>
    once(async (): Promise<Key> => {
      const old = identity.keys[name];
      if (old) return restoreKey(old);
      const made = await generateKey();
      identity.keys[name] = { privatePem: made.privatePem, publicPem: made.publicPem };
      journal.append({ keys: { [name]: identity.keys[name] } });
      return made;
    });

  return {
    ready: store.clients.get(identity.clientId),
    keys: { tenant: key("tenant"), client: key("client") },
    begin(ready) {
      identity.clientId = ready.client_id;
      journal.begin(identity, store.snapshot());
      store.onChange((change) => {
        journal.append({ change });
        if (journal.grown > foldAt && journal.grown > journal.base) journal.begin(identity, store.snapshot());
      });
    },
    close: journal.close,
  };
}
