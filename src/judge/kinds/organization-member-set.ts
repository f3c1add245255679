/** The members of an organization. */
import { textOf, type Kind } from "./kind";

export const organizationMemberSet: Kind = {
  name: "organization_member_set",
  type: "tenant_organization_member_set",
  goProvider: [{ type: "auth0_organization_members" }, { type: "auth0_organization_member", entry: "user_id" }],
  construct: "OrganizationMemberSet",
  noun: "organization member set",
  plural: "organization members",
  shortNoun: "set",
  family: "organization_members",
  path: "/organizations",
  // An update adds and removes members.
  scopes: { create: ["create"], update: ["create", "delete"], delete: ["delete"] },
  identity: { attribute: "organization_id", noun: "organization", prefix: "org_" },
  uniqueKey: ["organization_id"],
  dataSource: { type: "tenant_organization_members", filters: ["organization_id"] },
  attributes: [
    "organization_id",
    "members",
    "members_with_notes",
    "exclusive",
    "remove_existing",
    "max_removals",
    "allow_empty",
    "on_destroy",
  ],
  list: { attribute: "members", noun: "member", exclusive: "exclusive" },
  adoption: {
    option: "members",
    file: ["members"],
    head: "The members of each organization. The next apply removes every member that is not listed.",
    suggest: ({ organization_id: id }, title) => ({ texts: [title], marks: [textOf(id)] }),
  },
};
