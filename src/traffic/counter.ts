/** Counts by name, in bounded memory. */

/** Names that are kept apart. The rest is counted together. */
const mostNames = 2_000;

export class Counter {
  /** Objects, so that a known name is looked up once. */
  readonly #counts = new Map<string, { count: number }>();
  #rest = 0;

  add(name: string, count = 1): void {
    const known = this.#counts.get(name);
    if (known) known.count += count;
    else if (this.#counts.size < mostNames) this.#counts.set(name, { count });
    else this.#rest += count;
  }

  /** The largest first. */
  top(most: number): { readonly shown: readonly (readonly [name: string, count: number])[]; readonly rest: number } {
    const counts = [...this.#counts].map(([name, { count }]) => [name, count] as const);
    const sorted = counts.toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
    const left = sorted.slice(most).reduce((sum, [, count]) => sum + count, this.#rest);
    return { shown: sorted.slice(0, most), rest: left };
  }

  get size(): number {
    return this.#counts.size;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, { count }) => sum + count, this.#rest);
  }

  get(name: string): number {
    return this.#counts.get(name)?.count ?? 0;
  }

  merge(other: Counter): void {
    for (const [name, { count }] of other.#counts) this.add(name, count);
    this.#rest += other.#rest;
  }
}

const mostUsers = 50_000;

/** Different users. More than 50,000 are "at least 50,000". */
export class Users {
  readonly #ids = new Set<string>();
  #isMore = false;

  add(id: string | undefined): void {
    if (id === undefined || this.#isMore || this.#ids.has(id)) return;
    if (this.#ids.size < mostUsers) this.#ids.add(id);
    else this.#isMore = true;
  }

  get count(): number {
    return this.#ids.size;
  }

  get isMore(): boolean {
    return this.#isMore;
  }

  get ids(): readonly string[] {
    return [...this.#ids];
  }

  merge(other: Users): void {
    for (const id of other.#ids) this.add(id);
    if (other.#isMore) this.#isMore = true;
  }
}
