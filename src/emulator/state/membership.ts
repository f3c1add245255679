/** The members of one organization in the order they joined, with the recent past for lists that lag behind. */
export interface Member {
  readonly user: string;
  /** When the user joined, in microseconds since 1970. */
  readonly micros: number;
}

export interface Membership {
  readonly size: number;
  has(user: string): boolean;
  add(user: string, micros: number): void;
  /** `at` is the moment of the removal, in microseconds. */
  remove(user: string, at: number): void;
  /** The members now, or at an earlier moment; the tenant remembers the last thousand that left. */
  list(asOf?: number): readonly Member[];
  [Symbol.iterator](): Iterator<[user: string, micros: number]>;
}

const remembered = 1000;

const compare = (a: Member, b: Member) => a.micros - b.micros || (a.user < b.user ? -1 : a.user > b.user ? 1 : 0);

/** The members after a given one, which may be absent, or from the beginning. */
export function membersAfter(list: readonly Member[], count: number, after?: Member): readonly Member[] {
  const rest = after === undefined ? list : list.slice(list.findLastIndex((member) => compare(member, after) <= 0) + 1);
  return rest.slice(0, count);
}

export function createMembership(): Membership {
  const joined = new Map<string, Member>();
  const left: { readonly member: Member; readonly at: number }[] = [];
  let sorted: readonly Member[] | undefined;
  const now = () => (sorted ??= [...joined.values()].toSorted(compare));
  return {
    get size() {
      return joined.size;
    },
    has: (user) => joined.has(user),
    add(user, micros) {
      if (joined.has(user)) return;
      joined.set(user, { user, micros });
      sorted = undefined;
    },
    remove(user, at) {
      const member = joined.get(user);
      if (member === undefined) return;
      joined.delete(user);
      sorted = undefined;
      left.push({ member, at });
      if (left.length > remembered) left.shift();
    },
    list(asOf = Infinity) {
      const wereThere = left.filter(({ at }) => at > asOf).map(({ member }) => member);
      const isSame = wereThere.length === 0 && (now().at(-1)?.micros ?? 0) <= asOf;
      if (isSame) return now();
      return [...now(), ...wereThere].filter(({ micros }) => micros <= asOf).toSorted(compare);
    },
    *[Symbol.iterator]() {
      for (const { user, micros } of now()) yield [user, micros];
    },
  };
}
