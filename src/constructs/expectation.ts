/** Writes expectations in few words. */
import type { Limit, Members, Requests } from "../testing/requests";
import type { TenantProviderExpectation, TenantProviderExpectationRequest } from "./bindings/provider";

export interface ExpectationOptions {
  /** `error` refuses a plan that breaks the expectation; `warning` warns. Default: `error`. */
  readonly severity?: "error" | "warning";
}

/** An expectation that does not say yet what must be true. */
export interface OpenExpectation {
  /** All requests with these facts. Several objects mean the requests of each of them; none means every request. */
  that(...requests: readonly Requests[]): RequestExpectation;
  /** The rate limit of these callers is within the bounds. */
  limits(limit: Limit): TenantProviderExpectation;
  /** The organization has, or lacks, these members. */
  hasMembers(organizationId: string, members: Members): TenantProviderExpectation;
}

/** An expectation about requests that does not have an outcome yet. */
export interface RequestExpectation {
  /** Leaves these requests out. */
  except(...requests: readonly Requests[]): RequestExpectation;
  /** An ACL blocks each request. */
  isBlocked(): TenantProviderExpectation;
  /** Each request is allowed and not redirected. */
  isReached(): TenantProviderExpectation;
  /** An ACL redirects each request. */
  isRedirected(): TenantProviderExpectation;
  /** An ACL with the action `log` records each request. */
  isLogged(): TenantProviderExpectation;
  /** Each request has one of the outcomes. */
  isOneOf(...outcomes: readonly Outcome[]): TenantProviderExpectation;
}

type Outcome = "blocked" | "reached" | "redirected" | "logged";

/**
 * A statement about your tenant that every plan checks. Give it to `expectations` of the TenantProvider.
 * @example
 * expectation("sanctions").that({ scopes: "authentication", countries: ["KP", "IR"] }).isBlocked()
 * @example
 * expectation("our CI").that({ scopes: "management", ipCidrs: "203.0.113.7" }).isReached()
 * @example
 * expectation("third parties").limits({ consumer: "third_party_clients", atMost: 50 })
 * @example
 * expectation("administrators").hasMembers("org_9ybsU1dN2dKfDkBi", { include: "auth0|65f0c2a4", atLeast: 2 })
 */
export function expectation(name: string, options: ExpectationOptions = {}): OpenExpectation {
  const common = { name, ...options };
  return {
    that: (...requests) => requestExpectation(common, requests.map(lists), []),
    limits: (limit) => ({ ...common, policy: limit }),
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

/** Terraform takes a list of values for each fact. A bound is a number. A missing value would silently widen the expectation. */
function lists(values: object): TenantProviderExpectationRequest {
  const entries = Object.entries(values).map(([name, value]: [string, unknown]) => {
    if (value === undefined || value === null) {
      throw new Error(`\`${name}\` of an expectation is ${value}: give a value, or leave \`${name}\` out.`);
    }
    return [name, Array.isArray(value) || name === "atLeast" || name === "atMost" ? value : [value]] as const;
  });
  return Object.fromEntries(entries);
}
