/** Notes on network ACLs and policies that are adopted. */
import type { Values } from "../../src/impact/model";
import { adoptionNotes } from "../../src/impact/notes";
import { everywhere, values } from "./support/acls";
import { policy } from "./support/limits";
import { table } from "./support/table";

const signed = (...ids: string[]) => ({ http_message_signature: { keys: ids.map((id) => ({ id })) } });
const block = (limit: number) => ({ action: "block", limit });
const asn = (number: number) => ({ match: { asns: [number] } });

test("the notes on each object", () => {
  const same = [1, 2].map((number) => values(7, asn(number), { id: `acl_${number}` }));
  const shadowing = values(1, { match: everywhere }, { description: 'a "b"' });
  const policies = [
    policy("default", block(5), { id: "d" }),
    policy("client_id:a", block(5), { id: "a" }),
    policy("client_id:b", block(6), { id: "b" }),
    policy("client_id:c", block(5), { id: "c", resource: "management_api" }),
  ];
  const cases: [string, Record<string, Values[]>][] = [
    ["ordinary ACLs", { network_acl: [values(1, asn(1)), values(2, asn(2))] }],
    ["no description", { network_acl: [values(1, asn(1), { description: undefined })] }],
    ["shadowed", { network_acl: [shadowing, values(2, asn(1))] }],
    ["contradicting criteria", { network_acl: [values(1, { ...asn(1), not_match: { asns: [1] } })] }],
    ["one priority", { network_acl: same }],
    ["an Early Access feature", { network_acl: [values(1, { match_all: true })] }],
    ["two, and a key", { network_acl: [values(1, { match: { auth0_managed: ["auth0.tor"], ...signed("k1") } })] }],
    [
      "keys, one of which has a name",
      {
        network_acl: [values(1, { match: signed("k1"), not_match: signed("k2") })],
        network_acl_key: [{ id: "k1", name: "edge" }],
      },
    ],
    ["policies", { rate_limit_policy: policies }],
  ];
  const told = (objects: Record<string, Values[]>) =>
    [...adoptionNotes(({ name }) => objects[name] ?? [])].flatMap(([id, notes]) =>
      notes.map((note) => `${String(id)}: ${note}`),
    );
  expect(table(cases, told)).toMatchInlineSnapshot(`
    "
    shadowed: acl_2: It can never match: shadowed by "a \\"b\\"" (priority 1). Give it a lower priority number, or remove it.
    contradicting criteria: acl_1: It can never match: match.asns 1 is excluded by not_match.asns 1: no AS number is left to match. Narrow not_match, or remove this network ACL.
    one priority: acl_1: Another network ACL also has priority 7. Change one of the two. | acl_2: Another network ACL also has priority 7. Change one of the two.
    an Early Access feature: acl_1: match_all is an Early Access feature, which the service may change.
    two, and a key: acl_1: auth0_managed and http_message_signature are Early Access features, which the service may change. | acl_1: It names the key k1 by its id, because the service does not show key material. You can refer to a tenant_network_acl_key resource instead.
    keys, one of which has a name: acl_1: http_message_signature is an Early Access feature, which the service may change. | acl_1: It names the keys "edge" (k1) and k2 by their ids, because the service does not show key material. You can refer to a tenant_network_acl_key resource instead.
    policies: a: It is the same as the default policy. Keep it only if it must stay when the default changes.
    nothing: ordinary ACLs; no description
    "
  `);
});
