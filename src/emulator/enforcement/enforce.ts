/**
 * Applies network ACLs and rate limit policies to a request before the service handles it, and logs it afterwards. Because the tenant has no
 * login pages, a test states in a header the event that a request leaves.
 */
import { networkAclKind } from "../api/network-acls";
import { rateLimitPolicyKind } from "../api/rate-limit-policies";
import { clientKind } from "../auth/client";
import { basicCredentials } from "../auth/endpoints";
import { readBody } from "../http/body";
import { isManagement } from "../http/operation";
import { errorResponse, json, noContent, oauthErrorResponse, ServiceError, tokenError } from "../http/response";
import type { RequestState } from "../http/router";
import { requestDetails, requestEvent, type Participants } from "../logs/event";
import { factsOfType, typeOf } from "../logs/event-type";
import { isObject } from "../schema";
import type { Store } from "../state/store";
import type { Tenant } from "../tenant";
import type { Edge, Passage } from "./edge";
import { originHeader, originOf, pairsIn, parseOrigin, type Origin } from "./origin";
import { isCounted, type Consumed } from "./rate-limit";
import { signatureKeyOf } from "./signature";

export const eventHeader = "x-tenantform-event";

const participantNames = ["client_id", "client_name", "user_id", "user_name", "connection", "organization_id"] as const;

export const eventDescription =
  `The event that the request leaves in the log, if the tenant enforces its network ACLs and lets the request through: ` +
  `type=fp; user_id=auth0|1; user_name=a@b.example. No operation handles such a request, and the response is 204. ` +
  `Names: type, ${participantNames.join(", ")}.`;

interface StatedEvent {
  readonly type: string;
  readonly participants: Participants;
}

const invalidEvent = (problem: string) => new ServiceError(400, `${eventHeader}: ${problem}`);

function statedEvent(header: string | null): StatedEvent | undefined {
  if (header === null) return undefined;
  const { type, ...given } = Object.fromEntries(pairsIn(header, invalidEvent)) as Record<string, string>;
  if (type === undefined || !factsOfType.has(type)) {
    throw invalidEvent(`type "${type ?? ""}" is not the type of an event of one request`);
  }
  const unknown = Object.keys(given).find((name) => !(participantNames as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw invalidEvent(`"${unknown}" is not known; write type, ${participantNames.join(", ")}`);
  return { type, participants: given };
}

/** The claims of an assertion, unverified. */
function subjectOf(assertion: unknown): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(String(assertion).split(".")[1]!, "base64url").toString());
    return isObject(claims) && typeof claims.sub === "string" ? claims.sub : undefined;
  } catch {
    return undefined;
  }
}

interface NamedClient {
  readonly client?: string;
  readonly grantType?: unknown;
}

/** The application that a request names, before any operation has verified it. Leaves the body of the request unread. */
async function namedClient(request: Request): Promise<NamedClient> {
  const inQuery = new URL(request.url).searchParams.get("client_id") ?? undefined;
  if (request.method !== "POST") return { client: inQuery };
  // The operation itself reports an invalid body.
  const { value } = await readBody(request.clone(), {}).catch(() => ({ value: undefined }));
  const form = isObject(value) ? value : {};
  const inForm = typeof form.client_id === "string" && form.client_id !== "" ? form.client_id : undefined;
  const [basic] = basicCredentials(request.headers.get("authorization")) ?? [];
  const client = basic ?? inForm ?? subjectOf(form.client_assertion) ?? inQuery;
  return { client, grantType: form.grant_type };
}

/** The effect of ACLs and policies in words, for the request log. */
function describe({ decision: { outcome, by, logged }, consumed }: Passage): string {
  const action = consumed?.policy.configuration.action;
  return [
    ...logged.map(({ id }) => `logged by ${id}`),
    ...(by ? [`${outcome} by ${by.id}`] : []),
    ...(consumed?.exceeded ? [`${action === "log" ? "logged" : "rejected"} by ${consumed.policy.id}`] : []),
  ].join(", ");
}

/** Encodes a URI for a header, and keeps existing escapes. */
const encoded = (uri: string) => encodeURI(uri).replace(/%25([\da-f]{2})/gi, "%$1");

const moved = (uri: unknown) => json(302, {}, { location: encoded(String(uri)) });

const quota = ({ limit, remaining }: Consumed) => ({ "auth0-ratelimit": `client;q=${limit};t=1;r=${remaining}` });

/** The rejection of a policy. Assumption: only `/authorize` redirects, because no other path has a browser. */
function rejection(path: string, consumed: Consumed): Response {
  const { configuration } = consumed.policy;
  if (path.startsWith("/authorize")) {
    if (configuration.action === "redirect") return moved(configuration.redirect_uri);
    const headers = { "content-type": "text/html; charset=utf-8", "retry-after": "1" };
    return new Response("<!doctype html><title>Too many requests</title>", { status: 429, headers });
  }
  return json(429, tokenError("too_many_requests", "Rate limit exceeded."), { "retry-after": "1" });
}

interface Examined extends NamedClient {
  readonly origin: Origin;
  readonly stated?: StatedEvent;
}

async function examine(store: Store, request: Request, path: string, now: number): Promise<Examined> {
  const header = parseOrigin(request.headers.get(originHeader) ?? "");
  const key = await signatureKeyOf(store, request, now);
  const origin = originOf(request, header, key === undefined ? [] : [key]);
  const stated = statedEvent(request.headers.get(eventHeader));
  const named = isCounted(path) ? await namedClient(request) : {};
  return { origin, stated, ...named, client: stated?.participants.client_id ?? named.client };
}

export interface EnforceOptions {
  readonly tenant: Tenant;
  readonly edge: Edge;
  serve(request: Request, state: RequestState): Promise<Response>;
}

export function createEnforcement({ tenant, edge, serve }: EnforceOptions) {
  const { store, now, log } = tenant;

  const record = (request: Request, state: RequestState, examined: Examined, status: number) => {
    const { path } = state.entry;
    const { stated, origin, grantType, client } = examined;
    const type = stated?.type ?? typeOf(request.method, path, status, grantType);
    if (type === undefined) return;
    const client_id = stated?.participants.client_id ?? client ?? state.claims?.azp;
    const client_name = store.of(clientKind).get(client_id ?? "")?.name;
    const participants: Participants = { client_id, client_name, ...stated?.participants };
    const isApi = isManagement(path) || type === "sapi";
    const details = isApi ? requestDetails(request.method, path, origin, status) : {};
    log.append(requestEvent(type, now(), origin, participants, details));
  };

  return async (request: Request, state: RequestState): Promise<Response> => {
    const { entry } = state;
    const { method, path } = entry;
    const refuse = path.startsWith("/oauth/") ? oauthErrorResponse : errorResponse;
    let examined: Examined;
    try {
      examined = await examine(store, request, path, now());
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      entry.acl = error.message.startsWith(eventHeader)
        ? `the header ${eventHeader} is invalid`
        : `the header ${originHeader} is invalid`;
      return refuse(error);
    }
    const { origin, client, stated } = examined;
    const acls = store.of(networkAclKind).values();
    const policies = store.of(rateLimitPolicyKind).values();
    const passage = edge.admit({ method, path, origin, client, at: now() }, acls, policies);
    const { decision, consumed, passes } = passage;
    entry.acl = describe(passage) || undefined;
    // Assumption: a request that a network ACL blocks gets 403 with `access_denied`, and the words of this response.
    if (decision.outcome === "blocked") {
      return refuse(new ServiceError(403, "Access denied by a network ACL", "access_denied"));
    }
    if (decision.outcome === "redirected") return moved(decision.by?.rule.action.redirect_uri);
    const response = !passes ? rejection(path, consumed!) : stated ? noContent() : await serve(request, state);
    for (const [name, value] of Object.entries(consumed ? quota(consumed) : {})) response.headers.set(name, value);
    if (passes) record(request, state, examined, response.status);
    return response;
  };
}
