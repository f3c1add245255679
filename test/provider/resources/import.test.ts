/** Imports by ids and by names that people know, and conversions of states of the Go provider. */
import { resource as acls } from "../../../src/provider/resources/network-acl/service";
import { resource as keys } from "../../../src/provider/resources/network-acl-key/service";
import { resource as memberSets } from "../../../src/provider/resources/organization-member-set/service";
import { resource as policies } from "../../../src/provider/resources/rate-limit-policy/service";
import type { Context } from "../../../src/provider/sdk/resource";
import type { Client } from "../../../src/provider/resources/client";

const listing = (...all: object[]) => ({ list: async () => all });
const tenant = {
  networkAcls: listing({ id: "acl_1", priority: 10 }),
  networkAclKeys: listing({ id: "key_1", name: "edge" }),
  rateLimitPolicies: listing(
    { id: "rlp_1", consumer_selector: "client_id:abc" },
    { id: "rlp_2", consumer_selector: "default" },
    { id: "rlp_3", consumer_selector: "default" },
  ),
};
const context = { client: { tenant } } as unknown as Context<Client>;
const resources = { acls, keys, memberSets, policies };
const importing = async (resource: keyof typeof resources, id: string) => resources[resource].import!(id, context);

const anAcl = `acl_${"a".repeat(22)}`;
const aPolicy = `rlp_${"a".repeat(21)}`;
const whole = { exclusive: true, remove_existing: false, on_destroy: "remove" };

test.each<[keyof typeof resources, string, object]>([
  ["acls", anAcl, { id: anAcl }],
  ["acls", "priority:10", { id: "acl_1" }],
  ["policies", aPolicy, { id: aPolicy }],
  ["policies", "consumer_selector:client_id:abc", { id: "rlp_1" }],
  ["keys", "key_8mJ2rTqZsWv5nYxB4cKdEf", { id: "key_8mJ2rTqZsWv5nYxB4cKdEf" }],
  ["keys", "name:edge", { id: "key_1" }],
  ["memberSets", "org_1", { ...whole, id: "org_1", organization_id: "org_1" }],
  ["memberSets", "org_1:auth0|a%2Cb,c", { organization_id: "org_1", exclusive: false, members: ["auth0|a,b", "c"] }],
])("imports %s by %s", async (resource, id, state) => expect(await importing(resource, id)).toMatchObject(state));

test.each<[keyof typeof resources, string, string]>([
  ["acls", "office", '"office" is not acl_ followed by 22 characters. Import by id (acl_…) or by priority'],
  ["acls", "priority:3", 'The tenant has no network ACL whose `priority` is "3".'],
  ["policies", "default", '"default" is not rlp_ followed by 21 characters.'],
  ["policies", "consumer_selector:nobody", 'has no rate limit policy whose `consumer_selector` is "nobody".'],
  ["policies", "consumer_selector:default", "import one of rlp_2, rlp_3 by its id"],
  ["keys", "edge", "Import by id (key_…) or by name (name:edge-2026)."],
  ["keys", "name:nobody", 'The tenant has no network ACL key whose `name` is "nobody".'],
  ["memberSets", "acme", '"acme" is not org_ followed by 16 characters.'],
])("refuses to import %s by %s", async (resource, id, words) => {
  await expect(importing(resource, id)).rejects.toMatchObject({ detail: expect.stringContaining(words) });
});

const times = { created_at: "t", updated_at: "t" };
const action = { allow: false, block: true, log: false, redirect: false, redirect_uri: "" };
const match = { asns: [1], auth0_managed: [], geo_country_codes: ["DE"], hostnames: null, ipv4_cidrs: [] };
const acl = (rule: object) => ({ id: "acl_1", description: "Office", active: false, priority: 3, rule });
const aclOf = (rule: object) => acl([{ action: [action], match: [], not_match: [], scope: "tenant", ...rule }]);
const policy = { id: "rlp_1", resource: "r", consumer: "c", consumer_selector: "default", ...times };
const key = { id: "key_1", name: "edge", alg: "hmac-sha256", fingerprint: "ab", ...times };
const members = { id: "org_1", organization_id: "org_1", members: ["a"] };

const blocks = (criteria: object) => acl({ action: { block: true }, ...criteria, scope: "tenant" });
const named = blocks({ match: { asns: [1], geo_country_codes: ["DE"] } });
const policyOf = (does: string) => ({ ...policy, configuration: [{ action: does, limit: 0, redirect_uri: "" }] });
const [allows, none] = [{ action: "allow" }, { action: "block", limit: 0 }];
const member = { id: "x", organization_id: "org_1", user_id: "a" };

test.each<[keyof typeof resources, string, object, object]>([
  ["acls", "auth0_network_acl", aclOf({ match: [match], match_all: false }), named],
  ["acls", "auth0_network_acl", aclOf({ match_all: true }), blocks({ match_all: true })],
  ["policies", "auth0_rate_limit_policy", policyOf("allow"), { ...policy, configuration: allows }],
  ["policies", "auth0_rate_limit_policy", policyOf("block"), { ...policy, configuration: none }],
  ["keys", "auth0_network_acl_key", { ...key, value: "" }, key],
  ["keys", "auth0_network_acl_key", { ...key, value: "secret" }, { ...key, value: "secret" }],
  ["memberSets", "auth0_organization_members", members, { ...members, ...whole }],
  ["memberSets", "auth0_organization_member", member, { ...members, ...whole, exclusive: false }],
])("converts %s from the state of %s: %j", (resource, type, stored, state) => {
  expect(resources[resource].moves![type]!(stored as never)).toEqual(state);
});
