import { createSnapshot, dropping } from "../../src/tenant/snapshot";
import { gate } from "./support/gate";

/** Each read returns how many reads there were. */
function counted(fails: (read: number) => boolean = () => false) {
  let reads = 0;
  return createSnapshot(async () => {
    const read = ++reads;
    if (fails(read)) throw new Error(`failed ${read}`);
    return read;
  });
}

test("fails all waiting calls with a failed read, and does not keep it", async () => {
  const snapshot = counted((read) => read === 1);
  await Promise.all([snapshot.read(), snapshot.read()].map((read) => expect(read).rejects.toThrow("failed 1")));
  expect([await snapshot.read(), await snapshot.read()]).toEqual([2, 2]);
});

test("ignores the failure of a read that was dropped before", async () => {
  const leave = gate();
  let reads = 0;
  const snapshot = createSnapshot(async () => {
    if (++reads > 1) return reads;
    await leave.opened;
    throw new Error("failed");
  });
  const first = snapshot.read();
  snapshot.drop();
  expect(await snapshot.read()).toBe(2);
  leave.open();
  await expect(first).rejects.toThrow("failed");
  expect(await snapshot.read()).toBe(2);
});

test("drops everything that was read before or during a write", async () => {
  const snapshot = counted();
  expect(await snapshot.read()).toBe(1);
  const during = await dropping(snapshot, async () => [await snapshot.read(), await snapshot.read()]);
  expect(during).toEqual([2, 2]);
  expect(await snapshot.read()).toBe(3);
  const broken = dropping(snapshot, () => Promise.reject(new Error("broken")));
  await expect(broken).rejects.toThrow("broken");
  expect(await snapshot.read()).toBe(4);
});
