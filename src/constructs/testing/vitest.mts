/** Adds the matchers to `expect` of vitest: import this file in a test, or list it in `setupFiles`. */
import { expect } from "vitest";
import { matchers, type TenantMatchers } from "./testing.js";

declare module "vitest" {
  interface Matchers<T> extends TenantMatchers {}
}

expect.extend(matchers);
