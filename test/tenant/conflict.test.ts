/** Creates that the service refuses because of an object that other calls delete. */
import { createOrConflict } from "../../src/tenant/conflict";
import { createDepartures } from "../../src/tenant/departures";
import { TenantError } from "../../src/tenant/error";

interface Item {
  readonly id: string;
}

const refused = new TenantError("conflict", "A policy for these applications exists.", { status: 409 });
const order = { waitForOthers: () => Promise.resolve(false) } as unknown as Parameters<typeof createDepartures>[0];

/** Each create takes one answer of `creates` and each read one of `reads`. The last one stays. */
function attempt(creates: readonly (Item | TenantError)[], reads: readonly (Item | undefined)[]) {
  const sent = { creates: 0, reads: 0 };
  const departures = createDepartures(order);
  departures.left("deleted");
  const claimed = new Set<string>();
  const findExisting = () => Promise.resolve(reads[Math.min(sent.reads++, reads.length - 1)]);
  const create = () => {
    const answer = creates[Math.min(sent.creates++, creates.length - 1)]!;
    return answer instanceof TenantError ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const creation = { noun: "policy", claimed, departures, findExisting, isDuplicate: () => false };
  return { sent, claimed, result: createOrConflict<Item>(creation, create) };
}

test("creates again if the other object is gone before it can be read", async () => {
  const { sent, claimed, result } = attempt([refused, { id: "new" }], [undefined]);
  await expect(result).resolves.toEqual({ id: "new" });
  expect(sent).toEqual({ creates: 2, reads: 1 });
  expect([...claimed]).toEqual(["new"]);
});

test("creates again if another object had the value by then, and this process deleted it", async () => {
  const { sent, result } = attempt([refused, refused, { id: "new" }], [undefined, { id: "deleted" }]);
  await expect(result).resolves.toEqual({ id: "new" });
  expect(sent).toEqual({ creates: 3, reads: 2 });
});

test("reports the service's conflict after three creates if no object explains it", async () => {
  const { sent, claimed, result } = attempt([refused], [undefined]);
  await expect(result).rejects.toBe(refused);
  expect(sent).toEqual({ creates: 3, reads: 3 });
  expect(claimed.size).toBe(0);
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
