/** Notes on network ACLs that are adopted. */
import { aclNotes } from "../../src/impact/network-acl/notes";
import type { Values } from "../../src/impact/model";
import { everywhere, values } from "./support/acls";

const notes = (acls: readonly Values[], keys: readonly Values[] = []) => [...aclNotes(acls, keys)];
const signed = (...ids: string[]) => ({ http_message_signature: { keys: ids.map((id) => ({ id })) } });
const keysNote = (words: string) =>
  `It names the ${words}, because the service does not show key material. You can refer to a tenant_network_acl_key resource instead.`;

test("an ordinary ACL has no note", () => {
  expect(notes([values(1, { match: { asns: [1] } }), values(2, { match: { asns: [2] } })])).toEqual([
    ["acl_1", []],
    ["acl_2", []],
  ]);
});

test("an ACL that other ACLs shadow needs another priority", () => {
  const first = values(1, { match: everywhere }, { description: 'a "b"' });
  expect(notes([first, values(2, { match: { asns: [1] } })])[1]).toEqual([
    "acl_2",
    ['It can never match: shadowed by "a \\"b\\"" (priority 1). Give it a lower priority number, or remove it.'],
  ]);
});

test("an ACL whose criteria contradict each other needs other criteria", () => {
  const [[, found]] = notes([values(1, { match: { asns: [1] }, not_match: { asns: [1] } })]) as [[string, string[]]];
  expect(found).toEqual([
    expect.stringMatching(/^It can never match: .*asns.*\. Narrow not_match, or remove this network ACL\.$/),
  ]);
});

test("ACLs with the same priority collide", () => {
  const twice = [1, 2].map((asn) => values(7, { match: { asns: [asn] } }, { id: `acl_${asn}` }));
  const note = ["Another network ACL also has priority 7. Change one of the two."];
  expect(notes(twice)).toEqual([
    ["acl_1", note],
    ["acl_2", note],
  ]);
});

test("Early Access features are named", () => {
  expect(notes([values(1, { match_all: true })])[0]![1]).toEqual([
    "match_all is an Early Access feature, which the service may change.",
  ]);
  expect(notes([values(1, { match: { auth0_managed: ["auth0.tor"], ...signed("k1") } })])[0]![1]).toEqual([
    "auth0_managed and http_message_signature are Early Access features, which the service may change.",
    keysNote("key k1 by its id"),
  ]);
});

test("keys are named by name and id if the tenant has them", () => {
  const early = "http_message_signature is an Early Access feature, which the service may change.";
  const acl = values(1, { match: signed("k1"), not_match: signed("k2") });
  expect(notes([acl], [{ id: "k1", name: "edge" }])[0]![1]).toEqual([
    early,
    keysNote('keys "edge" (k1) and k2 by their ids'),
  ]);
});

test("an unknown description stays unknown", () => {
  expect(notes([values(1, { match: { asns: [1] } }, { description: undefined })])).toEqual([["acl_1", []]]);
});
