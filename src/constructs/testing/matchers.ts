/** The matchers for jest and vitest. */
import { inspected, problemOf } from "./verdict";
import type { Requests } from "../bindings/requests";
import type { Limit, Members } from "../expectation";
import type { Except } from "./statement";

/** The context that jest and vitest give to a matcher. */
interface Context {
  readonly isNot?: boolean;
}

interface Result {
  readonly pass: boolean;
  message(): string;
}

/** The matchers as `expect` has them. */
export interface TenantMatchers<R = void> {
  /**
   * Every request with these facts is blocked.
   * @example
   * expect(stack).toBlock({ scopes: "authentication", countries: ["KP", "IR"] });
   */
  toBlock(requests?: Requests | readonly Requests[], options?: Except): R;
  /**
   * Every request with these facts is allowed and not redirected.
   * @example
   * expect(stack).toReach({ scopes: "management", ipCidrs: "203.0.113.7" });
   */
  toReach(requests?: Requests | readonly Requests[], options?: Except): R;
  /**
   * Every request with these facts is redirected.
   * @example
   * expect(stack).toRedirect({ scopes: "authentication", hostnames: "old.example.com" });
   */
  toRedirect(requests?: Requests | readonly Requests[], options?: Except): R;
  /**
   * An ACL with the action `log` records every request with these facts.
   * @example
   * expect(stack).toLog({ managed: "auth0.tor" });
   */
  toLog(requests?: Requests | readonly Requests[], options?: Except): R;
  /**
   * The rate limit of these callers is within the bounds.
   * @example
   * expect(stack).toLimit({ consumer: "third_party_clients", atMost: 50 });
   */
  toLimit(limit: Limit): R;
  /**
   * The organization has, or lacks, these members.
   * @example
   * expect(stack).toHaveMembers("org_9ybsU1dN2dKfDkBi", { include: "auth0|ada", atLeast: 2 });
   */
  toHaveMembers(organization: string, members: Members): R;
}

/** Give these to `expect.extend`. */
export const matchers = {
  toBlock: matcher("toBlock"),
  toReach: matcher("toReach"),
  toRedirect: matcher("toRedirect"),
  toLog: matcher("toLog"),
  toLimit: matcher("toLimit"),
  toHaveMembers: matcher("toHaveMembers"),
} as const satisfies Record<keyof TenantMatchers, unknown>;

function matcher(name: keyof TenantMatchers) {
  return function (this: Context | void, subject: unknown, ...given: unknown[]): Result {
    const isNot = this?.isNot === true;
    const problem = problemOf(subject, { name, given, isNot });
    return {
      pass: isNot === (problem !== undefined),
      message: () => `expect(stack)${isNot ? ".not" : ""}.${name}(${inspected(given, subject)})\n\n${problem}`,
    };
  };
}
