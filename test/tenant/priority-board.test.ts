import type { NetworkAcl } from "../../src/tenant/network-acl";
import { createPriorityBoard } from "../../src/tenant/priority-board";
import { gate } from "./support/gate";

const acl = (id: string, priority: number) => ({ id, priority, description: id }) as NetworkAcl;

test("keeps a write during a load, because the list may be from before", async () => {
  const leave = gate();
  const board = createPriorityBoard(async () => {
    await leave.opened;
    return [acl("a", 1), acl("b", 2), acl("c", 3)];
  });
  const loading = board.load();
  expect(board.load()).toBe(loading);
  board.set("a", acl("a", 9));
  board.set("b", undefined);
  leave.open();
  expect(await loading).toBe(true);
  expect([1, 2, 3, 9].map((priority) => board.at(priority)?.id)).toEqual([undefined, undefined, "c", "a"]);
});

test("prefers a new list to a write during an earlier load", async () => {
  let standing = [acl("a", 1)];
  const board = createPriorityBoard(async () => standing);
  const loading = board.load();
  board.set("a", acl("a", 9));
  await loading;
  standing = [acl("a", 5)];
  await board.load();
  expect([5, 9].map((priority) => board.at(priority)?.id)).toEqual(["a", undefined]);
});

test("prefers a known priority to one from the state", async () => {
  const leave = gate();
  const board = createPriorityBoard(async () => {
    await leave.opened;
    return [acl("a", 1), acl("b", 2)];
  });
  const standings = () => [1, 2, 3, 4].map((priority) => board.at(priority)?.id);
  board.assume("a", acl("a", 3));
  expect(standings()).toEqual([undefined, undefined, "a", undefined]);
  board.set("a", acl("a", 4));
  board.assume("a", acl("a", 3));
  board.assume("b", acl("b", 4));
  expect(standings()).toEqual([undefined, undefined, undefined, "a"]);
  const loading = board.load();
  board.assume("b", acl("b", 3));
  leave.open();
  await loading;
  board.assume("c", acl("c", 4));
  expect(standings()).toEqual(["a", "b", undefined, undefined]);
});

test("keeps its content if the list cannot be read", async () => {
  const board = createPriorityBoard(() => Promise.reject(new Error("Insufficient scope")));
  board.set("a", acl("a", 1));
  expect([await board.load(), board.loaded, board.at(1)?.id]).toEqual([false, false, "a"]);
});

test("chooses the nearest free priority, the later of two, without excluded ones", () => {
  const board = createPriorityBoard(async () => []);
  for (const priority of [4, 5]) board.set(`at${priority}`, acl(`at${priority}`, priority));
  const none = () => false;
  expect(board.free(5, none)).toBe(6);
  expect(board.free(5, (at) => at === 6)).toBe(7);
  expect(board.free(5, (at) => at === 6 || at === 7)).toBe(3);
  board.set("at100", acl("at100", 100));
  expect(board.free(100, none)).toBe(99);
  expect(board.free(1, () => true)).toBeUndefined();
});

test("prefers a priority that was never taken to one that an ACL has left", async () => {
  let standing = [acl("a", 10), acl("stranger", 11)];
  const board = createPriorityBoard(async () => standing);
  await board.load();
  standing = [acl("a", 10)];
  await board.load();
  expect(board.free(10, () => false)).toBe(9);
  expect(board.free(10, (priority) => priority !== 11)).toBe(11);
});
