/** Keeps a tenant in a file from one run to the next: its contents, its ready client, its keys. */
import { clientKind, type Client } from "../auth/client";
import { generateKey, once, restoreKey, type Key, type Keys } from "../auth/key";
import { damaged, openJournal, type Identity, type Journal } from "./journal";
import type { Store } from "./store";

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

/** Applies what the file holds, line by line. */
function fill(store: Store, file: string, { kept }: Journal): void {
  let line = 1;
  try {
    if (kept) store.replace(kept.tenant);
    for (const [number, change] of kept?.changes ?? []) {
      line = number;
      store.commit(change);
    }
  } catch (error) {
    throw damaged(file, line, error);
  }
}

/** Closes the journal where the work fails, so that the file is free again. */
function orClosed(journal: Journal, work: () => void): void {
  try {
    work();
  } catch (error) {
    journal.close();
    throw error;
  }
}

/** Fills the store with what the file holds; `warn` gets a sentence for each part that could not be used. */
export function openPersistence(file: string, store: Store, warn: (message: string) => void): Persistence {
  const journal = openJournal(file);
  const { kept } = journal;
  let identity: Identity = kept?.identity ?? { clientId: "", keys: {} };
  orClosed(journal, () => fill(store, file, journal));
  if (kept?.dropped !== undefined) warn(kept.dropped);

  const key = (name: "tenant" | "client") =>
    once(async (): Promise<Key> => {
      const old = identity.keys[name];
      if (old) return restoreKey(old);
      const made = await generateKey();
      const pems = { privatePem: made.privatePem, publicPem: made.publicPem };
      journal.append({ keys: { [name]: pems } });
      identity = { ...identity, keys: { ...identity.keys, [name]: pems } };
      return made;
    });

  return {
    ready: store.of(clientKind).get(identity.clientId),
    keys: { tenant: key("tenant"), client: key("client") },
    begin(ready) {
      identity = { ...identity, clientId: ready.client_id };
      orClosed(journal, () => journal.begin(identity, store.contents()));
      store.onCommit((change) => journal.append({ change }));
      let limit = foldAt;
      store.onChange(() => {
        if (journal.grown <= limit || journal.grown <= journal.base) return;
        try {
          journal.begin(identity, store.contents());
          limit = foldAt;
        } catch {
          // The change itself is kept: there is only no room to write all of it anew.
          limit = 2 * journal.grown;
        }
      });
    },
    close: journal.close,
  };
}
