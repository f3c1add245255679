/** The members of one organization, in the order they joined, with the recent past for reads that lag behind. */
import { createOrderedIndex, type OrderedIndex } from "./ordered-index";

export interface Member {
  user: string;
  /** When it joined, in microseconds since 1970. */
  micros: number;
}

export interface Membership {
  readonly size: number;
  has(user: string): boolean;
  add(user: string, micros: number): void;
  /** `at` is the moment of the removal, in microseconds. */
  remove(user: string, at: number): void;
  /** The members as they were at a moment; only the last thousand changes can be undone. */
  asOf(micros: number): OrderedIndex<Member>;
  readonly index: OrderedIndex<Member>;
  [Symbol.iterator](): Iterator<[user: string, micros: number]>;
}

const remembered = 1000;

const byMoment = (a: Member, b: Member) => a.micros - b.micros || (a.user < b.user ? -1 : a.user > b.user ? 1 : 0);

export function createMembership(): Membership {
  const index = createOrderedIndex(byMoment);
  const joined = new Map<string, number>();
  const past: { at: number; member: Member; removed: boolean }[] = [];

  const remember = (at: number, member: Member, removed: boolean) => {
    past.push({ at, member, removed });
    if (past.length > 2 * remembered) past.splice(0, remembered);
  };

  return {
    get size() {
      return index.size;
    },
    index,
    has: (user) => joined.has(user),
    add(user, micros) {
      if (joined.has(user)) return;
      joined.set(user, micros);
      index.add({ user, micros });
      remember(micros, { user, micros }, false);
    },
    remove(user, at) {
      const micros = joined.get(user);
      if (micros === undefined) return;
      joined.delete(user);
      index.remove({ user, micros });
      remember(at, { user, micros }, true);
    },
    asOf(micros) {
      const then = createOrderedIndex(byMoment);
      for (const member of index) then.add(member);
      for (const { at, member, removed } of past.toReversed()) {
        if (at <= micros) break;
        if (removed) then.add(member);
        else then.remove(member);
      }
      return then;
    },
    *[Symbol.iterator]() {
      for (const { user, micros } of index) yield [user, micros];
    },
  };
}
