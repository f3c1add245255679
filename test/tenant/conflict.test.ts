/** Creates that an existing object prevents, and the errors that name it. */
import { createOrConflict, findCreated, isRecent, PriorityTaken } from "../../src/tenant/conflict";
import { TenantError } from "../../src/tenant/error";
import type { NetworkAcl } from "../../src/tenant/network-acl";
import { embed, policyBody, type Embedded } from "./support/embedded";

interface Item {
  readonly id: string;
}

const refused = new TenantError("conflict", "A policy for these callers exists.", { status: 409 });
const progress = { giveUp: 10, note() {}, during: <T>(call: () => Promise<T>) => call(), pause: async () => 10 };

/** Each create takes one answer of `creates` and each read one of `reads`. The last one stays. */
function attempt(creates: readonly (Item | TenantError)[], reads: readonly (Item | undefined)[]) {
  const sent = { creates: 0, reads: 0 };
  const managed = new Set<string>();
  const findExisting = () => Promise.resolve(reads[Math.min(sent.reads++, reads.length - 1)]);
  const create = () => {
    const answer = creates[Math.min(sent.creates++, creates.length - 1)]!;
    return answer instanceof TenantError ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const creation = {
    noun: "policy",
    managed,
    deleted: new Set(["deleted"]),
    progress,
    findExisting,
    isDuplicate: () => false,
  };
  return { sent, managed, result: createOrConflict<Item>(creation, create) };
}

test("creates again if the other object is gone before it can be read", async () => {
  const { sent, managed, result } = attempt([refused, { id: "new" }], [undefined]);
  await expect(result).resolves.toEqual({ id: "new" });
  expect(sent).toEqual({ creates: 2, reads: 1 });
  expect([...managed]).toEqual(["new"]);
});

test("creates again if another object had the value by then, and this process deleted it", async () => {
  const { sent, result } = attempt([refused, refused, { id: "new" }], [undefined, { id: "deleted" }]);
  await expect(result).resolves.toEqual({ id: "new" });
  expect(sent).toEqual({ creates: 3, reads: 2 });
});

test("reports the service's conflict after three creates if no object explains it", async () => {
  const { sent, managed, result } = attempt([refused], [undefined]);
  await expect(result).rejects.toBe(refused);
  expect(sent).toEqual({ creates: 3, reads: 3 });
  expect(managed.size).toBe(0);
});

test("reports the other object if nothing deletes it", async () => {
  const { sent, result } = attempt([refused], [undefined, { id: "other" }]);
  await expect(result).rejects.toMatchObject({ code: "conflict", existing: { id: "other" }, identical: false });
  expect(sent).toEqual({ creates: 2, reads: 2 });
});

test("reports every other error at once", async () => {
  const failure = new TenantError("unavailable" as never, "no connection", {});
  const { sent, result } = attempt([failure], [undefined]);
  await expect(result).rejects.toBe(failure);
  expect(sent).toEqual({ creates: 1, reads: 0 });
});

test.each([
  ["theirs", undefined, 'Network ACL "theirs" (acl_1) already has priority 2, which "mine" needs.'],
  [undefined, undefined, 'Network ACL acl_1 already has priority 2, which "mine" needs.'],
  [undefined, 7, 'Network ACL acl_1 already has priority 2, which "mine" needs. "mine" has priority 7 for now.'],
])("names the ACL that has the priority: %j, with mine at %j", (description, now, message) => {
  const current = now === undefined ? undefined : ({ priority: now } as NetworkAcl);
  const wanted = { description: "mine", priority: 2 };
  expect(new PriorityTaken(wanted, { id: "acl_1", priority: 2, description }, false, {}, current).message).toBe(
    message,
  );
});

test("does not take an object for the lost one if it is older than the attempt by more than two seconds", () => {
  const at = Date.parse("2026-01-01T00:00:10Z");
  expect(isRecent("2026-01-01T00:00:05Z", at, 3_000)).toBe(true);
  expect(isRecent("2026-01-01T00:00:04.999Z", at, 3_000)).toBe(false);
});

test("takes an equal object for the lost one if it was created during the attempt", async () => {
  const at = Date.parse("2026-01-01T00:01:00Z");
  const made = (id: string, seconds: number) => ({ id, created_at: new Date(at - seconds * 1000).toISOString() });
  const found = [made("old", 6), made("other", 1), made("ours", 5)];
  const clock = { now: () => 1_003_000 };
  const find = findCreated(
    clock,
    async () => ({ body: found, at }),
    ({ id }) => id !== "other",
  );
  expect(await find(1_000_000)).toEqual(made("ours", 5));
  expect(await find(1_000_001)).toBeUndefined();
});

let embedded: Embedded;

const looser = { ...policyBody(1), configuration: { action: "block", limit: 9_000 } };
const pause = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));
const limits = () => embedded.emulator.snapshot().rate_limit_policies.map(({ configuration }) => configuration);

test("a policy takes the callers of a policy that is deleted later", async () => {
  embedded = await embed();
  const { rateLimitPolicies } = embedded.tenant;
  const { id } = await rateLimitPolicies.create(policyBody(1));
  const creating = rateLimitPolicies.create(looser);
  await pause(100);
  await rateLimitPolicies.delete(id);
  await creating;
  expect(limits()).toEqual([looser.configuration]);
  expect(embedded.lines().filter((line) => line.startsWith("POST"))).toEqual([
    "POST /rate-limit-policies 201",
    "POST /rate-limit-policies 409",
    "POST /rate-limit-policies 201",
  ]);
});

test("a key takes the name of a key that is deleted later", async () => {
  embedded = await embed({ flags: ["tenant_acl_hmac_signature"] });
  const { networkAclKeys } = embedded.tenant;
  const key = (value: string) => ({ name: "edge", alg: "hmac-sha256" as const, value });
  const { id } = await networkAclKeys.create(key(Buffer.alloc(32, 1).toString("base64")), "a".repeat(64));
  const creating = networkAclKeys.create(key(Buffer.alloc(32, 2).toString("base64")), "b".repeat(64));
  await pause(100);
  await networkAclKeys.delete(id);
  expect((await creating).id).not.toBe(id);
});

test("an interrupt ends the wait", async () => {
  embedded = await embed({}, { priorityTimeouts: { giveUp: 600_000 } });
  const { rateLimitPolicies } = embedded.tenant;
  await rateLimitPolicies.create(policyBody(1));
  const creating = rateLimitPolicies.create(looser);
  await pause(100);
  embedded.tenant.stop();
  await expect(creating).rejects.toThrow();
});
