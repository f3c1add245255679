/** The attributes of rate limit policies for tests of limits. */
import type { Values } from "../../../../src/judge/impact/model";

export const policy = (selector: unknown, configuration: unknown, more: Values = {}): Values => ({
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: selector,
  configuration,
  ...more,
});
