/** The values of network ACLs, policies and member sets, and an object that a plan keeps. */
import type { Values } from "../../../src/judge/impact/model";
import { change, type Marked } from "./plan";

export const acl = (priority: number, rule: Values, more: Values = {}): Values => ({
  id: `acl_${priority}`,
  description: `ACL ${priority}`,
  active: true,
  priority,
  rule: { scope: "tenant", not_match: null, ...rule },
  ...more,
});

export const block = { block: true, allow: null };
export const allow = { allow: true };

export const policy = (selector: string, configuration: Values): Values => ({
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: selector,
  configuration,
});

export const members = (organization: string, ids: readonly string[], more: Values = {}): Values => ({
  organization_id: organization,
  members: ids,
  exclusive: true,
  on_destroy: "remove",
  ...more,
});

export const kept = (address: string, values: Values, marked?: Marked) => change(address, values, values, marked);
