import fc from "fast-check";
import { TenantError } from "../../src/tenant/error";
import { createPriorities } from "../../src/tenant/priorities";
import { PriorityTaken, SteppedAside } from "../../src/tenant/priority-taken";
import { simulateAcls } from "./support/simulated-acls";
import type { NetworkAcl } from "../../src/tenant/network-acl";
import { createVirtualClock } from "./support/virtual-clock";

interface Change {
  id: string;
  /** Absent for a create. */
  from?: number;
  /** Absent for a delete. */
  to?: number;
}

interface Run {
  /** Where lists stand before. */
  start: Record<string, number>;
  /** In the order Terraform comes to them. */
  changes: Change[];
  parallel: number;
  latency?: () => number;
  /** Of a write, by its number from 0: the service does not take what it says. */
  isRefused?: (write: number) => boolean;
  /** Places at which somebody else stands whenever a write arrives, and never when the list is read. */
  flitting?: number[];
}

/** Carries the changes out as Terraform would: so many at a time, the next one when one is done. */
async function run({ start, changes, parallel, latency = () => 50, isRefused = () => false, flitting = [] }: Run) {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, start, latency);
  const { signal } = new AbortController();
  let reads = 0;
  const list = () => (reads++, service.list());
  const told: string[] = [];
  const log = (level: string, message: string) => told.push(`${level} ${message}`);
  const priorities = createPriorities({ list, clock, signal, log });
  const begun = clock.now();
  const errors: unknown[] = [];
  const done = new Set<string>();
  const left = [...changes];
  let writes = 0;
  const put = async (id: string, priority: number) => {
    if (isRefused(writes++)) throw new TenantError("invalid_body", "Refused.");
    if (flitting.includes(priority)) throw new TenantError("conflict", "Taken.");
    return service.put(id, priority);
  };
  const carryOut = ({ id, from, to }: Change): Promise<unknown> => {
    if (to === undefined) return priorities.leave(id, from, () => service.remove(id));
    const wanted = { description: `list ${id}`, priority: to };
    if (from === undefined) return priorities.create(wanted, () => service.post(id, to));
    return priorities.move(id, wanted, from, (priority) => put(id, priority));
  };
  const slot = async () => {
    for (let change = left.shift(); change; change = left.shift()) {
      await clock.sleep(1);
      const { id } = change;
      await carryOut(change).then(
        () => done.add(id),
        (error: unknown) => errors.push(error),
      );
    }
  };
  await clock.run(Promise.all(Array.from({ length: parallel }, slot)));
  const seconds = (clock.now() - begun) / 1000;
  return { errors, done, standings: service.standings(), writes: service.writes, reads, told, seconds };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `acl_${index}`);

/** Lists at 1..n; each of them goes to where the permutation says. */
function permuted(permutation: number[]): Pick<Run, "start" | "changes"> & { wanted: Record<string, number> } {
  const ids = names(permutation.length);
  const start = Object.fromEntries(ids.map((id, index) => [id, index + 1]));
  const wanted = Object.fromEntries(ids.map((id, index) => [id, permutation[index]! + 1]));
  const changes = ids.map((id) => ({ id, from: start[id], to: wanted[id] })).filter(({ from, to }) => from !== to);
  return { start, wanted, changes };
}

function circles(permutation: number[]): number {
  const seen = new Set<number>();
  let count = 0;
  for (let at = 0; at < permutation.length; at++) {
    if (seen.has(at) || permutation[at] === at) continue;
    count++;
    for (let on = at; !seen.has(on); on = permutation[on]!) seen.add(on);
  }
  return count;
}

const permutations = (most: number) =>
  fc
    .integer({ min: 2, max: most })
    .chain((count) => fc.shuffledSubarray([...Array(count).keys()], { minLength: count }));

test("two lists swap their priorities in three writes", async () => {
  const { start, changes, wanted } = permuted([1, 0]);
  const { errors, standings, writes, told } = await run({ start, changes, parallel: 10 });
  expect(errors).toEqual([]);
  expect(standings).toEqual(wanted);
  expect(writes).toHaveLength(3);
  expect(told).toEqual(['info Moving "list acl_0" to priority 3 until 2 is free']);
});

test("a place aside to which other processes are faster is given up for the next", async () => {
  const { start, changes, wanted } = permuted([1, 0]);
  const { errors, standings, told } = await run({ start, changes, parallel: 10, flitting: [3, 4] });
  expect(errors).toEqual([]);
  expect(standings).toEqual(wanted);
  expect(told.map((line) => /to priority (\d+) until/.exec(line)?.[1])).toEqual(["3", "4", "5"]);
});

test("processes that swap two lists each at a time hardly ever take places that others have left for a moment", async () => {
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

test("one that comes late moves aside likewise", async () => {
  const { start, changes, wanted } = permuted([1, 2, 0]);
  const { standings } = await run({ start, changes, parallel: 1, flitting: [4] });
  expect(standings).toEqual(wanted);
});

test("a list moves to a free place in one write and hardly any time", async () => {
  const { writes, seconds, standings } = await run({
    start: { a: 1, b: 2 },
    changes: [{ id: "a", from: 1, to: 7 }],
    parallel: 10,
  });
  expect(standings).toEqual({ a: 7, b: 2 });
  expect(writes).toEqual(["put a 7"]);
  expect(seconds).toBeLessThan(0.15);
});

test("a list that changes where it stands waits for nothing", async () => {
  const { writes, seconds } = await run({ start: { a: 1 }, changes: [{ id: "a", from: 1, to: 1 }], parallel: 10 });
  expect(writes).toEqual(["put a 1"]);
  expect(seconds).toBe(0.101);
});

test("any rearrangement of up to ten lists ends right, in n writes and one for each circle, in any order of arrival", async () => {
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

test("rearrangements of more lists than change at once end right too", async () => {
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
  // With ten at a time, the one that wants the first free place cannot even begin before a second one has made way.
  { count: 20, detours: 2 },
])("a circle of $count, ten at a time, takes $detours writes more than lists", async ({ count, detours }) => {
  const rotation = names(count).map((_, index) => (index + 1) % count);
  const { start, changes, wanted } = permuted(rotation);
  for (const arriving of [changes, changes.toReversed()]) {
    const { errors, standings, writes } = await run({ start, changes: arriving, parallel: 10 });
    expect(errors).toEqual([]);
    expect(standings).toEqual(wanted);
    expect(writes.length).toBeLessThanOrEqual(count + detours);
  }
});

test("however slow the service is, those who wait for each other do not give up", async () => {
  const rotation = names(19).map((_, index) => (index + 1) % 19);
  const { start, changes, wanted } = permuted(rotation);
  const { errors, standings } = await run({ start, changes: changes.toReversed(), parallel: 10, latency: () => 8_000 });
  expect(errors).toEqual([]);
  expect(standings).toEqual(wanted);
});

test("a create whose place is given up later in the same run waits for that", async () => {
  const moves = names(8).map((id, index) => ({ id, from: index + 1, to: index + 51 }));
  const start = Object.fromEntries(moves.map(({ id, from }) => [id, from]));
  const { errors, standings } = await run({ start, changes: [{ id: "new", to: 8 }, ...moves], parallel: 3 });
  expect(errors).toEqual([]);
  expect(standings).toMatchObject({ new: 8, acl_7: 58 });
});

test("who makes way for another does it once, whatever becomes of its own place", async () => {
  const { errors, standings, writes } = await run({
    start: { a: 1, foreign: 2, c: 5 },
    changes: [
      { id: "a", from: 1, to: 2 },
      { id: "c", from: 5, to: 1 },
    ],
    parallel: 10,
  });
  expect(errors).toMatchObject([{ existing: { id: "foreign" }, standing: { id: "a", priority: 3 } }]);
  expect(standings).toEqual({ a: 3, foreign: 2, c: 1 });
  expect(writes).toEqual(["put a 3", "put c 1"]);
});

test("one at a time, a swap fails once with who is in the way, and the second of it carries out both", async () => {
  const { start, changes, wanted } = permuted([1, 0]);
  const { errors, standings, writes } = await run({ start, changes, parallel: 1 });
  expect(errors).toHaveLength(1);
  const [error] = errors as PriorityTaken[];
  expect(error).toBeInstanceOf(PriorityTaken);
  expect(error).toMatchObject({ code: "priority_taken", existing: { id: "acl_1", priority: 2 }, standing: undefined });
  expect(error?.message).toMatch(/Priority 2, wanted for "list acl_0", is held by "list acl_1" \(acl_1\)/);
  expect(standings).toEqual(wanted);
  expect(writes).toEqual(["put acl_0 2", "put acl_0 3", "put acl_1 1", "put acl_0 2"]);
});

test("whatever is refused, and forgotten by a host that drops the state of what failed, the next run ends right", async () => {
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
        const first = await run({ start, changes: one, parallel, isRefused: (write) => refusals[write] ?? false });
        const again = two.filter(({ id }) => !first.done.has(id));
        const second = await run({ start: first.standings, changes: again, parallel });
        expect(second.standings).toEqual(wanted);
        if (parallel >= again.length) expect(second.errors).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

test("a list that failed to move makes way for one that is made later, and gets to its place when it is free", async () => {
  const { errors, standings } = await run({
    start: { a: 1, b: 2 },
    changes: [
      { id: "a", from: 1, to: 2 },
      { id: "new", to: 1 },
      { id: "b", from: 2 },
    ],
    parallel: 1,
  });
  expect(errors).toMatchObject([{ code: "priority_taken" }]);
  expect(standings).toEqual({ a: 2, new: 1 });
});

test("a list that failed to move and is refused again later is in nobody's hands", async () => {
  const { errors, standings, writes, told } = await run({
    start: { a: 1, b: 2 },
    changes: [
      { id: "a", from: 1, to: 2 },
      { id: "b", from: 2, to: 9 },
      { id: "new", to: 1 },
    ],
    parallel: 1,
    isRefused: (write) => write === 2,
  });
  expect(errors).toMatchObject([{ code: "priority_taken" }, { code: "priority_taken", existing: { id: "a" } }]);
  expect(told).toEqual(['warn Still not moving "list a" to priority 2']);
  expect(standings).toEqual({ a: 1, b: 9 });
  expect(writes).toEqual(["put a 2", "put b 9"]);
});

test("a list that failed to move and goes is not written any more", async () => {
  const { standings, writes } = await run({
    start: { a: 1, b: 2 },
    changes: [
      { id: "a", from: 1, to: 2 },
      { id: "a", from: 1 },
      { id: "b", from: 2, to: 9 },
    ],
    parallel: 1,
  });
  expect(standings).toEqual({ b: 9 });
  expect(writes).toEqual(["put a 2", "put b 9"]);
});

test("a state that is old makes nobody wait for a place that was seen to be free", async () => {
  const { errors, standings, writes } = await run({
    start: { a: 3, foreign: 2, x: 10, y: 11 },
    changes: [
      { id: "x", from: 10, to: 11 },
      { id: "y", from: 11, to: 10 },
      { id: "a", from: 1, to: 2 },
      { id: "new", to: 1 },
    ],
    parallel: 2,
  });
  expect(errors).toMatchObject([{ existing: { id: "foreign" } }]);
  expect(standings).toEqual({ a: 3, foreign: 2, x: 11, y: 10, new: 1 });
  expect(writes.filter((write) => /new|a/.test(write))).toEqual(["post new 1"]);
});

test("a list that stands aside when it is refused tells where", async () => {
  const { start, changes } = permuted([1, 0]);
  const { errors, standings } = await run({ start, changes, parallel: 10, isRefused: (write) => write === 2 });
  const [error] = errors as SteppedAside[];
  expect(error).toBeInstanceOf(SteppedAside);
  expect(error).toMatchObject({ standing: { id: "acl_0", priority: 3 }, cause: { code: "invalid_body" } });
  expect(standings).toEqual({ acl_0: 3, acl_1: 1 });
});

test("a list that nobody asked to move stays where it is", async () => {
  const { errors, standings, writes, seconds } = await run({
    start: { a: 1, foreign: 2 },
    changes: [{ id: "a", from: 1, to: 2 }],
    parallel: 10,
  });
  expect(errors).toHaveLength(1);
  expect(standings).toEqual({ a: 1, foreign: 2 });
  expect(writes).toEqual(["put a 2"]);
  expect(seconds).toBeLessThan(8);
});

test("two that want the same place: one gets it, the other is told at once by whom it was taken", async () => {
  const { errors, standings, seconds, writes } = await run({
    start: { a: 1, b: 2 },
    changes: [
      { id: "a", from: 1, to: 9 },
      { id: "b", from: 2, to: 9 },
    ],
    parallel: 10,
  });
  expect(writes).toHaveLength(1);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toBeInstanceOf(PriorityTaken);
  expect(Object.values(standings).filter((priority) => priority === 9)).toHaveLength(1);
  expect(seconds).toBeLessThan(2);
});

test("a create waits for a list that goes or moves out of its place", async () => {
  const going = await run({
    start: { old: 5 },
    changes: [
      { id: "new", to: 5 },
      { id: "old", from: 5 },
    ],
    parallel: 10,
  });
  expect(going.errors).toEqual([]);
  expect(going.standings).toEqual({ new: 5 });
  const moving = await run({
    start: { old: 5 },
    changes: [
      { id: "old", from: 5, to: 6 },
      { id: "new", to: 5 },
    ],
    parallel: 10,
  });
  expect(moving.errors).toEqual([]);
  expect(moving.standings).toEqual({ old: 6, new: 5 });
  expect(moving.writes).toEqual(["put old 6", "post new 5"]);
  expect(moving.reads).toBe(0);
});

test("a list that was just made is known to stay", async () => {
  const { service, clock, priorities, create } = open({ x: 7 });
  await create("new", 5);
  const before = clock.now();
  const moving = priorities.move("x", { description: "x", priority: 5 }, 7, (priority) => service.put("x", priority));
  await expect(clock.run(moving)).rejects.toMatchObject({ existing: { id: "new" } });
  expect(clock.now() - before).toBeLessThan(500);
});

test("a create waits for others, however slow, as long as they are on the way, and is sent once", async () => {
  const { service, clock, priorities, create } = open({ held: 5, x: 8 });
  const slowly = () => clock.sleep(20_000).then(() => service.put("x", 9));
  const moving = priorities.move("x", { description: "x", priority: 9 }, 8, slowly);
  await expect(create("new", 5)).rejects.toMatchObject({ code: "priority_taken", existing: { id: "held" } });
  await moving;
  expect(service.writes).toEqual(["post new 5", "put x 9"]);
});

test("a list stands aside for those who want its place, not for others", async () => {
  const { service, clock, priorities } = open({ a: 1, foreign: 2, c: 7 });
  const slowly = () => clock.sleep(20_000).then(() => service.put("c", 9));
  const [first] = await clock.run(
    Promise.allSettled([
      priorities.move("a", { description: "a", priority: 2 }, 1, (priority) => service.put("a", priority)),
      priorities.move("c", { description: "c", priority: 9 }, 7, slowly),
    ]),
  );
  expect(first).toMatchObject({ status: "rejected", reason: { existing: { id: "foreign" }, standing: undefined } });
  expect(service.standings()).toEqual({ a: 1, foreign: 2, c: 9 });
});

test("a list stands aside soon after somebody has come who wants its place", async () => {
  const { service, clock, priorities } = open({ a: 1, foreign: 2 });
  const before = clock.now();
  const moving = priorities.move("a", { description: "a", priority: 2 }, 1, (priority) => service.put("a", priority));
  const creating = clock.sleep(2_000).then(async () => {
    await priorities.create({ description: "new", priority: 1 }, () => service.post("new", 1));
    return clock.now() - before;
  });
  const [outcome, made] = await clock.run(Promise.all([moving.catch((error: unknown) => error), creating]));
  expect(outcome).toMatchObject({ existing: { id: "foreign" }, standing: { priority: 3 } });
  expect(made).toBeLessThan(3_500);
});

test("a list stands aside for nobody where the place it wants is held by one that stays", async () => {
  const { service, clock, priorities, create } = open({ a: 1 });
  await create("kept", 2);
  const before = clock.now();
  const moving = priorities.move("a", { description: "a", priority: 2 }, 1, (priority) => service.put("a", priority));
  const told = moving.catch((error: unknown) => ({ error, after: clock.now() - before }));
  const creating = priorities.create({ description: "new", priority: 1 }, () => service.post("new", 1));
  const [{ error, after }] = (await clock.run(Promise.all([told, creating]))) as [
    { error: unknown; after: number },
    unknown,
  ];
  expect(error).toMatchObject({ existing: { id: "kept" }, standing: undefined });
  expect(after).toBeLessThan(500);
});

test("who comes while a failed move is carried out after all waits for it, and sends nothing", async () => {
  const { service, clock, priorities, create } = open({ a: 1, b: 2 });
  const moving = priorities.move("a", { description: "a", priority: 2 }, 1, (priority) => service.put("a", priority));
  await expect(clock.run(moving)).rejects.toMatchObject({ existing: { id: "b" } });
  const going = priorities.leave("b", 2, () => service.remove("b"));
  await clock.run(clock.sleep(120));
  await expect(create("new", 2)).rejects.toMatchObject({ existing: { id: "a" } });
  await clock.run(going);
  expect(service.writes).toEqual(["put a 2", "put a 2"]);
  expect(service.standings()).toEqual({ a: 2 });
});

test("a place that was given up and taken by a stranger is told to be the stranger's", async () => {
  const { service, clock, priorities, create } = open({ old: 5 });
  const going = priorities.leave("old", undefined, async () => {
    await clock.sleep(500);
    await service.remove("old");
    await service.post("stranger", 5);
  });
  await expect(create("new", 5)).rejects.toMatchObject({ code: "priority_taken", existing: { id: "stranger" } });
  await going;
  expect(service.writes).toEqual(["post new 5", "post stranger 5", "post new 5"]);
});

test("timers that fire a little early make nobody wait twice", async () => {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, { a: 1, foreign: 2 }, () => 50);
  const early = { ...clock, sleep: (ms: number, stop?: AbortSignal) => clock.sleep(Math.ceil(ms * 0.99), stop) };
  const { signal } = new AbortController();
  const priorities = createPriorities({ list: service.list, clock: early, signal, log: () => {} });
  const before = clock.now();
  const moving = priorities.move("a", { description: "a", priority: 2 }, 1, (priority) => service.put("a", priority));
  await expect(clock.run(moving)).rejects.toMatchObject({ existing: { id: "foreign" } });
  expect(clock.now() - before).toBeLessThan(8_000);
});

test("a create onto a place that is taken for good names the holder, and at once", async () => {
  const { errors, standings, writes, seconds } = await run({
    start: { held: 5 },
    changes: [{ id: "new", to: 5 }],
    parallel: 10,
  });
  expect(errors[0]).toMatchObject({ code: "priority_taken", existing: { id: "held" }, standing: undefined });
  expect(standings).toEqual({ held: 5 });
  expect(writes).toEqual(["post new 5"]);
  expect(seconds).toBeLessThan(0.3);
});

/** Priorities on a simulated tenant, step by step. */
function open(start: Record<string, number>, list?: (real: () => Promise<NetworkAcl[]>) => Promise<NetworkAcl[]>) {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, start, () => 50);
  const { signal } = new AbortController();
  const listed = () => (list ? list(service.list) : service.list());
  const priorities = createPriorities({ list: listed, clock, signal, log: () => {} });
  const create = (id: string, priority: number, isTwin?: () => boolean) =>
    clock.run(priorities.create({ description: id, priority }, () => service.post(id, priority), isTwin));
  return { clock, service, priorities, create };
}

test("a create that meets its twin says so at once; a twin that goes is waited for", async () => {
  const { service, clock, priorities, create } = open({ old: 5 });
  await expect(create("new", 5, () => true)).rejects.toMatchObject({ existing: { id: "old" }, identical: true });
  const creating = priorities.create(
    { description: "new", priority: 5 },
    () => service.post("new", 5),
    () => true,
  );
  const going = priorities.leave("old", 5, () => service.remove("old"));
  await clock.run(Promise.all([creating, going]));
  expect(service.standings()).toEqual({ new: 5 });
});

test("a holder whom others have removed in the meantime is in nobody's way", async () => {
  const { service, clock, create } = open({ old: 5 });
  await expect(create("new", 5)).rejects.toMatchObject({ existing: { id: "old" } });
  await clock.run(service.remove("old"));
  await create("new", 5);
  expect(service.standings()).toEqual({ new: 5 });
});

test("whose place is not given up after all is told at once", async () => {
  const { service, clock, priorities } = open({ moving: 5, going: 6 });
  const before = clock.now();
  const refused = () => clock.sleep(100).then(() => Promise.reject(new Error("refused")));
  const outcomes = await clock.run(
    Promise.allSettled([
      priorities.move("moving", { description: "moving", priority: 9 }, 5, refused),
      priorities.leave("going", 6, refused),
      priorities.move("y", { description: "y", priority: 5 }, 8, (priority) => service.put("y", priority)),
      priorities.move("x", { description: "x", priority: 6 }, 7, (priority) => service.put("x", priority)),
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

test("while others go, however slowly, who waits does not give up", async () => {
  const { service, clock, priorities } = open({ a: 1, b: 2, c: 3 });
  const move = (id: string, from: number, to: number) =>
    priorities.move(id, { description: id, priority: to }, from, (priority) => service.put(id, priority));
  const slowly = () => clock.sleep(20_000).then(() => service.remove("c"));
  const going = priorities.leave("c", 3, slowly).then(() => move("b", 2, 9));
  await clock.run(Promise.all([move("a", 1, 2), going]));
  expect(service.standings()).toEqual({ a: 2, b: 9 });
});

test("a detour to a place that others have just taken goes to the next one", async () => {
  let lists = 0;
  const { service, clock, priorities } = open({ a: 1, b: 2 }, async (real) => {
    const listed = await real();
    if (++lists === 1) await service.put("stranger", 3);
    return listed;
  });
  const move = (id: string, from: number, to: number) =>
    priorities.move(id, { description: id, priority: to }, from, (priority) => service.put(id, priority));
  await clock.run(Promise.all([move("a", 1, 2), move("b", 2, 1)]));
  expect(service.standings()).toEqual({ a: 2, b: 1, stranger: 3 });
  // Both may try the place that was free a moment ago.
  expect(service.writes.length).toBeLessThanOrEqual(1 + 3 + 2);
});

test("a list that never shows who is in the way does not make it ask for ever", async () => {
  const { service, create } = open({ hidden: 5 }, async (real) => (await real()).filter(({ id }) => id !== "hidden"));
  await expect(create("new", 5)).rejects.toMatchObject({ code: "conflict" });
  expect(service.writes.length).toBeLessThanOrEqual(4);
});

test("a list that is refused where it stands already, and nobody else, does not ask for ever", async () => {
  const { clock, priorities } = open({ own: 5 });
  let asked = 0;
  const put = async () => {
    if (++asked > 20) throw new Error("it asks for ever");
    throw new TenantError("conflict", "A Network ACL with this priority number has already been created.");
  };
  const moving = priorities.move("own", { description: "own", priority: 5 }, 5, put);
  await expect(clock.run(moving)).rejects.toMatchObject({ code: "conflict" });
  expect(asked).toBe(2);
});

test("where all hundred places are taken a circle cannot be opened, and says so instead of waiting for ever", async () => {
  const ids = names(100);
  const start = Object.fromEntries(ids.map((id, index) => [id, index + 1]));
  const { errors, standings } = await run({
    start,
    changes: [
      { id: "acl_0", from: 1, to: 2 },
      { id: "acl_1", from: 2, to: 1 },
    ],
    parallel: 10,
  });
  expect(errors).toHaveLength(2);
  expect(errors[0]).toBeInstanceOf(PriorityTaken);
  expect(errors[0]).toMatchObject({ identical: false });
  expect(standings).toEqual(start);
});

const refused = () => Promise.reject(new Error("Insufficient scope"));

test("without leave to read the list, a taken place is the service's own conflict", async () => {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, { a: 1, b: 2 }, () => 10);
  const { signal } = new AbortController();
  const priorities = createPriorities({ list: refused, clock, signal, log: () => {} });
  const wanted = { description: "a", priority: 2 };
  const moving = priorities.move("a", wanted, 1, (priority) => service.put("a", priority));
  await expect(clock.run(moving)).rejects.toMatchObject({ code: "conflict" });
});

test("without leave to read the list, lists that change places know of each other by what is said of them", async () => {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, { a: 1, b: 2 }, () => 10);
  const { signal } = new AbortController();
  const priorities = createPriorities({ list: refused, clock, signal, log: () => {} });
  const move = (id: string, from: number, to: number) =>
    priorities.move(id, { description: id, priority: to }, from, (priority) => service.put(id, priority));
  await clock.run(Promise.all([move("a", 1, 2), move("b", 2, 1)]));
  expect(service.writes).toEqual(["put a 3", "put b 1", "put a 2"]);
});

test("who waits ends at once when everything stops", async () => {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, { a: 1, b: 2 }, () => 10);
  const stopping = new AbortController();
  const priorities = createPriorities({ list: service.list, clock, signal: stopping.signal, log: () => {} });
  const moving = priorities.move("a", { description: "a", priority: 2 }, 1, (priority) => service.put("a", priority));
  const stop = clock.sleep(500).then(() => stopping.abort(new Error("stop")));
  await expect(clock.run(Promise.all([moving, stop]))).rejects.toThrow("stop");
});
