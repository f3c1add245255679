/** Judged writes of rate limit policies: what the tenant has at the moment of each write decides. */
import { TenantError } from "../../../src/tenant/error";
import { createProgress } from "../../../src/tenant/gate/progress";
import { createGate } from "../../../src/tenant/gate/gate";
import type { RateLimitPolicy } from "../../../src/tenant/rate-limit-policies";
import { systemClock } from "../../../src/tenant/clock";

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
