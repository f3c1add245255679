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
  /** The members now, or at an earlier moment; only the last thousand changes can be undone. */
  list(asOf?: number): readonly Member[];
  [Symbol.iterator](): Iterator<[user: string, micros: number]>;
}

interface PastChange {
  readonly at: number;
  readonly member: Member;
  readonly removed: boolean;
}

const remembered = 1000;

const compare = (a: Member, b: Member) => a.micros - b.micros || (a.user < b.user ? -1 : a.user > b.user ? 1 : 0);

/** The first position in a sorted list whose member does not come before the given one, which may be absent. */
function positionOf(list: readonly Member[], member: Member): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(list[middle]!, member) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The members after a given one, or from the beginning. */
export function membersAfter(list: readonly Member[], count: number, after?: Member): readonly Member[] {
  if (after === undefined) return list.slice(0, count);
  const position = positionOf(list, after);
  const start = list[position] && compare(list[position], after) === 0 ? position + 1 : position;
  return list.slice(start, start + count);
}

export function createMembership(): Membership {
  const sorted: Member[] = [];
  const joined = new Map<string, Member>();
  const past: PastChange[] = [];

  const insert = (list: Member[], member: Member) => void list.splice(positionOf(list, member), 0, member);
  const cut = (list: Member[], member: Member) => void list.splice(positionOf(list, member), 1);
  const remember = (change: PastChange) => {
    past.push(change);
    if (past.length > 2 * remembered) past.splice(0, remembered);
  };

  return {
    get size() {
      return sorted.length;
    },
    has: (user) => joined.has(user),
    add(user, micros) {
      if (joined.has(user)) return;
      const member = { user, micros };
      joined.set(user, member);
      insert(sorted, member);
      remember({ at: micros, member, removed: false });
    },
    remove(user, at) {
      const member = joined.get(user);
      if (member === undefined) return;
      joined.delete(user);
      cut(sorted, member);
      remember({ at, member, removed: true });
    },
    list(asOf = Infinity) {
      const later = past.toReversed().filter(({ at }) => at > asOf);
      if (later.length === 0) return sorted;
      const then = [...sorted];
      for (const { member, removed } of later) (removed ? insert : cut)(then, member);
      return then;
    },
    *[Symbol.iterator]() {
      for (const { user, micros } of sorted) yield [user, micros];
    },
  };
}
