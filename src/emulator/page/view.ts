/** What the page shows of the tenant, and what its forms have asked for. */
import { networkAclKind } from "../api/network-acls";
import { organizationKind } from "../api/organizations";
import { rateLimitPolicyKind } from "../api/rate-limit-policies";
import { userKind } from "../api/users";
import { decisionOn } from "../enforcement/enforce";
import { ServiceError } from "../http/response";
import { pathNamed } from "../http/path";
import type { InjectedFaults } from "../http/fault";
import type { RequestEntry } from "../http/request-log";
import type { Store } from "../state/store";
import type { MemberView, View } from "./page";

export interface Shown {
  readonly store: Store;
  readonly faults: InjectedFaults;
  readonly enforces: boolean;
  readonly requests: readonly RequestEntry[];
}

const shownRequests = 50;
const shownMembers = 100;

function asked(store: Store, request: Request, query: URLSearchParams): View["asked"] {
  const [origin, path] = [query.get("origin"), query.get("path") ?? "/"];
  if (origin === null) return undefined;
  try {
    return { origin, path, answer: decisionOn(store, request, origin, pathNamed(path), []) };
  } catch (error) {
    if (error instanceof ServiceError) return { origin, path, answer: error.message };
    throw error;
  }
}

function found(store: Store, query: URLSearchParams): View["found"] {
  const [organization, search] = [query.get("organization"), (query.get("search") ?? "").trim()];
  if (organization === null) return undefined;
  const users = store.of(userKind);
  const wanted = search.toLowerCase();
  const members: MemberView[] = [];
  let more = 0;
  for (const [user] of store.members(organization.trim()) ?? []) {
    const { name, email } = users.get(user) ?? {};
    if (![user, name, email].some((text) => text?.toLowerCase().includes(wanted))) continue;
    if (members.length === shownMembers) more++;
    else members.push({ user, name: name ?? email });
  }
  return { organization, search, members, more };
}

export function viewOf({ store, faults, enforces, requests }: Shown, request: Request): View {
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
    asked: asked(store, request, query),
    found: found(store, query),
  };
}
