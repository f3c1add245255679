/** Writes expectations in few words. */
import type { Requests } from "./bindings/requests";
import type { TenantProviderExpectation, TenantProviderExpectationRequest } from "./bindings/provider";

type OneOrMore<T> = T | readonly T[];

/** The callers of a policy, and the bounds of its limit in requests per second. */
export interface Limit {
  /** `client`, or a selector such as `third_party_clients`. */
  readonly consumer: string;
  /** The callers of this consumer, such as `client_id:abc`. */
  readonly consumerSelector?: string;
  /** The limit exists, and is at most this many requests per second. */
  readonly atMost?: number;
  /** The limit is at least this many requests per second, or there is none. */
  readonly atLeast?: number;
}

/** The user ids that an organization has or lacks, and the bounds of their number. */
export interface Members {
  /** The organization has each of these users. */
  readonly include?: OneOrMore<string>;
  /** The organization has none of these users. */
  readonly exclude?: OneOrMore<string>;
  /** The organization has at least this many members. */
  readonly atLeast?: number;
  /** The organization has at most this many members. */
  readonly atMost?: number;
}

export interface ExpectationOptions {
  /** `error` refuses a plan that breaks the expectation; `warning` warns. Default: `error`. */
  readonly severity?: "error" | "warning";
}

/** An expectation that does not say yet what must be true. */
export interface OpenExpectation {
  /**
   * All requests with these attributes. Several objects mean the requests of each of them; none means every request.
   * @example
   * expectation("sanctions").that({ scopes: "authentication", countries: ["KP", "IR"] })
   */
  that(...requests: readonly Requests[]): RequestExpectation;
  /**
   * The rate limit of these applications is within the bounds.
   * @example
   * expectation("third parties").limits({ consumer: "third_party_clients", atMost: 50 })
   */
  limits(limit: Limit): TenantProviderExpectation;
  /**
   * The organization has, or lacks, these members.
   * @example
   * expectation("administrators").hasMembers("org_9ybsU1dN2dKfDkBi", { include: "auth0|65f0c2a4", atLeast: 2 })
   */
  hasMembers(organizationId: string, members: Members): TenantProviderExpectation;
}

/** An expectation about requests that does not have an outcome yet. */
export interface RequestExpectation {
  /**
   * Leaves these requests out.
   * @example
   * expectation("DE").that({ countries: "DE" }).except({ managed: "auth0.tor" }).isReached()
   */
  except(...requests: readonly Requests[]): RequestExpectation;
  /**
   * An ACL blocks each request.
   * @example
   * expectation("KP").that({ scopes: "authentication", countries: "KP" }).isBlocked()
   */
  isBlocked(): TenantProviderExpectation;
  /**
   * Each request is allowed and not redirected.
   * @example
   * expectation("our CI").that({ scopes: "management", ipCidrs: "203.0.113.7" }).isReached()
   */
  isReached(): TenantProviderExpectation;
  /**
   * An ACL redirects each request.
   * @example
   * expectation("VPNs").that({ scopes: "authentication", managed: "auth0.vpn" }).isRedirected()
   */
  isRedirected(): TenantProviderExpectation;
  /**
   * An ACL with the action `log` records each request.
   * @example
   * expectation("new networks").that({ asns: 64496 }).isLogged()
   */
  isLogged(): TenantProviderExpectation;
  /**
   * Each request has one of the outcomes.
   * @example
   * expectation("Tor").that({ managed: "auth0.tor" }).isOneOf("blocked", "redirected")
   */
  isOneOf(...outcomes: readonly Outcome[]): TenantProviderExpectation;
}

type Outcome = "blocked" | "reached" | "redirected" | "logged";

/**
 * A statement about your tenant that every plan checks. Give it to `expectations` of the TenantProvider.
 * @example
 * expectation("sanctions").that({ scopes: "authentication", countries: ["KP", "IR"] }).isBlocked()
 */
export function expectation(name: string, options: ExpectationOptions = {}): OpenExpectation {
  const common = { name, ...options };
  return {
    that: (...requests) => requestExpectation(common, requests.map(lists), []),
    limits: (limit) => ({ ...common, policy: present('{ consumer: "default", atMost: 50 }', limit) }),
    hasMembers: (organizationId, members) => ({ ...common, members: { ...lists(members), organizationId } }),
  };
}

function requestExpectation(
  common: ExpectationOptions & { readonly name: string },
  request: TenantProviderExpectationRequest[],
  except: TenantProviderExpectationRequest[],
): RequestExpectation {
  const made = (end: Pick<TenantProviderExpectation, "outcome" | "oneOf">): TenantProviderExpectation => ({
    ...common,
    ...end,
    ...(request.length > 0 && { request }),
    ...(except.length > 0 && { except }),
  });
  return {
    except: (...more) => requestExpectation(common, request, [...except, ...more.map(lists)]),
    isBlocked: () => made({ outcome: "blocked" }),
    isReached: () => made({ outcome: "reached" }),
    isRedirected: () => made({ outcome: "redirected" }),
    isLogged: () => made({ outcome: "logged" }),
    isOneOf: (...outcomes) => made({ oneOf: [...outcomes] }),
  };
}

/** Terraform takes a list of values for each attribute. A bound is a number. */
function lists(values: object): TenantProviderExpectationRequest {
  const entries = Object.entries(present('{ countries: "KP" } or { include: "auth0|ada" }', values)).map(
    ([name, value]) => {
      return [name, Array.isArray(value) || name === "atLeast" || name === "atMost" ? value : [value]] as const;
    },
  );
  return Object.fromEntries(entries);
}

/** A missing value would silently widen the expectation. */
function present<T extends object>(example: string, values: T): T {
  if (typeof values !== "object" || values === null || Array.isArray(values)) {
    throw new TypeError(`${shown(values)} is not an object: give one such as ${example}.`);
  }
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    if (Array.isArray(value) ? value.length > 0 && !value.some(isMissing) : !isMissing(value)) continue;
    throw new TypeError(`\`${name}\` is ${shown(value)}: give a value, or leave \`${name}\` out.`);
  }
  return values;
}

const isMissing = (value: unknown) => value === undefined || value === null;

const shown = (value: unknown) =>
  Array.isArray(value) ? `[${value.map(String).join(", ")}]` : (JSON.stringify(value) ?? String(value));
