/** Adds the matchers to `expect` of jest: import this file in a test, or list it in `setupFilesAfterEnv`. */
import { expect } from "@jest/globals";
import { matchers, type TenantMatchers } from "./testing";

declare global {
  // @types/jest declares its matchers in a namespace.
  // eslint-disable-next-line typescript/no-namespace
  namespace jest {
    interface Matchers<R, T = {}> extends TenantMatchers<R> {}
  }
}

declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends TenantMatchers<R> {}
}

expect.extend(matchers);
