/** Priorities that an ACL already has: waiting moves, moves that step aside, and errors. */
import { TenantError } from "../../../src/tenant/error";
import { createPriorities } from "../../../src/tenant/gate/priorities";
import { PriorityTaken } from "../../../src/tenant/conflict";
import { run, open } from "../support/rearranging";
import { simulateAcls } from "../support/simulated-acls";
import { createVirtualClock } from "../support/virtual-clock";

test("does not wait for a priority that was seen to be free, although the old state names a holder", async () => {
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

test("gives one of two ACLs the priority, and names the holder to the other at once", async () => {
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

test("creates an ACL after its priority is freed by a delete or a move", async () => {
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
  expect(moving.reads).toBe(1);
});

test("knows that an ACL that was just created stays", async () => {
  const { service, clock, priorities, create } = open({ x: 7 });
  await create("new", 5);
  const before = clock.now();
  const moving = priorities.move("x", { description: "x", priority: 5 }, 7, (priority) => service.put("x", priority));
  await expect(clock.run(moving)).rejects.toMatchObject({ existing: { id: "new" } });
  expect(clock.now() - before).toBeLessThan(500);
});

test("waits with a create while other changes are under way, however slow, and sends it once", async () => {
  const { service, clock, priorities, create } = open({ held: 5, x: 8 });
  const slowly = () => clock.sleep(20_000).then(() => service.put("x", 9));
  const moving = priorities.move("x", { description: "x", priority: 9 }, 8, slowly);
  await expect(create("new", 5)).rejects.toMatchObject({ code: "priority_taken", existing: { id: "held" } });
  await moving;
  expect(service.writes).toEqual(["post new 5", "put x 9"]);
});

test("steps aside only for ACLs that need its priority", async () => {
  const { service, clock, priorities } = open({ a: 1, foreign: 2, c: 7 });
  const slowly = () => clock.sleep(20_000).then(() => service.put("c", 9));
  const [first] = await clock.run(
    Promise.allSettled([
      priorities.move("a", { description: "a", priority: 2 }, 1, (priority) => service.put("a", priority)),
      priorities.move("c", { description: "c", priority: 9 }, 7, slowly),
    ]),
  );
  expect(first).toMatchObject({ status: "rejected", reason: { existing: { id: "foreign" }, currentAcl: undefined } });
  expect(service.standings()).toEqual({ a: 1, foreign: 2, c: 9 });
});

test("does not wait twice if a timer fires slightly early", async () => {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, { a: 1, foreign: 2 }, () => 50);
  const early = { ...clock, sleep: (ms: number, stop?: AbortSignal) => clock.sleep(Math.ceil(ms * 0.99), stop) };
  const { signal } = new AbortController();
  const priorities = createPriorities({ list: service.list, clock: early, signal, log: () => {} });
  const before = clock.now();
  const moving = priorities.move("a", { description: "a", priority: 2 }, 1, (priority) => service.put("a", priority));
  await expect(clock.run(moving)).rejects.toMatchObject({ existing: { id: "foreign" } });
  expect(clock.now() - before).toBeLessThan(11_000);
});

test("names the holder if a create needs the priority of an ACL that nothing changes", async () => {
  const { errors, standings, writes, seconds } = await run({
    start: { held: 5 },
    changes: [{ id: "new", to: 5 }],
    parallel: 10,
  });
  expect(errors[0]).toMatchObject({ code: "priority_taken", existing: { id: "held" }, currentAcl: undefined });
  expect(standings).toEqual({ held: 5 });
  expect(writes).toEqual(["post new 5"]);
  expect(seconds).toBeLessThan(11);
});

test("reports an identical ACL at once, but waits for an identical ACL that is about to be deleted", async () => {
  const { service, clock, priorities, create } = open({ old: 5 });
  await expect(create("new", 5, () => true)).rejects.toMatchObject({ existing: { id: "old" }, identical: true });
  const creating = priorities.create(
    { description: "new", priority: 5 },
    () => service.post("new", 5),
    () => true,
  );
  const going = priorities.remove("old", 5, () => service.remove("old"));
  await clock.run(Promise.all([creating, going]));
  expect(service.standings()).toEqual({ new: 5 });
});

test("ignores a holder that others have deleted in the meantime", async () => {
  const { service, clock, create } = open({ old: 5 });
  await expect(create("new", 5)).rejects.toMatchObject({ existing: { id: "old" } });
  await clock.run(service.remove("old"));
  await create("new", 5);
  expect(service.standings()).toEqual({ new: 5 });
});

test("reports at once that a priority is not freed after all", async () => {
  const { service, clock, priorities } = open({ moving: 5, going: 6 });
  const before = clock.now();
  const refused = () => clock.sleep(100).then(() => Promise.reject(new Error("refused")));
  const outcomes = await clock.run(
    Promise.allSettled([
      priorities.move("moving", { description: "moving", priority: 9 }, 5, refused),
      priorities.remove("going", 6, refused),
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

test("does not give up while other changes make slow progress", async () => {
  const { service, clock, priorities } = open({ a: 1, b: 2, c: 3 });
  const move = (id: string, from: number, to: number) =>
    priorities.move(id, { description: id, priority: to }, from, (priority) => service.put(id, priority));
  const slowly = () => clock.sleep(20_000).then(() => service.remove("c"));
  const going = priorities.remove("c", 3, slowly).then(() => move("b", 2, 9));
  await clock.run(Promise.all([move("a", 1, 2), going]));
  expect(service.standings()).toEqual({ a: 2, b: 9 });
});

test("stops trying if the list never shows the holder", async () => {
  const { service, create } = open({ hidden: 5 }, async (real) => (await real()).filter(({ id }) => id !== "hidden"));
  await expect(create("new", 5)).rejects.toMatchObject({ code: "conflict" });
  expect(service.writes.length).toBeLessThanOrEqual(4);
});

test("stops trying if the service refuses the ACL's own priority", async () => {
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

const refused = () => Promise.reject(new Error("Insufficient scope"));

test("returns the service's conflict if the token cannot read the list", async () => {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, { a: 1, b: 2 }, () => 10);
  const { signal } = new AbortController();
  const priorities = createPriorities({ list: refused, clock, signal, log: () => {} });
  const wanted = { description: "a", priority: 2 };
  const moving = priorities.move("a", wanted, 1, (priority) => service.put("a", priority));
  await expect(clock.run(moving)).rejects.toMatchObject({ code: "conflict" });
});

test("swaps ACLs by the priorities of the state if the token cannot read the list", async () => {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, { a: 1, b: 2 }, () => 10);
  const { signal } = new AbortController();
  const priorities = createPriorities({ list: refused, clock, signal, log: () => {} });
  const move = (id: string, from: number, to: number) =>
    priorities.move(id, { description: id, priority: to }, from, (priority) => service.put(id, priority));
  await clock.run(Promise.all([move("a", 1, 2), move("b", 2, 1)]));
  expect(service.writes).toEqual(["put a 3", "put b 1", "put a 2"]);
});

test("ends waiting calls at once when everything stops", async () => {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, { a: 1, b: 2 }, () => 10);
  const stopping = new AbortController();
  const priorities = createPriorities({ list: service.list, clock, signal: stopping.signal, log: () => {} });
  const moving = priorities.move("a", { description: "a", priority: 2 }, 1, (priority) => service.put("a", priority));
  const stop = clock.sleep(500).then(() => stopping.abort(new Error("stop")));
  await expect(clock.run(Promise.all([moving, stop]))).rejects.toThrow("stop");
});
