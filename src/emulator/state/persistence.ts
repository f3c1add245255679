/** Keeps a tenant in a file from one run to the next: its contents, its ready client and its keys. */
import { clientKind, type Client } from "../auth/client";
import { generateKey, once, pemOf, restoreKey, type Keys } from "../auth/key";
import { openJournal, type Journal } from "./journal";
import { damaged, type Identity } from "./journal-lines";
import type { Store } from "./store";

export interface Persistence {
  /** The ready client of the last run; undefined in the first run. */
  readonly ready?: Client;
  readonly keys: Keys;
  /** Writes the whole tenant, and every change from then on. */
  begin(ready: Client): void;
  close(): void;
}

/** Applies the lines of the file to the store, and returns the identity in them. */
function restore(store: Store, file: string, { lines }: Journal): Identity {
  let identity: Identity = { clientId: "", keys: {} };
  for (const [index, line] of lines.entries()) {
    try {
      if ("change" in line) store.commit(line.change);
      else if ("keys" in line) identity = { ...identity, keys: { ...identity.keys, ...line.keys } };
      else {
        identity = line.identity;
        store.replace(line.tenant);
      }
    } catch (error) {
      throw damaged(file, index + 1, error);
    }
  }
  return identity;
}

/** Fills the store with the contents of the file; `warn` gets a sentence about a part that cannot be used. */
export function openPersistence(file: string, store: Store, warn: (message: string) => void): Persistence {
  const journal = openJournal(file);
  /** Closes the journal when the work fails, so that another process can use the file. */
  const orClose = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      journal.close();
      throw error;
    }
  };
  let identity = orClose(() => restore(store, file, journal));
  if (journal.dropped !== undefined) warn(journal.dropped);

  const key = (name: "tenant" | "client") =>
    once(async () => {
      const known = identity.keys[name];
      if (known) return restoreKey(known.privatePem);
      const made = await generateKey();
      const keys = { [name]: { privatePem: pemOf(made.privateKey) } };
      journal.append({ keys });
      identity = { ...identity, keys: { ...identity.keys, ...keys } };
      return made;
    });

  return {
    ready: store.of(clientKind).get(identity.clientId),
    keys: { tenant: key("tenant"), client: key("client") },
    begin(ready) {
      identity = { ...identity, clientId: ready.client_id };
      orClose(() => journal.begin(identity, store.contents()));
      store.onCommit((change) => journal.append({ change }));
      store.onChange(() => {
        if (!journal.isLong) return;
        try {
          journal.begin(identity, store.contents());
        } catch {
          // The change itself is kept; there is only no room for a second file.
        }
      });
    },
    close: journal.close,
  };
}
