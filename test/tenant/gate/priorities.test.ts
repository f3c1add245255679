/** ACLs that change priorities at the same time: all reach them in the fewest writes, or say why not. */
import { SteppedAside } from "../../../src/tenant/conflict";
import { createPriorities } from "../../../src/tenant/gate/priorities";
import fc from "../../support/random";
import { circles, names, open, permutations, permuted, run, type Change } from "../support/rearranging";
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

test("does not give up moves that wait for each other while the service is slow", async () => {
  const rotation = names(10).map((_, index) => (index + 1) % 10);
  const { start, changes, wanted } = permuted(rotation);
  const { errors, standings } = await run({ start, changes: changes.toReversed(), parallel: 10, latency: () => 8_000 });
  expect(errors).toEqual([]);
  expect(standings).toEqual(wanted);
});

/* Calls that end before their ACL has its priority, because Terraform begins the change of the holder later. */

/** ACLs at 1..n. Some move, some are deleted, and new ones get any priority that is free at the end. */
const plans = fc.integer({ min: 1, max: 10 }).chain((count) =>
  fc
    .record({
      places: fc.shuffledSubarray([...Array(11).keys()], { minLength: 11 }),
      isDeleted: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
      created: fc.integer({ min: 0, max: 11 - count }),
      random: fc.infiniteStream(fc.nat(3_000)),
    })
    .chain(({ places, isDeleted, created, random }) => {
      const moved = names(count).map((id, index): Change => {
        const change: Change = { id, from: index + 1, to: places[index]! + 1 };
        if (isDeleted[index]) delete change.to;
        return change;
      });
      const made: Change[] = Array.from({ length: created }, (_, index) => ({
        id: `new_${index}`,
        to: places[count + index]! + 1,
      }));
      const all = [...moved, ...made].filter(({ from, to }) => from !== to);
      return fc.record({
        start: fc.constant(Object.fromEntries(names(count).map((id, index) => [id, index + 1]))),
        changes: fc.shuffledSubarray(all, { minLength: all.length }),
        wanted: fc.constant(
          Object.fromEntries([...moved, ...made].flatMap(({ id, to }) => (to === undefined ? [] : [[id, to]]))),
        ),
        parallel: fc.constantFrom(1, 2, 3, 10),
        random: fc.constant(random),
        isBusy: fc.boolean(),
      });
    }),
);

test("each plan succeeds in one apply, in any order of the calls, at any -parallelism, on a busy machine too", async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ start, changes, wanted, parallel, random, isBusy }) => {
      const next = () => random.next().value as number;
      // A plan whose first call creates an ACL does not show yet that this state has others.
      changes.sort((one, other) => Number(one.from === undefined) - Number(other.from === undefined));
      const busy = isBusy ? { startsAfter: next, latency: next } : {};
      const { errors, standings } = await run({ start, changes, parallel, early: true, ...busy });
      expect(errors).toEqual([]);
      expect(standings).toEqual(wanted);
    }),
    { numRuns: 150 },
  );
});

const reversed = Array.from({ length: 10 }, (_, index) => 9 - index);

test.each([1, 2, 10])("reverses ten ACLs at -parallelism=%d", async (parallel) => {
  const { start, changes, wanted } = permuted(reversed);
  const { errors, standings, writes } = await run({ start, changes, parallel, early: true });
  expect(errors).toEqual([]);
  expect(standings).toEqual(wanted);
  expect(writes.length).toBeLessThanOrEqual(15);
});

test("says for which ACL a call ended early, and moves it in the call of the holder", async () => {
  const { start, changes, wanted } = permuted([1, 0]);
  const { errors, standings, writes, told } = await run({ start, changes, parallel: 1, early: true });
  expect({ errors, standings, writes }).toEqual({
    errors: [],
    standings: wanted,
    writes: ["put acl_0 3", "put acl_1 1", "put acl_0 2"],
  });
  expect(told.filter((line) => line.startsWith("early"))).toEqual(["early acl_0 3 2 acl_1"]);
});

test("reports in the call of the holder that the other ACL could not move", async () => {
  const { start, changes } = permuted([1, 0]);
  const isRefused = (write: number) => write === 2;
  const { errors, standings, told } = await run({ start, changes, parallel: 1, early: true, isRefused });
  expect(errors).toMatchObject([{ code: "invalid_body" }]);
  expect(standings).toEqual({ acl_0: 3, acl_1: 1 });
  expect(told.at(-1)).toBe("unfinished acl_0 3 2");
});

/* Priorities that stay taken, and other failures. */

test("ends correctly in the next run after any refusal", async () => {
  await fc.assert(
    fc.asyncProperty(
      permutations(6).chain((permutation) => {
        const order = fc.shuffledSubarray([...permutation.keys()], { minLength: permutation.length });
        return fc.record({
          permutation: fc.constant(permutation),
          orders: fc.tuple(order, order),
          parallel: fc.constantFrom(1, 2, 3, 10),
          refusals: fc.array(fc.boolean(), { maxLength: 9 }),
        });
      }),
      async ({ permutation, orders, parallel, refusals }) => {
        const { start, changes, wanted } = permuted(permutation);
        const [one, two] = orders.map((order) =>
          order.flatMap((at) => changes.filter(({ id }) => id === `acl_${at}`)),
        ) as [Change[], Change[]];
        const first = await run({
          start,
          changes: one,
          parallel,
          early: true,
          isRefused: (write) => refusals[write] ?? false,
        });
        const again = two.filter(({ id }) => first.standings[id] !== wanted[id]);
        const second = await run({ start: first.standings, changes: again, parallel, early: true });
        expect(second.standings).toEqual(wanted);
        expect(second.errors).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

test("names the new priority of an ACL that stepped aside and was then refused", async () => {
  const { start, changes } = permuted([1, 0]);
  const { errors, standings } = await run({ start, changes, parallel: 10, isRefused: (write) => write === 2 });
  const [error] = errors as SteppedAside[];
  expect(error).toBeInstanceOf(SteppedAside);
  expect(error).toMatchObject({ currentAcl: { id: "acl_0", priority: 3 }, cause: { code: "invalid_body" } });
  expect(standings).toEqual({ acl_0: 3, acl_1: 1 });
});

test.each<[how: string, old: Change, standings: Record<string, number>, writes: string[]]>([
  ["a delete", { id: "old", from: 5 }, { new: 5 }, ["post new 5", "post new 5"]],
  ["a move", { id: "old", from: 5, to: 6 }, { old: 6, new: 5 }, ["put old 6", "post new 5"]],
])("creates an ACL after its priority is freed by %s", async (_how, old, standings, writes) => {
  // The create comes first if a deletion frees the priority.
  const create = { id: "new", to: 5 };
  const changes = old.to === undefined ? [create, old] : [old, create];
  const ended = await run({ start: { old: 5 }, changes, parallel: 10 });
  expect(ended).toMatchObject({ errors: [], standings, writes, reads: 1 });
});

test("reports an identical ACL at once, but waits for an identical ACL that is about to be deleted", async () => {
  const { service, clock, priorities, create } = open({ old: 5 });
  await expect(create("new", 5, () => true)).rejects.toMatchObject({ existing: { id: "old" }, identical: true });
  const creating = priorities.create(
    { description: "new", priority: 5 },
    () => service.post("new", 5),
    () => true,
  );
  const going = priorities.remove("old", { priority: 5 }, () => service.remove("old"));
  await clock.run(Promise.all([creating, going]));
  expect(service.standings()).toEqual({ new: 5 });
});

test("reports at once that a priority is not freed after all", async () => {
  const { service, clock, priorities } = open({ moving: 5, going: 6 });
  const before = clock.now();
  const refused = () => clock.sleep(100).then(() => Promise.reject(new Error("refused")));
  const outcomes = await clock.run(
    Promise.allSettled([
      priorities.move("moving", { description: "moving", priority: 9 }, { priority: 5 }, refused),
      priorities.remove("going", { priority: 6 }, refused),
      priorities.move("y", { description: "y", priority: 5 }, { priority: 8 }, (priority) =>
        service.put("y", priority),
      ),
      priorities.move("x", { description: "x", priority: 6 }, { priority: 7 }, (priority) =>
        service.put("x", priority),
      ),
    ]),
  );
  expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.existing?.id)).toEqual([
    undefined,
    undefined,
    "moving",
    "going",
  ]);
  expect(clock.now() - before).toBeLessThan(800);
});

test("stops trying if the list never shows the holder", async () => {
  const { service, create } = open({ hidden: 5 }, async (real) => (await real()).filter(({ id }) => id !== "hidden"));
  await expect(create("new", 5)).rejects.toMatchObject({ code: "conflict" });
  expect(service.writes.length).toBeLessThanOrEqual(4);
});

test("ends waiting calls at once when everything stops", async () => {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, { a: 1, b: 2 }, () => 10);
  const stopping = new AbortController();
  const priorities = createPriorities({ list: service.list, clock, signal: stopping.signal, log: () => {} });
  const moving = priorities.move("a", { description: "a", priority: 2 }, { priority: 1 }, (priority) =>
    service.put("a", priority),
  );
  const stop = clock.sleep(500).then(() => stopping.abort(new Error("stop")));
  await expect(clock.run(Promise.all([moving, stop]))).rejects.toThrow("stop");
});
