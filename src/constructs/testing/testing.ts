/** What `tenantform/testing` exports: functions that throw, and matchers, for any test runner. */
import { AssertionError } from "node:assert";
import type { TenantMatchers } from "./matchers";
import { inspected, problemOf, type Check } from "./verdict";
import type { Subject } from "./state";

export { matchers, type TenantMatchers } from "./matchers";
export type { Requests } from "../bindings/requests";
export type { Limit, Members } from "../expectation";
export type { Subject } from "./state";
export type { Except } from "./statement";

// The same statements as functions that throw, for node:test and other runners.

type Assertion<N extends keyof TenantMatchers> = (subject: Subject, ...given: Parameters<TenantMatchers[N]>) => void;

function assertion<N extends keyof TenantMatchers>(called: string, name: N, isNot = false): Assertion<N> {
  return function assert(subject, ...given) {
    const check: Check = { name, given, isNot };
    const problem = problemOf(subject, check);
    if (problem === undefined) return;
    const message = `${called}(stack${given.length > 0 ? `, ${inspected(given, subject)}` : ""})\n\n${problem}`;
    throw new AssertionError({ message, operator: called, stackStartFn: assert });
  };
}

/**
 * Throws if a request with these facts is not blocked.
 * @example
 * assertBlocked(stack, { scopes: "authentication", countries: ["KP", "IR"] });
 */
export const assertBlocked = assertion("assertBlocked", "toBlock");
/** Throws if every request with these facts is blocked. */
export const assertNotBlocked = assertion("assertNotBlocked", "toBlock", true);
/**
 * Throws if a request with these facts is blocked or redirected.
 * @example
 * assertReached(stack, { scopes: "management", ipCidrs: "203.0.113.7" });
 */
export const assertReached = assertion("assertReached", "toReach");
/** Throws if every request with these facts is allowed and not redirected. */
export const assertNotReached = assertion("assertNotReached", "toReach", true);
/** Throws if a request with these facts is not redirected. */
export const assertRedirected = assertion("assertRedirected", "toRedirect");
/** Throws if every request with these facts is redirected. */
export const assertNotRedirected = assertion("assertNotRedirected", "toRedirect", true);
/** Throws if no ACL with the action `log` records a request with these facts. */
export const assertLogged = assertion("assertLogged", "toLog");
/** Throws if every request with these facts is logged. */
export const assertNotLogged = assertion("assertNotLogged", "toLog", true);
/**
 * Throws if the rate limit of these callers is outside the bounds.
 * @example
 * assertLimited(stack, { consumer: "third_party_clients", atMost: 50 });
 */
export const assertLimited = assertion("assertLimited", "toLimit");
/** Throws if the rate limit of these callers is within the bounds. */
export const assertNotLimited = assertion("assertNotLimited", "toLimit", true);
/**
 * Throws if the organization does not have, or lack, these members.
 * @example
 * assertMembers(stack, "org_9ybsU1dN2dKfDkBi", { include: "auth0|ada", atLeast: 2 });
 */
export const assertMembers = assertion("assertMembers", "toHaveMembers");
/** Throws if the organization has, or lacks, all these members. */
export const assertNotMembers = assertion("assertNotMembers", "toHaveMembers", true);
