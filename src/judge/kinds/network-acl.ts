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

export type EarlyAccess = keyof typeof ruleFeatures;

/** The features of a rule, by the names of their attributes. */
export function earlyAccessIn(rule: unknown): EarlyAccess[] {
  const { match_all, match, not_match } = asObject(rule);
  const sides = [match, not_match].map(asObject);
  return (Object.keys(ruleFeatures) as EarlyAccess[]).filter((name) =>
    name === "match_all" ? match_all === true : sides.some((side) => side[name] !== undefined && side[name] !== null),
  );
}

/** No attributes if the value is no object. */
const asObject = (value: unknown) => ({ ...(value as { readonly [name: string]: unknown }) });
