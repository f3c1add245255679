/** Priorities converge under an engine that discards the new state of failed updates and does not refresh before a plan. */
import { createEmulator, type Emulator } from "../../../src/emulator/emulator";
import { callsOf } from "../../../src/plugin/calls";
import { listen } from "../../../src/plugin/listener";
import { tenantProvider } from "../../../src/resources/provider";
import { handlersOf } from "../../../src/sdk/handlers";
import { connect } from "../../plugin/support/client";
import { errors, startBridge, type Held, type Objects } from "../../support/bridge";

let emulator: Emulator;
let url: string;
let isWritten: () => void;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  isWritten = () => {};
  emulator = createEmulator({
    onRequest: ({ method, status }) => method === "PUT" && status === 200 && isWritten(),
  });
  const tenant = await emulator.listen();
  url = tenant.url;
  closing.push(() => tenant.close());
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A new provider without the memory of earlier ones. */
async function startProvider(): Promise<Objects> {
  const environment = {
    TENANT_ENDPOINT: url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
  };
  const priorityTimeouts = { stepAside: 60, slot: 100, giveUp: 150 };
  const provider = tenantProvider("0.0.0-test", environment, { priorityTimeouts });
  const handlers = handlersOf(provider, { log: () => {} });
  const listening = await listen(callsOf(handlers));
  const client = connect(`unix:${listening.address}`);
  closing.push(
    () => listening.close(),
    () => client.close(),
    () => handlers.stopProvider!({}),
  );
  return (await startBridge(client))("tenant_network_acl");
}

/** Priorities by the description of the ACL. */
type Priorities = Readonly<Record<string, number>>;
type States = Readonly<Record<string, Held>>;

const rule = { action: { block: true }, match: { asns: [64496] }, scope: "authentication" };

interface Ended {
  /** The new states of ACLs that succeeded, and the old states of ACLs that failed. */
  readonly states: States;
  readonly failed: number;
}

/** One run of the engine in a process of its own. The run updates only ACLs whose state differs from the configuration. */
async function run(wanted: Priorities, states: States, parallel: number, { refresh = false } = {}): Promise<Ended> {
  const acl = await startProvider();
  const kept: Record<string, Held> = { ...states };
  if (refresh) for (const [name, held] of Object.entries(states)) kept[name] = await acl.refresh(held);
  const left = Object.entries(wanted).filter(([name, priority]) => kept[name]?.state.priority !== priority);
  let failed = 0;
  const slot = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, priority] = next;
      const updated = await acl.update({ description: name, priority, rule }, kept[name]);
      if (errors(updated).length > 0) failed++;
      else kept[name] = updated;
    }
  };
  await Promise.all(Array.from({ length: parallel }, slot));
  return { states: kept, failed };
}

const standing = () =>
  Object.fromEntries(emulator.snapshot().network_acls.map(({ description, priority }) => [description, priority]));
const ids = () =>
  emulator
    .snapshot()
    .network_acls.map(({ id }) => id)
    .toSorted();
const turned = (priorities: Priorities) => Object.fromEntries(Object.entries(priorities).toReversed());

/** ACLs with their old priorities, except one ACL at a temporary priority when all other updates began to fail. */
async function parked(before: Priorities, wanted: Priorities): Promise<States> {
  const { states, failed } = await run(before, {}, 10);
  expect(failed).toBe(0);
  isWritten = () => void emulator.faults.add({ method: "PUT", status: 400 });
  const broken = await run(wanted, states, 10);
  isWritten = () => {};
  emulator.faults.clear();
  expect(broken.failed).toBe(Object.keys(wanted).length);
  expect(broken.states).toEqual(states);
  const elsewhere = Object.entries(standing()).filter(([name, priority]) => priority !== before[name]);
  expect(elsewhere).toEqual([[expect.any(String), Object.keys(before).length + 1]]);
  return states;
}

const swapped = { before: { a: 1, b: 2 }, wanted: { a: 2, b: 1 } };
const rotated = { before: { a: 1, b: 2, c: 3 }, wanted: { a: 2, b: 3, c: 1 } };
const cases = [swapped, rotated].flatMap(({ before, wanted }) =>
  [1, 2, 10].flatMap((parallel) => [
    { order: Object.keys(wanted).join(), before, wanted, parallel, refresh: false },
    { order: Object.keys(wanted).toReversed().join(), before, wanted: turned(wanted), parallel, refresh: true },
  ]),
);

test.each(cases)(
  "reaches the configured priorities after a failed apply: order $order, $parallel at a time, refreshed: $refresh",
  async ({ before, wanted, parallel, refresh }) => {
    const states = await parked(before, wanted);
    const made = ids();
    const healed = await run(wanted, states, parallel, { refresh });
    expect(standing()).toEqual(wanted);
    expect(ids()).toEqual(made);
    // With one call at a time, an ACL that comes first cannot know that the holder of its priority will change.
    if (parallel > 1) expect(healed.failed).toBe(0);
    const next = await run(wanted, healed.states, parallel);
    expect(next.failed).toBe(0);
    expect(standing()).toEqual(wanted);
  },
);

test("returns the temporary priority of an ACL when the service refuses its second update", async () => {
  const { before, wanted } = swapped;
  const { states } = await run(before, {}, 10);
  const acl = await startProvider();
  let written = 0;
  isWritten = () => void (++written === 2 && emulator.faults.add({ method: "PUT", status: 400 }));
  const answers = await Promise.all(
    Object.entries(wanted).map(([name, priority]) => acl.update({ description: name, priority, rule }, states[name])),
  );
  const refused = answers.filter((answer) => errors(answer).length > 0);
  expect(refused.flatMap(errors)).toMatchObject([{ summary: "Auth0 refuses the configuration" }]);
  expect(refused.map(({ state }) => state.priority)).toEqual([3]);
  expect(Object.values(standing())).toContain(3);
});
