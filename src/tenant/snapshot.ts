/** Shares the result of one request until a write. */

export interface Snapshot<T> {
  /** Concurrent calls share one request. A failed request is not kept. */
  read(): Promise<T>;
  /** Makes the next `read` send a request. */
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

/** Drops before the write, which may take effect at any time, and after it, because of reads that began meanwhile. */
export async function dropping<T>(snapshot: Pick<Snapshot<unknown>, "drop">, write: () => Promise<T>): Promise<T> {
  snapshot.drop();
  try {
    return await write();
  } finally {
    snapshot.drop();
  }
}
