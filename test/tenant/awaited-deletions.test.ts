/** New objects whose unique value gets free in the same apply, in any order of the calls. */
import { embed, policyBody, type Embedded } from "./support/embedded";

let embedded: Embedded;
afterEach(() => embedded.close());

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

test("a policy takes the callers of a policy whose deletion is under way, in a swap too", async () => {
  embedded = await embed();
  const { rateLimitPolicies } = embedded.tenant;
  const [one, two] = await Promise.all([1, 2].map((number) => rateLimitPolicies.create(policyBody(number))));
  const swap = async (id: string, number: number) => {
    if (number === 1) await pause(100);
    await rateLimitPolicies.delete(id);
    await rateLimitPolicies.create({ ...policyBody(number), configuration: { action: "block", limit: number } });
  };
  await Promise.all([swap(one!.id, 2), swap(two!.id, 1)]);
  expect(embedded.emulator.snapshot().rate_limit_policies).toHaveLength(2);
  expect(limits()).toEqual(expect.arrayContaining([1, 2].map((limit) => ({ action: "block", limit }))));
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
