/** Keys that let rules of network ACLs recognize signed requests. */
import { textOf, type Kind } from "./kind";

/** The most keys that a tenant may have. */
export const mostKeys = 10;

export const networkAclKey: Kind = {
  name: "network_acl_key",
  type: "tenant_network_acl_key",
  goProvider: [{ type: "auth0_network_acl_key" }],
  construct: "NetworkAclKey",
  noun: "network ACL key",
  plural: "network ACL keys",
  shortNoun: "key",
  family: "network_acl_keys",
  path: "/keys/network-acls",
  // The service cannot update a key: such a change concerns the state alone.
  scopes: { create: ["create"], update: [], delete: ["delete"] },
  identity: { attribute: "id", noun: "network ACL key", prefix: "key_" },
  uniqueKey: ["name"],
  most: mostKeys,
  actsThrough: "network_acls",
  dataSource: { type: "tenant_network_acl_keys", objects: "network_acl_keys", filters: [] },
  attributes: ["name", "name_prefix", "alg", "value_wo", "value"],
  secret: { attribute: "value_wo", noun: "material" },
  derived: { name: "name_prefix" },
  earlyAccess: "keys of HTTP message signatures",
  adoption: {
    option: "keys",
    file: ["network", "acl", "keys"],
    head: "Keys of HTTP message signatures. They are in Early Access: Auth0 may change them.",
    suggest({ id, name, name_prefix: prefix, fingerprint }) {
      return { texts: [textOf(prefix ?? name)], marks: [textOf(fingerprint ?? id).slice(0, 8)] };
    },
  },
};
