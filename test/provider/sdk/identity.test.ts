/** Resource identity over the plugin protocol. */
import { decode, encode } from "../../../src/formats/cty/msgpack";
import type { Type } from "../../../src/formats/cty/type";
import type { Value } from "../../../src/formats/cty/value";
import {
  Diagnostic_Severity,
  type ApplyResourceChange_Response,
  type ResourceIdentityData,
} from "../../../src/provider/plugin/protocol/tfplugin6";
import { organizationMemberSet } from "../../../src/provider/resources/organization-member-set/definition";
import { rateLimitPolicy } from "../../../src/provider/resources/rate-limit-policy/definition";
import { createCodec } from "../../../src/provider/sdk/codec";
import { serveTenant, type Served } from "./support/tenant";

const policies = createCodec(rateLimitPolicy);
const sets = createCodec(organizationMemberSet);
const idType: Type = ["object", { id: "string" }];
const organizationType: Type = ["object", { organization_id: "string" }];

const identityOf = (sent: ResourceIdentityData | undefined, type: Type = idType) =>
  sent && decode(sent.identityData!.msgpack!, type);
const identity = (value: Value, type: Type = idType) => ({ identityData: { msgpack: encode(value, type) } });
const json = (stored: object) => ({ json: Buffer.from(JSON.stringify(stored)) });

const typeName = "tenant_rate_limit_policy";
const written = {
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: "default",
  configuration: { action: "allow" },
};

let served: Served;
beforeEach(async () => {
  served = await serveTenant({ seed: { organizations: [{ id: "org_quickstart000001", name: "staff" }] } });
});
afterEach(() => served.close());
const ask: Served["ask"] = (method, request) => served.ask(method, request);

/** Each apply has a process of its own. */
async function apply(prior: object | null, config: object | null, before?: ApplyResourceChange_Response) {
  await served.configure();
  const priorState = policies.encode(policies.fromPlain(prior));
  const wanted = policies.encode(policies.fromPlain(config));
  const planned = await ask("planResourceChange", {
    typeName,
    priorState,
    proposedNewState: wanted,
    config: wanted,
    priorPrivate: before?.private,
    priorIdentity: before?.newIdentity,
  });
  const applied = await ask("applyResourceChange", {
    typeName,
    priorState,
    plannedState: planned.plannedState,
    config: wanted,
    plannedPrivate: planned.plannedPrivate,
    plannedIdentity: planned.plannedIdentity,
  });
  const said = [...(planned.diagnostics ?? []), ...(applied.diagnostics ?? [])];
  expect(said.filter(({ severity }) => severity === Diagnostic_Severity.ERROR)).toEqual([]);
  return { planned, applied, state: policies.decode(applied.newState) };
}

test("declares one identity attribute for each resource, and requires it for an import", async () => {
  const { identitySchemas } = await ask("getResourceIdentitySchemas");
  const named = Object.entries<any>(identitySchemas).map(([type, { identityAttributes }]) => [
    type,
    identityAttributes.map((one: any) => [one.name, Buffer.from(one.type).toString(), one.requiredForImport]),
  ]);
  expect(Object.fromEntries(named)).toEqual({
    tenant_network_acl: [["id", '"string"', true]],
    tenant_network_acl_key: [["id", '"string"', true]],
    tenant_rate_limit_policy: [["id", '"string"', true]],
    tenant_organization_member_set: [["organization_id", '"string"', true]],
  });
});

test("sets the identity when it creates an object, and keeps it after reads, updates and the plan of a destroy", async () => {
  const made = await apply(null, written);
  const { id } = made.state as { id: string };
  expect(made.planned.plannedIdentity).toBeUndefined();
  expect(identityOf(made.applied.newIdentity)).toEqual({ id });

  const read = await ask("readResource", { typeName, currentState: made.applied.newState });
  expect(identityOf(read.newIdentity)).toEqual({ id });

  const prior = policies.known(made.state!);
  const changed = await apply(prior, { ...written, configuration: { action: "block", limit: 3 } }, made.applied);
  expect(identityOf(changed.planned.plannedIdentity)).toEqual({ id });
  expect(identityOf(changed.applied.newIdentity)).toEqual({ id });

  const gone = await apply(policies.known(changed.state!), null, changed.applied);
  expect(identityOf(gone.planned.plannedIdentity)).toEqual({ id });
  expect(gone.applied.newIdentity).toBeUndefined();
});

test("imports by identity, and refuses an invalid identity", async () => {
  const made = await apply(null, written);
  const own = identityOf(made.applied.newIdentity) as { id: string };
  const imported = await ask("importResourceState", { typeName, identity: identity(own) });
  const [first] = imported.importedResources!;
  expect(identityOf(first!.identity)).toEqual(own);
  expect(policies.decode(first!.state)).toMatchObject(own);

  const set = await ask("importResourceState", {
    typeName: "tenant_organization_member_set",
    identity: identity({ organization_id: "org_quickstart000001" }, organizationType),
  });
  expect(sets.decode(set.importedResources![0]!.state)).toMatchObject({ organization_id: "org_quickstart000001" });
  expect(identityOf(set.importedResources![0]!.identity, organizationType)).toEqual({
    organization_id: "org_quickstart000001",
  });

  const refusals = [
    [{ id: "consumer_selector:default" }, "which is not an id"],
    [{ id: "nonsense" }, "is not rlp_ followed by 21 characters"],
    [{ id: null }, "`identity.id` is missing"],
  ] as const;
  for (const [given, words] of refusals) {
    const { diagnostics } = await ask("importResourceState", { typeName, identity: identity(given) });
    expect(diagnostics).toMatchObject([{ detail: expect.stringContaining(words) }]);
  }
});

test("sets the identity of a moved state, and reads a stored identity", async () => {
  const moved = await ask("moveResourceState", {
    sourceTypeName: "auth0_organization_members",
    sourceProviderAddress: "registry.terraform.io/auth0/auth0",
    sourceState: json({ id: "org_1", organization_id: "org_1", members: ["auth0|1"] }),
    targetTypeName: "tenant_organization_member_set",
  });
  expect(identityOf(moved.targetIdentity, organizationType)).toEqual({ organization_id: "org_1" });
  const single = await ask("moveResourceState", {
    sourceTypeName: "auth0_organization_member",
    sourceProviderAddress: "registry.terraform.io/auth0/auth0",
    sourceState: json({ id: "org_1::auth0|1", organization_id: "org_1", user_id: "auth0|1" }),
    targetTypeName: "tenant_organization_member_set",
  });
  expect(sets.decode(single.targetState)).toMatchObject({ id: "org_1", members: ["auth0|1"], exclusive: false });
  const stored = await ask("upgradeResourceIdentity", { typeName, version: 0, rawIdentity: json({ id: "rlp_1" }) });
  expect(identityOf(stored.upgradedIdentity)).toEqual({ id: "rlp_1" });
});
