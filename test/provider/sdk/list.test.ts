/** List resources over the plugin protocol. */
import type { EmulatorOptions } from "../../../src/emulator/emulator";
import { decode } from "../../../src/formats/cty/msgpack";
import type { ListResource_Event } from "../../../src/provider/plugin/protocol/tfplugin6";
import { networkAcl } from "../../../src/provider/resources/network-acl/definition";
import { organizationMemberSet } from "../../../src/provider/resources/organization-member-set/definition";
import { list as policyList } from "../../../src/provider/resources/rate-limit-policy/service";
import { rateLimitPolicy } from "../../../src/provider/resources/rate-limit-policy/definition";
import { createCodec, type Codec } from "../../../src/provider/sdk/codec";
import { serveTenant, type Served } from "./support/tenant";

const acls = createCodec(networkAcl);
const policies = createCodec(rateLimitPolicy);
const sets = createCodec(organizationMemberSet);
const policyFilter = createCodec({ config: policyList.filter, description: "" });

let served: Served;
const open = async (options: EmulatorOptions) => void (served = await serveTenant(options, "1.15.0"));
afterEach(() => served.close());
const ask: Served["ask"] = (method, request) => served.ask(method, request);

async function list(typeName: string, request: object = {}): Promise<ListResource_Event[]> {
  const events: ListResource_Event[] = [];
  for await (const event of served.client.list("listResource", { typeName, limit: 100, ...request })) {
    events.push(event as ListResource_Event);
  }
  return events;
}

const identity = ({ identity: sent }: ListResource_Event, name = "id") =>
  decode(sent!.identityData!.msgpack!, ["object", { [name]: "string" }]) as Record<string, string>;
const state = (codec: Codec, { resourceObject }: ListResource_Event) => codec.known(codec.decode(resourceObject)!);
const asked = () =>
  served.emulator.requests.filter(({ path }) => path.startsWith("/api/")).map(({ path }) => path.split("?")[0]);

const policy = (index: number) => ({
  consumer_selector: `client_id:${index}`,
  configuration: { action: "block", limit: index },
});
const seed = {
  network_acls: [20, 10].map((priority) => ({
    description: `at ${priority}`,
    active: priority === 20,
    priority,
    rule: { action: { block: true }, match: { asns: [64496] }, scope: "tenant" },
  })),
  rate_limit_policies: Array.from({ length: 250 }, (_, index) => policy(index)),
  organizations: [
    { id: "org_quickstart000001", name: "staff", members: ["auth0|ada"] },
    { id: "org_quickstart000002", name: "nobody" },
  ],
};

test("lists objects in order with names and identities, and with states on request", async () => {
  await open({ seed });
  const bare = await list("tenant_network_acl");
  expect(bare.map(({ displayName }) => displayName)).toEqual(["at 10", "at 20"]);
  expect(bare.every(({ resourceObject }) => resourceObject === undefined)).toBe(true);
  const whole = await list("tenant_network_acl", { includeResourceObject: true });
  expect(whole.map((event) => [identity(event).id, state(acls, event).priority])).toEqual([
    [state(acls, whole[0]!).id, 10],
    [state(acls, whole[1]!).id, 20],
  ]);
});

test("ends at the limit, and keeps what the filter asks for", async () => {
  await open({ seed });
  expect(await list("tenant_rate_limit_policy", { limit: 100 })).toHaveLength(100);
  expect(await list("tenant_rate_limit_policy", { limit: 1000, includeResourceObject: true })).toHaveLength(250);
  const config = policyFilter.encode(policyFilter.fromPlain({ consumer_selector: "client_id:7" }));
  const found = await list("tenant_rate_limit_policy", { config, includeResourceObject: true });
  expect(found.map((event) => state(policies, event).configuration)).toEqual([{ action: "block", limit: 7 }]);
});

test("lists organizations without their members, and reads the members on request", async () => {
  await open({ seed });
  const bare = await list("tenant_organization_member_set");
  expect(bare.map((event) => [event.displayName, identity(event, "organization_id").organization_id])).toEqual([
    ["staff", "org_quickstart000001"],
    ["nobody", "org_quickstart000002"],
  ]);
  expect(asked()).toEqual(["/api/v2/organizations"]);
  const whole = await list("tenant_organization_member_set", { includeResourceObject: true, limit: 1 });
  expect(whole.map((event) => state(sets, event))).toMatchObject([{ members: ["auth0|ada"], exclusive: true }]);
});

test("skips an object that disappears before its state is read", async () => {
  await open({ seed });
  served.emulator.faults.add({ path: "/api/v2/organizations/org_quickstart000001/members", status: 404 });
  const names = async (request: object) =>
    (await list("tenant_organization_member_set", request)).map(({ displayName }) => displayName);
  expect(await names({ includeResourceObject: true })).toEqual(["nobody"]);
  expect(await names({})).toEqual(["staff", "nobody"]);
});

test("reports an error as an event of the list", async () => {
  await open({ seed });
  served.emulator.faults.add({ path: "/api/v2/rate-limit-policies", nth: 2, status: 403 });
  const found = await list("tenant_rate_limit_policy", { limit: 1000 });
  expect(found).toHaveLength(1);
  expect(found[0]!.diagnostic).toMatchObject([{ summary: "The tenant does not allow this" }]);

  const typeName = "tenant_organization_member_set";
  const filter = createCodec({ config: organizationMemberSet.config.pick({ organization_id: true }), description: "" });
  const config = filter.encode(filter.fromPlain({ organization_id: "" }));
  const { diagnostics } = await ask("validateListResourceConfig", { typeName, config });
  expect(diagnostics).toHaveLength(1);
  expect(await list(typeName, { config })).toMatchObject([{ diagnostic: [{ summary: "Invalid organization_id" }] }]);
});

test("generates a configuration without computed attributes and default values", async () => {
  await open({ seed });
  const [whole] = await list("tenant_organization_member_set", { includeResourceObject: true });
  const typeName = "tenant_organization_member_set";
  const { config } = await ask("generateResourceConfig", { typeName, state: whole!.resourceObject });
  expect(sets.known(sets.decode(config)!)).toEqual({ organization_id: "org_quickstart000001", members: ["auth0|ada"] });
});
