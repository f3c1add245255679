/** Writes that would lock out wait for other writes, and fail only if no other can come. */
import { TenantError } from "../../../src/tenant/error";
import type { NetworkAcl, NetworkAclBody } from "../../../src/tenant/network-acl";
import { createPriorities } from "../../../src/tenant/gate/priorities";
import type { AclCall } from "../../../src/tenant/gate/changes";
import { createVirtualClock } from "../support/virtual-clock";

type Action = "allow" | "block" | "log";
const body = (action: Action, priority: number): NetworkAclBody => ({
  description: action,
  active: true,
  priority,
  rule: { action: { [action]: true }, match_all: true, scope: "tenant" } as NetworkAclBody["rule"],
});

/** Every rule matches every request, so the first ACL that does not log decides. */
function isLocked(acls: readonly NetworkAclBody[]): boolean {
  const [first] = acls.filter(({ rule }) => !rule.action.log).toSorted((one, other) => one.priority - other.priority);
  return first?.rule.action.block === true;
}

interface Options {
  readonly areRunning?: boolean;
  /** Whether the response to the nth list is a failure, counted from 1. */
  readonly unreadable?: (nth: number) => TenantError | undefined;
}

function open(start: Record<string, NetworkAclBody>, { areRunning = false, unreadable }: Options = {}) {
  const clock = createVirtualClock();
  const acls = new Map(Object.entries(start));
  const log: string[] = [];
  let lists = 0;
  const call: AclCall = {
    guard: {
      mayRefuse: ({ before, after }) => before?.rule.action.allow === true || after?.rule.action.block === true,
      refusal: (before, after) => (!isLocked(before) && isLocked(after) ? new Error("would lock out") : undefined),
    },
    otherCalls: { areRunning: () => areRunning, waiting: (work) => work() },
  };
  const wire = (id: string, acl: NetworkAclBody): NetworkAcl => ({ ...acl, id, created_at: "", updated_at: "" });
  const list = async () => {
    lists++;
    await clock.sleep(10);
    const problem = unreadable?.(lists);
    if (problem) throw problem;
    return [...acls].map(([id, acl]) => wire(id, acl));
  };
  const send = async (what: string, effect: () => void) => {
    await clock.sleep(50);
    effect();
    log.push(`${what}${isLocked([...acls.values()]) ? " LOCKED" : ""}`);
    await clock.sleep(50);
  };
  const { signal } = new AbortController();
  const priorities = createPriorities({ list, clock, signal, log: () => {} });
  const put = (id: string, acl: NetworkAclBody) => async (priority: number) => {
    await send(`put ${id} ${priority}`, () => acls.set(id, { ...acl, priority }));
    return wire(id, { ...acl, priority });
  };
  const begun = clock.now();
  return {
    clock,
    log,
    lists: () => lists,
    ms: () => clock.now() - begun,
    move: (id: string, acl: NetworkAclBody, write = put(id, acl)) =>
      priorities.move(id, acl, start[id]!.priority, write, { call, prior: start[id] }),
    create: (id: string, acl: NetworkAclBody) => priorities.create(acl, put(id, acl), undefined, { call }),
    remove: (id: string) =>
      priorities.remove(id, start[id]!.priority, () => send(`delete ${id}`, () => void acls.delete(id)), {
        call,
        prior: start[id],
        put: put(id, start[id]!),
      }),
  };
}

const both = { allow: body("allow", 10), wall: body("block", 90) };

test("moves an allow and a block behind each other in a safe order", async () => {
  const { clock, log, move } = open(both);
  await clock.run(Promise.all([move("allow", body("allow", 95)), move("wall", body("block", 99))]));
  expect(log).toEqual(["put wall 99", "put allow 95"]);
});

test("creates the allow first, and destroys the block first", async () => {
  const rollout = open({});
  const { create } = rollout;
  await rollout.clock.run(Promise.all([create("wall", both.wall), create("allow", both.allow)]));
  expect(rollout.log).toEqual(["put allow 10", "put wall 90"]);
  const { clock, log, remove } = open(both);
  await clock.run(Promise.all([remove("allow"), remove("wall")]));
  expect(log).toEqual(["delete wall", "delete allow"]);
});

test("refuses a write that would lock out after 5 s without another change, and sends nothing", async () => {
  const { clock, log, remove, ms } = open(both);
  await expect(clock.run(remove("allow"))).rejects.toThrow("would lock out");
  expect(log).toEqual([]);
  expect(ms()).toBeGreaterThanOrEqual(5_000);
});

test("refuses two writes that are harmless alone, but lock out together, even while the first is under way", async () => {
  const { clock, log, remove } = open({ ...both, spare: body("allow", 11) });
  const ended = await clock.run(Promise.allSettled([remove("allow"), remove("spare")]));
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(log).toEqual(["delete allow"]);
});

test("refuses a write that locks out, also while an allow is written that the tenant has before and after", async () => {
  const { clock, log, move } = open(both);
  const ended = await clock.run(Promise.allSettled([move("allow", body("allow", 20)), move("wall", body("block", 5))]));
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(log).toEqual(["put allow 20"]);
});

test("reads the ACLs once for writes that may restrict, and not at all for others", async () => {
  const logging = open({ a: body("log", 5), wall: body("block", 90), allow: body("allow", 1) });
  await logging.clock.run(Promise.all([logging.move("a", body("log", 5)), logging.remove("wall")]));
  expect(logging.lists()).toBe(0);
  const restricting = open(both);
  await restricting.clock.run(
    Promise.all(["b", "c"].map((id, index) => restricting.create(id, body("block", 50 + index)))),
  );
  expect([restricting.lists(), restricting.log]).toEqual([1, ["put b 50", "put c 51"]]);
});

test("writes nothing that may restrict while the ACLs cannot be read", async () => {
  const failing = open(both, { unreadable: () => new TenantError("service_failed", "Down.", { status: 503 }) });
  await expect(failing.clock.run(failing.create("b", body("block", 50)))).rejects.toThrow("Down.");
  await failing.clock.run(failing.create("c", body("log", 51)));
  expect(failing.log).toEqual(["put c 51"]);
});

test("reads the ACLs again after a write with an unknown effect", async () => {
  const { clock, log, lists, move, remove } = open({ ...both, spare: body("allow", 11) });
  const lost = async () => {
    throw new TenantError("timeout", "Lost.");
  };
  await expect(clock.run(move("spare", body("log", 11), lost))).rejects.toThrow("Lost.");
  expect(lists()).toBe(1);
  await clock.run(remove("allow"));
  expect([lists(), log]).toEqual([2, ["delete allow"]]);
});

test("lets the other ACL of a swap step aside if the request would be blocked at each free priority", async () => {
  const start = { allow: body("allow", 1), log: body("log", 2), wall: body("block", 3) };
  for (const ids of [
    ["allow", "log"],
    ["log", "allow"],
  ] as const) {
    const { clock, log, move } = open(start);
    const wanted = { allow: body("allow", 2), log: body("log", 1) };
    await clock.run(Promise.all(ids.map((id) => move(id, wanted[id]))));
    expect(log).toEqual(["put log 4", "put allow 2", "put log 1"]);
  }
});

test("moves an allow to a free priority, then creates its successor, then deletes the allow", async () => {
  const { clock, log, create, remove } = open(both);
  await clock.run(Promise.all([remove("allow"), create("successor", body("allow", 10))]));
  expect(log).toEqual(["put allow 11", "put successor 10", "delete allow"]);
});

test("keeps the allow if its successor does not allow the request", async () => {
  const { clock, log, create, remove } = open(both);
  const ended = await clock.run(Promise.allSettled([remove("allow"), create("successor", body("log", 10))]));
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(log).toEqual([]);
});
