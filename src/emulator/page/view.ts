/** The contents of the page: the tenant, and the results of its forms. */
import { networkAclKind, type NetworkAcl } from "../api/network-acls";
import { organizationKind } from "../api/organizations";
import { rateLimitPolicyKind, type RateLimitPolicy } from "../api/rate-limit-policies";
import { userKind } from "../api/users";
import type { Decision } from "../enforcement/decide";
import { decisionOn } from "../enforcement/enforce";
import type { InjectedFaults } from "../http/fault";
import { pathNamed } from "../http/path";
import type { RequestEntry } from "../http/request-log";
import { ServiceError } from "../http/response";
import type { Store } from "../state/store";

export interface View {
  readonly networkAcls: readonly NetworkAcl[];
  readonly rateLimitPolicies: readonly RateLimitPolicy[];
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly members: number }[];
  /** The newest first. */
  readonly requests: readonly RequestEntry[];
  /** The number of injected faults. */
  readonly faults: number;
  /** Whether the tenant enforces its network ACLs. */
  readonly enforces: boolean;
  /** A request that a person described, and its evaluation or the problem in its description. */
  readonly evaluated?: { readonly origin: string; readonly path: string; readonly result: Decision | string };
  /** The members that a person searched for. */
  readonly found?: {
    readonly organization: string;
    readonly search: string;
    readonly members: readonly { readonly user: string; readonly name?: string }[];
    /** The number of members beyond those. */
    readonly more: number;
  };
}

export interface ViewSource {
  readonly store: Store;
  readonly faults: InjectedFaults;
  readonly enforces: boolean;
  readonly requests: readonly RequestEntry[];
}

const shownRequests = 50;
const shownMembers = 100;

function evaluated(store: Store, request: Request, query: URLSearchParams): View["evaluated"] {
  const [origin, path] = [query.get("origin"), query.get("path") ?? "/"];
  if (origin === null) return undefined;
  try {
    return { origin, path, result: decisionOn(store, request, origin, pathNamed(path), []) };
  } catch (error) {
    if (error instanceof ServiceError) return { origin, path, result: error.message };
    throw error;
  }
}

function found(store: Store, query: URLSearchParams): View["found"] {
  const [organization, search] = [query.get("organization"), (query.get("search") ?? "").trim()];
  if (organization === null) return undefined;
  const users = store.of(userKind);
  const all = Array.from(store.members(organization.trim()) ?? [], ([user]) => ({ user, ...users.get(user) }));
  const matching = all.filter(({ user, name, email }) =>
    [user, name, email].some((text) => text?.toLowerCase().includes(search.toLowerCase())),
  );
  const members = matching.slice(0, shownMembers).map(({ user, name, email }) => ({ user, name: name ?? email }));
  return { organization, search, members, more: matching.length - members.length };
}

export function viewOf({ store, faults, enforces, requests }: ViewSource, request: Request): View {
  const query = new URL(request.url).searchParams;
  return {
    networkAcls: store.of(networkAclKind).values(),
    rateLimitPolicies: store.of(rateLimitPolicyKind).values(),
    organizations: store
      .of(organizationKind)
      .values()
      .map(({ id, name }) => ({ id, name, members: store.members(id)?.size ?? 0 })),
    requests: requests.slice(-shownRequests).toReversed(),
    faults: faults.rules.length,
    enforces,
    evaluated: evaluated(store, request, query),
    found: found(store, query),
  };
}
