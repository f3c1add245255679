/** Calls that end before their ACL has its priority, because Terraform begins the change of the holder later. */
import fc from "../../support/random";
import { run, permuted, names, type Change } from "../support/rearranging";

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

test.each([1, 2, 4, 10])("inserts an ACL before ten others at -parallelism=%d", async (parallel) => {
  const ids = names(10);
  const start = Object.fromEntries(ids.map((id, index) => [id, index + 1]));
  const moves = ids.map((id, index) => ({ id, from: index + 1, to: index + 2 }));
  for (const changes of [
    [moves[9]!, { id: "new", to: 1 }, ...moves.slice(0, 9)],
    [moves[4]!, { id: "new", to: 1 }, ...moves.filter((_, index) => index !== 4).toReversed()],
    [...moves, { id: "new", to: 1 }],
  ]) {
    const { errors, standings } = await run({ start, changes, parallel, early: true });
    expect(errors).toEqual([]);
    expect(standings).toMatchObject({ new: 1, acl_0: 2, acl_9: 11 });
  }
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

test("keeps an ACL out of the way if the change of the holder fails", async () => {
  const { start, changes } = permuted([1, 0]);
  const isRefused = (write: number) => write === 1;
  const { errors, standings } = await run({ start, changes, parallel: 1, early: true, isRefused });
  expect(errors).toMatchObject([{ code: "invalid_body" }]);
  expect(standings).toEqual({ acl_0: 3, acl_1: 2 });
});

test.each([
  {
    what: "ended",
    changes: [
      { id: "b", from: 2, to: 2 },
      { id: "a", from: 1, to: 2 },
    ],
  },
  {
    what: "is under way and stays",
    changes: [
      { id: "a", from: 1, to: 2 },
      { id: "b", from: 2, to: 2 },
    ],
    parallel: 2,
  },
])("fails at once if the holder's own call $what", async ({ changes, parallel = 1 }) => {
  const { errors, standings, seconds } = await run({ start: { a: 1, b: 2 }, changes, parallel, early: true });
  expect(errors).toMatchObject([{ code: "priority_taken", existing: { id: "b" }, currentAcl: undefined }]);
  expect(standings).toEqual({ a: 1, b: 2 });
  expect(seconds).toBeLessThan(1);
});

test("does not end the call of a new ACL early before a call shows that the state has an ACL", async () => {
  const { errors, standings } = await run({
    start: { held: 5 },
    changes: [{ id: "new", to: 5 }],
    parallel: 1,
    early: true,
  });
  expect(errors).toMatchObject([{ code: "priority_taken", existing: { id: "held" } }]);
  expect(standings).toEqual({ held: 5 });
});
