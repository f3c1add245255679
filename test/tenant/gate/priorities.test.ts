/** ACLs that change priorities: all reach them in the fewest writes. */
import fc from "../../support/random";
import { createPriorities } from "../../../src/tenant/gate/priorities";
import { PriorityTaken } from "../../../src/tenant/conflict";
import { run, names, permuted, circles, permutations, type Change } from "../support/rearranging";
import { simulateAcls } from "../support/simulated-acls";
import { createVirtualClock } from "../support/virtual-clock";

test("swaps two priorities in three writes", async () => {
  const { start, changes, wanted } = permuted([1, 0]);
  const { errors, standings, writes, told } = await run({ start, changes, parallel: 10 });
  expect(errors).toEqual([]);
  expect(standings).toEqual(wanted);
  expect(writes).toHaveLength(3);
  expect(told).toEqual(['info Moving "list acl_0" to priority 3 until 2 is free']);
});

test("tries the next free priority for stepping aside if another process is faster", async () => {
  const { start, changes, wanted } = permuted([1, 0]);
  const { errors, standings, told } = await run({ start, changes, parallel: 10, flitting: [3, 4] });
  expect(errors).toEqual([]);
  expect(standings).toEqual(wanted);
  expect(told.map((line) => /to priority (\d+) until/.exec(line)?.[1])).toEqual(["3", "4", "5"]);
});

test("rarely takes a priority that another process freed for a moment, when several processes swap two ACLs each", async () => {
  let state = 7919;
  const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  let failed = 0;
  for (let round = 0; round < 12; round++) {
    const clock = createVirtualClock();
    const { start, changes } = permuted([1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]);
    const service = simulateAcls(clock, start, () => 1_000 * random());
    const swap = async (pair: Change[]) => {
      const { signal } = new AbortController();
      const priorities = createPriorities({ list: () => service.list(), clock, signal, log: () => {} });
      await clock.sleep(1_000 * random());
      const moves = pair.map(({ id, from, to }) =>
        priorities.move(id, { description: id, priority: to! }, from, (priority) => service.put(id, priority)),
      );
      if ((await Promise.allSettled(moves)).some(({ status }) => status === "rejected")) failed++;
    };
    const pairs = Array.from({ length: 8 }, (_, index) => changes.slice(2 * index, 2 * index + 2));
    await clock.run(Promise.all(pairs.map(swap)));
  }
  expect(failed / (12 * 8)).toBeLessThan(0.1);
});

test("lets an ACL that comes late step aside as well", async () => {
  const { start, changes, wanted } = permuted([1, 2, 0]);
  const { standings } = await run({ start, changes, parallel: 1, flitting: [4] });
  expect(standings).toEqual(wanted);
});

test("moves an ACL to a free priority with one read and one write", async () => {
  const { writes, seconds, standings } = await run({
    start: { a: 1, b: 2 },
    changes: [{ id: "a", from: 1, to: 7 }],
    parallel: 10,
  });
  expect(standings).toEqual({ a: 7, b: 2 });
  expect(writes).toEqual(["put a 7"]);
  expect(seconds).toBe(0.201);
});

test("does not wait if an ACL keeps its priority", async () => {
  const { writes, seconds } = await run({ start: { a: 1 }, changes: [{ id: "a", from: 1, to: 1 }], parallel: 10 });
  expect(writes).toEqual(["put a 1"]);
  expect(seconds).toBe(0.101);
});

test("rearranges up to ten ACLs in n writes and one for each cycle, in any order of arrival", async () => {
  await fc.assert(
    fc.asyncProperty(
      permutations(10).chain((permutation) =>
        fc.record({
          permutation: fc.constant(permutation),
          order: fc.shuffledSubarray([...permutation.keys()], { minLength: permutation.length }),
          latency: fc.func(fc.integer({ min: 1, max: 400 })),
        }),
      ),
      async ({ permutation, order, latency }) => {
        const { start, changes, wanted } = permuted(permutation);
        const arriving = order.flatMap((at) => changes.filter(({ id }) => id === `acl_${at}`));
        let draws = 0;
        const ended = await run({ start, changes: arriving, parallel: 10, latency: () => latency(draws++) });
        expect(ended.errors).toEqual([]);
        expect(ended.standings).toEqual(wanted);
        expect(ended.writes.length).toBeLessThanOrEqual(changes.length + circles(permutation));
      },
    ),
    { numRuns: 200 },
  );
});

test("rearranges more ACLs than change at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...Array(24).keys()], { minLength: 24 }),
      fc.shuffledSubarray([...Array(24).keys()], { minLength: 24 }),
      async (permutation, order) => {
        const { start, changes, wanted } = permuted(permutation);
        const arriving = order.flatMap((at) => changes.filter(({ id }) => id === `acl_${at}`));
        const { errors, standings } = await run({ start, changes: arriving, parallel: 10 });
        expect(standings).toEqual(wanted);
        expect(errors.every((error) => error instanceof PriorityTaken)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  { count: 19, detours: 1 },
  // With ten at a time, the ACL that needs the first free priority cannot begin before a second one stepped aside.
  { count: 20, detours: 2 },
])("takes $detours writes more than ACLs for a cycle of $count, ten at a time", async ({ count, detours }) => {
  const rotation = names(count).map((_, index) => (index + 1) % count);
  const { start, changes, wanted } = permuted(rotation);
  for (const arriving of [changes, changes.toReversed()]) {
    const { errors, standings, writes } = await run({ start, changes: arriving, parallel: 10 });
    expect(errors).toEqual([]);
    expect(standings).toEqual(wanted);
    expect(writes.length).toBeLessThanOrEqual(count + detours);
  }
});

test("does not give up moves that wait for each other while the service is slow", async () => {
  const rotation = names(19).map((_, index) => (index + 1) % 19);
  const { start, changes, wanted } = permuted(rotation);
  const { errors, standings } = await run({ start, changes: changes.toReversed(), parallel: 10, latency: () => 8_000 });
  expect(errors).toEqual([]);
  expect(standings).toEqual(wanted);
});

test("waits with a create if its priority is freed later in the same run", async () => {
  const moves = names(8).map((id, index) => ({ id, from: index + 1, to: index + 51 }));
  const start = Object.fromEntries(moves.map(({ id, from }) => [id, from]));
  const { errors, standings } = await run({ start, changes: [{ id: "new", to: 8 }, ...moves], parallel: 3 });
  expect(errors).toEqual([]);
  expect(standings).toMatchObject({ new: 8, acl_7: 58 });
});

test("steps aside for another ACL only once, even if its own priority stays taken", async () => {
  const { errors, standings, writes } = await run({
    start: { a: 1, foreign: 2, c: 5 },
    changes: [
      { id: "a", from: 1, to: 2 },
      { id: "c", from: 5, to: 1 },
    ],
    parallel: 10,
  });
  expect(errors).toMatchObject([{ existing: { id: "foreign" }, currentAcl: { id: "a", priority: 3 } }]);
  expect(standings).toEqual({ a: 3, foreign: 2, c: 1 });
  expect(writes).toEqual(["put a 3", "put c 1"]);
});
