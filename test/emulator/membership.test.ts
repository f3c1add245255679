import fc from "../support/random";
import { createMembership, membersAfter, type Member } from "../../src/emulator/state/membership";

const compare = (a: Member, b: Member) => a.micros - b.micros || (a.user < b.user ? -1 : 1);
const memberOf = (micros: number): Member => ({ user: `auth0|${micros % 7}-${micros}`, micros });

test("keeps members in the order they joined, through any additions and removals", () => {
  const step = fc.record({ add: fc.boolean(), from: fc.nat(300), count: fc.nat(70) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.nat(300), fc.nat(50), (steps, after, count) => {
      const membership = createMembership();
      const model = new Map<string, Member>();
      for (const { add, from, count: many } of steps) {
        for (let n = 0; n < many; n++) {
          const member = memberOf(from + ((n * 7) % many));
          if (add) membership.add(member.user, member.micros);
          else membership.remove(member.user, 0);
          if (add) model.set(member.user, member);
          else model.delete(member.user);
        }
      }
      const sorted = [...model.values()].toSorted(compare);
      expect(membership.list()).toEqual(sorted);
      expect(membership.size).toBe(sorted.length);
      expect([...membership]).toEqual(sorted.map(({ user, micros }) => [user, micros]));
      const given = memberOf(after);
      const behind = sorted.filter((member) => compare(given, member) < 0 && member.user !== given.user);
      expect(membersAfter(membership.list(), count, given)).toEqual(behind.slice(0, count));
      expect(membersAfter(membership.list(), count)).toEqual(sorted.slice(0, count));
    }),
    { numRuns: 60 },
  );
});

test("lists the members as they were at any of the last thousand changes", () => {
  const membership = createMembership();
  const history: (readonly Member[])[] = [];
  for (let at = 1; at <= 1000; at++) {
    if (at % 3 === 0) membership.remove(memberOf(at / 3).user, at);
    else membership.add(memberOf(at).user, at);
    history[at] = [...membership.list()];
  }
  for (let at = 1; at <= 1000; at += 37) expect(membership.list(at)).toEqual(history[at]);
});

/** How many members are read for a page in the middle of a list. */
function readsOf(size: number): number {
  const list = Array.from({ length: size }, (_, n) => memberOf(n));
  let reads = 0;
  const counting = new Proxy(list, {
    get(target, name, receiver) {
      if (typeof name === "string" && /^\d+$/.test(name)) reads++;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  expect(membersAfter(counting, 100, list[size / 2])).toHaveLength(100);
  return reads;
}

test("reads about as many members for a page of a hundred thousand as for one of a thousand", () => {
  expect(readsOf(100_000)).toBeLessThan(readsOf(1_000) + 12);
});
