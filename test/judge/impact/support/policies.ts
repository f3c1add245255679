/** Rate limit policies for tests of expectations. */
import type { TenantObject } from "../../../../src/judge/impact/state";

export const block = (limit: unknown) => ({ action: "block", limit });

export const policy = (
  consumer_selector: unknown,
  configuration: unknown,
  more: Partial<TenantObject> = {},
): TenantObject => ({
  address: `policy.${String(consumer_selector)}`,
  values: { resource: "oauth_authentication_api", consumer: "client", consumer_selector, configuration },
  ...more,
});
