/** The definition of a member set refuses what cannot be meant, and warns of ids that are probably mistakes. */
import { organizationMemberSet } from "../../../src/resources/organization-member-set/definition";
import { judged } from "../support/judged";

const said = (written: object) => judged(organizationMemberSet, { organization_id: "org_1", ...written });

test("accepts user ids of any connection", () => {
  expect(said({ members: ["auth0|a", "email|ada@example.com", "google-oauth2|1", "custom-id"] })).toEqual([]);
});

test.each<[string, object]>([
  ["error: `members` and `members_with_notes` are both given", { members: [], members_with_notes: { "auth0|a": "" } }],
  ["error: Neither `members` nor `members_with_notes` is given", {}],
  ['error: `members_with_notes["auth0|a"]` is null: give a string', { members_with_notes: { "auth0|a": null } }],
  ['error: `members_with_notes` has the key "": give user ids', { members_with_notes: { "": "x" } }],
  ['warning: "ada@example.com" is an e-mail address', { members: ["ada@example.com"] }],
  ['warning: "ada@example.com" is an e-mail address', { members_with_notes: { "ada@example.com": "Ada" } }],
  ['warning: "auth0|a " has spaces around it. You probably mean "auth0|a".', { members: ["auth0|a "] }],
  ['and "auth0|a" is listed too', { members: ["auth0|a ", "auth0|a"] }],
])("says %s", (words, written) => {
  expect(said(written)).toEqual([expect.stringContaining(words)]);
});
