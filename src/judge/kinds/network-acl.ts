/** Network ACLs. */
import { textOf, type Kind } from "./kind";

/** The most ACLs of a tenant, with an Enterprise subscription and the Attack Protection add-on. */
export const mostAcls = 10;

export const networkAcl: Kind = {
  name: "network_acl",
  type: "tenant_network_acl",
  goProvider: [{ type: "auth0_network_acl" }],
  deployCli: "networkACLs",
  construct: "NetworkAcl",
  noun: "network ACL",
  plural: "network ACLs",
  shortNoun: "acl",
  family: "network_acls",
  path: "/network-acls",
  scopes: { create: ["create"], update: ["update"], delete: ["delete"] },
  identity: { attribute: "id", noun: "network ACL", prefix: "acl_" },
  uniqueKey: ["priority"],
  most: mostAcls,
  dataSource: { type: "tenant_network_acls", objects: "network_acls", filters: [] },
  attributes: ["description", "active", "priority", "rule"],
  adoption: {
    option: "acls",
    file: ["network", "acls"],
    head: "Network ACLs, in the order in which the tenant evaluates them.",
    order: "priority",
    suggest({ description, priority, rule }) {
      const { action, scope } = (rule ?? {}) as { readonly action?: object; readonly scope?: unknown };
      const place = `priority ${textOf(priority)}`;
      return {
        texts: [textOf(description), place],
        marks: [textOf(scope), Object.keys(action ?? {})[0] ?? "log", place],
      };
    },
  },
};

/** What Auth0 may change in a rule, by attribute. */
export const ruleFeatures = {
  match_all: "match_all",
  auth0_managed: "curated lists",
  http_message_signature: "HTTP message signatures",
} as const;
