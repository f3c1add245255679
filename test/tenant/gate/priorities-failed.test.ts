/** Failed moves, and how they continue when their priority gets free after all. */
import fc from "../../support/random";
import { PriorityTaken, SteppedAside } from "../../../src/tenant/conflict";
import { run, permuted, permutations, open, type Change } from "../support/rearranging";

test("fails a swap once at -parallelism=1 if no call may end early, names the holder, and carries out both moves with the second", async () => {
  const { start, changes, wanted } = permuted([1, 0]);
  const { errors, standings, writes } = await run({ start, changes, parallel: 1 });
  expect(errors).toHaveLength(1);
  const [error] = errors as PriorityTaken[];
  expect(error).toBeInstanceOf(PriorityTaken);
  expect(error).toMatchObject({
    code: "priority_taken",
    existing: { id: "acl_1", priority: 2 },
    currentAcl: undefined,
  });
  expect(error?.message).toMatch(/Network ACL "list acl_1" \(acl_1\) already has priority 2, which "list acl_0" needs/);
  expect(standings).toEqual(wanted);
  expect(writes).toEqual(["put acl_0 3", "put acl_1 1", "put acl_0 2"]);
});

test("ends correctly in the next run after any refusal, even if the engine dropped the state of a failed change", async () => {
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

test("moves an ACL after a failed move out of the way of a later create, and to its priority once that is free", async () => {
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

test("leaves an ACL alone after a failed move that is refused again later", async () => {
  const { errors, standings, writes, told } = await run({
    start: { a: 1, b: 2 },
    changes: [
      { id: "a", from: 1, to: 2 },
      { id: "b", from: 2, to: 9 },
      { id: "new", to: 1 },
    ],
    parallel: 1,
    isRefused: (write) => write === 1,
  });
  expect(errors).toMatchObject([{ code: "priority_taken" }, { code: "priority_taken", existing: { id: "a" } }]);
  expect(told).toEqual(['warn Still not moving "list a" to priority 2']);
  expect(standings).toEqual({ a: 1, b: 9 });
  expect(writes).toEqual(["put b 9"]);
});

test("does not write an ACL any more that is deleted after a failed move", async () => {
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
  expect(writes).toEqual(["put b 9"]);
});

test("names the new priority of an ACL that stepped aside and was then refused", async () => {
  const { start, changes } = permuted([1, 0]);
  const { errors, standings } = await run({ start, changes, parallel: 10, isRefused: (write) => write === 2 });
  const [error] = errors as SteppedAside[];
  expect(error).toBeInstanceOf(SteppedAside);
  expect(error).toMatchObject({ currentAcl: { id: "acl_0", priority: 3 }, cause: { code: "invalid_body" } });
  expect(standings).toEqual({ acl_0: 3, acl_1: 1 });
});

test("waits without a write while another call carries out a failed move after all", async () => {
  const { service, clock, priorities, create } = open({ a: 1, b: 2 });
  const moving = priorities.move("a", { description: "a", priority: 2 }, 1, (priority) => service.put("a", priority));
  await expect(clock.run(moving)).rejects.toMatchObject({ existing: { id: "b" } });
  const going = priorities.remove("b", 2, () => service.remove("b"));
  await clock.run(clock.sleep(120));
  await expect(create("new", 2)).rejects.toMatchObject({ existing: { id: "a" } });
  await clock.run(going);
  expect(service.writes).toEqual(["put a 2"]);
  expect(service.standings()).toEqual({ a: 2 });
});

test("names the new holder of a priority that was freed and then taken by another process", async () => {
  const { service, clock, priorities, create } = open({ old: 5 });
  const going = priorities.remove("old", undefined, async () => {
    await clock.sleep(500);
    await service.remove("old");
    await service.post("stranger", 5);
  });
  await expect(create("new", 5)).rejects.toMatchObject({ code: "priority_taken", existing: { id: "stranger" } });
  await going;
  expect(service.writes).toEqual(["post new 5", "post stranger 5", "post new 5"]);
});
