/** Something read once and shared by all who ask, until a write makes it old. */

export interface Snapshot<T> {
  /** One read under way, however many ask; a failed one is not kept. */
  read(): Promise<T>;
  /** The next `read` asks the service again. */
  drop(): void;
}

export function createSnapshot<T>(load: () => Promise<T>): Snapshot<T> {
  let kept: Promise<T> | undefined;
  return {
    read() {
      if (kept) return kept;
      const loading = load();
      kept = loading;
      loading.catch(() => {
        if (kept === loading) kept = undefined;
      });
      return loading;
    },
    drop() {
      kept = undefined;
    },
  };
}

/** Drops before the write, since it may take effect at any time from then on, and after it, for reads begun meanwhile. */
export async function dropping<T>(snapshot: Pick<Snapshot<unknown>, "drop">, write: () => Promise<T>): Promise<T> {
  snapshot.drop();
  try {
    return await write();
  } finally {
    snapshot.drop();
  }
}
