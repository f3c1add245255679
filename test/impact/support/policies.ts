/** Rate limit policies for tests of expectations. */
import type { StatedObject } from "../../../src/impact/expectation/judge";

export const block = (limit: unknown) => ({ action: "block", limit });

export const policy = (
  consumer_selector: unknown,
  configuration: unknown,
  more: Partial<StatedObject> = {},
): StatedObject => ({
  address: `policy.${String(consumer_selector)}`,
  values: { resource: "oauth_authentication_api", consumer: "client", consumer_selector, configuration },
  ...more,
});
