/** The shipped provider gets the calls of Pulumi's bridge, which differ from Terraform's. */
import { createEmulator, type Emulator } from "../../src/emulator/emulator";
import { greet, startProgram } from "../plugin/support/program";
import { errors, startBridge, type Objects } from "../support/bridge";
import { executable } from "../support/installation";

const organization = "org_bridge0000000001";
const users = ["auth0|ada", "auth0|grace", "auth0|edsger"];

let emulator: Emulator;
let url: string;
let isWritten: () => void;
let set: Objects;
let policy: Objects;
let acl: Objects;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  isWritten = () => {};
  emulator = createEmulator({
    seed: { organizations: [{ id: organization, name: "acme" }] },
    onRequest: ({ method, status }) => method === "PUT" && status === 200 && isWritten(),
  });
  const tenant = await emulator.listen();
  closing.push(() => tenant.close());
  url = tenant.url;
  await startProvider();
});

async function startProvider(): Promise<void> {
  const started = startProgram(executable, {
    env: {
      TENANT_ENDPOINT: url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    },
  });
  const client = await greet(started);
  closing.push(
    () => started[Symbol.asyncDispose](),
    () => client.close(),
  );
  const objects = await startBridge(client);
  set = objects("tenant_organization_member_set");
  policy = objects("tenant_rate_limit_policy");
  acl = objects("tenant_network_acl");
}
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const members = () =>
  emulator
    .snapshot()
    .organizations[0]!.members.map(([id]) => id)
    .toSorted();

test("creates and updates a member set that is planned twice", async () => {
  const made = await set.update({ organization_id: organization, members: users.slice(0, 2) });
  expect(errors(made)).toEqual([]);
  const updated = await set.update({ organization_id: organization, members: users }, made);
  expect(errors(updated)).toEqual([]);
  expect(members()).toEqual(users.toSorted());
});

test("finds two sets for one organization", async () => {
  await set.plan({ organization_id: organization, members: users.slice(0, 1) });
  await set.plan({ organization_id: organization, members: users.slice(0, 1) });
  const second = await set.plan({ organization_id: organization, members: users.slice(1) });
  expect(errors(second)).toMatchObject([{ summary: expect.stringContaining("Two sets for one organization") }]);
});

test("checks a destroy without a plan when it is called", async () => {
  const made = await set.update({ organization_id: organization, members: users, max_removals: 1 });
  expect(errors(made)).toEqual([]);
  const refused = await set.destroy(made);
  expect(errors(refused)).toHaveLength(1);
  expect(members()).toEqual(users.toSorted());
  expect(refused.state).toEqual(made.state);
});

test("refuses a rename that would adopt the object and then delete it, with the commands of the engine", async () => {
  const given = { consumer_selector: "default", configuration: { action: "allow" } };
  const earlier = await policy.update(given);
  expect(errors(earlier)).toEqual([]);
  // The next run is another process, which knows nothing about the one before.
  await startProvider();
  const again = await policy.update(given);
  const remedy = /`aliases`.* pulumi import tenant:index\/rateLimitPolicy:RateLimitPolicy NAME rlp_/;
  expect(errors(again)).toMatchObject([
    { summary: "The rate limit policy exists already", detail: expect.stringMatching(remedy) },
  ]);
  expect(errors(await policy.destroy(earlier))).toEqual([]);
  expect(emulator.store.rateLimitPolicies.size).toBe(0);
});

test("does not import an object that does not exist", async () => {
  expect(errors(await policy.import("rlp_4iRjCsFv3kbK8qCcXRt1aB"))).toMatchObject([{ summary: "Nothing to import" }]);
});

test("completes a failed swap of priorities without its state in the next run", async () => {
  const rule = { action: { block: true }, match: { asns: [64496] }, scope: "authentication" };
  const wanting = (description: string, priority: number) => ({ description, priority, rule });
  const made = await Promise.all([acl.update(wanting("a", 1)), acl.update(wanting("b", 2))]);
  expect(made.flatMap(errors)).toEqual([]);
  const swap = () => Promise.all([acl.update(wanting("a", 2), made[0]), acl.update(wanting("b", 1), made[1])]);
  const standing = () =>
    emulator.snapshot().network_acls.map(({ id, description, priority }) => [id, description, priority]);

  await startProvider();
  isWritten = () => void emulator.faults.add({ method: "PUT", status: 400 });
  expect((await swap()).map((applied) => errors(applied).length)).toEqual([1, 1]);
  expect(standing()).toContainEqual([expect.any(String), expect.any(String), 3]);
  emulator.faults.clear();
  isWritten = () => {};
  await startProvider();
  expect((await swap()).flatMap(errors)).toEqual([]);
  expect(standing().toSorted()).toEqual(
    [
      [made[0].state.id, "a", 2],
      [made[1].state.id, "b", 1],
    ].toSorted(),
  );
});
