/** Writes that would lock out wait for other writes, and fail only if no other can come; writes of policies are judged by what the tenant has then. */
import { systemClock } from "../../../src/tenant/clock";
import { TenantError } from "../../../src/tenant/error";
import type { AclCall } from "../../../src/tenant/gate/changes";
import { createGate } from "../../../src/tenant/gate/gate";
import { createPriorities } from "../../../src/tenant/gate/priorities";
import { createProgress } from "../../../src/tenant/gate/progress";
import type { NetworkAcl, NetworkAclBody } from "../../../src/tenant/network-acl";
import type { RateLimitPolicy } from "../../../src/tenant/rate-limit-policies";
import { createVirtualClock } from "../support/virtual-clock";

type Action = "allow" | "block" | "log";
const body = (action: Action, priority: number, scope = "tenant"): NetworkAclBody => ({
  description: action,
  active: true,
  priority,
  rule: { action: { [action]: true }, match_all: true, scope } as NetworkAclBody["rule"],
});

/** Every rule matches every request, so the first ACL that does not log decides. */
function isLocked(acls: readonly NetworkAclBody[]): boolean {
  const [first] = acls
    .filter(({ rule }) => rule.scope === "tenant" && !rule.action.log)
    .toSorted((one, other) => one.priority - other.priority);
  return first?.rule.action.block === true;
}

const outage = new TenantError("service_failed", "Down.", { status: 503 });

function open(start: Record<string, NetworkAclBody>, isReadable = true) {
  const clock = createVirtualClock();
  const acls = new Map(Object.entries(start));
  const log: string[] = [];
  const call: AclCall = {
    guard: {
      mayRefuse: ({ before, after }) => before?.rule.action.allow === true || after?.rule.action.block === true,
      refusal: (before, after) => (!isLocked(before) && isLocked(after) ? new Error("would lock out") : undefined),
    },
  };
  const wire = (id: string, acl: NetworkAclBody): NetworkAcl => ({ ...acl, id, created_at: "", updated_at: "" });
  const list = async () => {
    log.push("list");
    await clock.sleep(10);
    if (!isReadable) throw outage;
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
  /** Without an ACL, deletes the one with this id. */
  const change = (id: string, acl?: NetworkAclBody, write = acl && put(id, acl)): Promise<unknown> => {
    const prior = start[id];
    if (!prior) return priorities.create(acl!, write!, undefined, call);
    if (acl) return priorities.move(id, acl, prior, write!, call);
    const remove = () => send(`delete ${id}`, () => void acls.delete(id));
    return priorities.remove(id, prior, remove, put(id, prior), call);
  };
  return { clock, log, change };
}

/** `{ wall: "block 90" }`: id -> action and priority, and the scope if it is not "tenant". An empty text: deleted. */
type Acls = Readonly<Record<string, string>>;
const parsed = (text: string) => {
  const [action, priority, scope] = text.split(" ");
  return action ? body(action as Action, Number(priority), scope) : undefined;
};
const all = (acls: Acls) => Object.fromEntries(Object.entries(acls).map(([id, text]) => [id, parsed(text)!]));

const both = { allow: "allow 10", wall: "block 90" };
const three = { ...both, spare: "allow 11" };
const swapped = { allow: "allow 1", log: "log 2", wall: "block 3" };
const inner = { wall: "block 1 management", other: "log 2", allow: "allow 9" };

/** The changes start in this order. A failed one has a "!" after its id. */
test.each<[what: string, start: Acls, changes: Acls, requests: string]>([
  ["moves an allow and a block", both, { allow: "allow 95", wall: "block 99" }, "list, put wall 99, put allow 95"],
  ["creates the allow first", {}, { wall: "block 90", allow: "allow 10" }, "list, put allow 10, put wall 90"],
  ["destroys the block first", both, { allow: "", wall: "" }, "list, delete wall, delete allow"],
  ["refuses the second of two writes harmless alone", three, { allow: "", "spare!": "" }, "list, delete allow"],
  ["reads nothing if writes only open", { ...both, a: "log 5" }, { a: "log 5", wall: "" }, "put a 5, delete wall"],
  ["reads the ACLs once", both, { b: "block 50", c: "block 51" }, "list, put b 50, put c 51"],
  [
    "lets the other one step aside if one would block at each free priority",
    swapped,
    { allow: "allow 2", log: "log 1" },
    "list, put log 4, put allow 2, put log 1",
  ],
  ["does so in another order", swapped, { log: "log 1", allow: "allow 2" }, "list, put log 4, put allow 2, put log 1"],
  [
    "moves an allow aside for its successor",
    both,
    { allow: "", successor: "allow 10" },
    "list, put allow 11, put successor 10, delete allow",
  ],
  ["keeps the allow if its successor allows nothing", both, { "allow!": "", "successor!": "log 10" }, "list, list"],
  [
    "moves a held block out of the way of its allow",
    inner,
    { wall: "block 3", allow: "allow 1" },
    "list, put wall 10, put allow 1, put wall 3",
  ],
])("%s", async (_what, start, changes, requests) => {
  const { clock, log, change } = open(all(start));
  const work = Object.entries(changes).map(([id, text]) => change(id.replace("!", ""), parsed(text)));
  const ended = await clock.run(Promise.allSettled(work));
  expect(ended.map(({ status }) => status === "rejected")).toEqual(Object.keys(changes).map((id) => id.endsWith("!")));
  expect(log.join(", ")).toBe(requests);
});

test("waits 5 s for another change before it refuses a write", async () => {
  const { clock, change } = open(all(both));
  const begun = clock.now();
  await expect(clock.run(change("allow"))).rejects.toThrow("would lock out");
  expect(clock.now() - begun).toBeGreaterThanOrEqual(5_000);
});

test("writes nothing that may restrict while the ACLs cannot be read", async () => {
  const { clock, log, change } = open(all(both), false);
  await expect(clock.run(change("b", body("block", 50)))).rejects.toThrow("Down.");
  await clock.run(change("c", body("log", 51)));
  expect(log).toEqual(["list", "put c 51"]);
});

test("reads the ACLs again after a write with an unknown effect", async () => {
  const { clock, log, change } = open(all(three));
  const lost = async () => {
    throw new TenantError("timeout", "Lost.");
  };
  await expect(clock.run(change("spare", body("log", 11), lost))).rejects.toThrow("Lost.");
  await clock.run(change("allow"));
  expect(log).toEqual(["list", "list", "delete allow"]);
});

const policy = (id: string): RateLimitPolicy => ({
  id,
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: id,
  configuration: { action: "block", limit: 1 },
  created_at: "",
  updated_at: "",
});

/** A tenant that must always have a policy. `lists` counts how often it was read. */
function gated(ids: readonly string[], giveUp = 150) {
  const tenant = new Map(ids.map((id) => [id, policy(id)]));
  const { signal } = new AbortController();
  const progress = createProgress({ clock: systemClock, signal, timeouts: { giveUp } });
  const state = { lists: 0, fewest: tenant.size };
  const gate = createGate<RateLimitPolicy>(progress, () => {
    state.lists++;
    return Promise.resolve([...tenant.values()]);
  });
  const guard = {
    refusal: (_before: readonly RateLimitPolicy[], after: readonly RateLimitPolicy[]) =>
      after.length === 0 ? new Error("no policy would be left") : undefined,
  };
  const pause = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));
  const create = (id: string, fault?: Error, call = { guard }) =>
    gate.pass(
      call,
      undefined,
      () => policy(""),
      async () => {
        await pause(50);
        if (fault) throw fault;
        tenant.set(id, policy(id));
        return policy(id);
      },
    );
  const remove = (id: string, call: Parameters<typeof gate.pass>[0] = { guard }) =>
    gate.pass(
      call,
      id,
      () => undefined,
      () => {
        tenant.delete(id);
        state.fewest = Math.min(state.fewest, tenant.size);
        return Promise.resolve();
      },
    );
  return { tenant, state, create, remove, pause };
}

const failed = (code: "invalid_body" | "service_failed", status: number) => new TenantError(code, "failed", { status });

test("a deletion waits for a create that comes later, and for one that is under way", async () => {
  const { state, tenant, create, remove, pause } = gated(["a"]);
  const removing = remove("a");
  await pause(30);
  await Promise.all([removing, create("b")]);
  expect([[...tenant.keys()], state]).toEqual([["b"], { lists: 1, fewest: 1 }]);
});

test("a deletion is refused if the create that it waits for fails", async () => {
  const { state, tenant, create, remove } = gated(["a"]);
  const creating = create("b", failed("invalid_body", 400));
  const removing = remove("a");
  await expect(creating).rejects.toThrow("failed");
  await expect(removing).rejects.toThrow("no policy would be left");
  expect([[...tenant.keys()], state]).toEqual([["a"], { lists: 1, fewest: 1 }]);
});

test("the policies are read again after a write that may or may not have had an effect", async () => {
  const { state, create, remove } = gated(["a", "b"]);
  await expect(create("c", failed("service_failed", 500))).rejects.toThrow("failed");
  await remove("a");
  expect(state).toEqual({ lists: 2, fewest: 1 });
});

test("of two deletions that are allowed one by one, the second is refused", async () => {
  const { tenant, state, remove } = gated(["a", "b"]);
  const ends = await Promise.allSettled([remove("a"), remove("b")]);
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect([[...tenant.keys()], state.fewest]).toEqual([["b"], 1]);
});

test("without a guard, nothing is read and nothing waits", async () => {
  const { state, remove } = gated(["a"]);
  await remove("a", {});
  expect(state).toEqual({ lists: 0, fewest: 0 });
});
