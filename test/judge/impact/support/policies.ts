/** Rate limit policies: their attributes, and objects of a tenant. */
import type { Values } from "../../../../src/judge/impact/model";
import type { TenantObject } from "../../../../src/judge/impact/state";

export const block = (limit: unknown) => ({ action: "block", limit });

export const policyValues = (consumer_selector: unknown, configuration: unknown, more: Values = {}): Values => ({
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector,
  configuration,
  ...more,
});

export const policy = (selector: unknown, configuration: unknown, more: Partial<TenantObject> = {}): TenantObject => ({
  address: `policy.${String(selector)}`,
  values: policyValues(selector, configuration),
  ...more,
});
