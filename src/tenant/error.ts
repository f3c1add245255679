/** What can go wrong between us and the tenant: one error class, and what it carries. */
import { legible } from "./secrets";

export type TenantErrorCode =
  /** An id is empty, longer than the service allows, or would leave its place in the path; no request was made. */
  | "invalid_id"
  /** The private key cannot be read or does not fit the algorithm; no request was made. */
  | "invalid_key"
  /** 400: the service refuses what was sent. */
  | "invalid_body"
  /** 400: the service refuses the id in the path. */
  | "invalid_uri"
  /** 401, and a new token did not help or cannot be had. */
  | "unauthorized"
  /** 403: the token lacks a scope; the message names it. */
  | "insufficient_scope"
  /** 403 for another reason, such as an entitlement the tenant does not have. */
  | "forbidden"
  /** 404, in the service's own words. */
  | "not_found"
  /** 409; a Conflict where it is known what is in the way. */
  | "conflict"
  /** Another access control list stands at the wanted priority (a PriorityTaken). */
  | "priority_taken"
  /** The quota is used up, and waiting for it would exceed `maxRetryWait`. */
  | "rate_limited"
  /** The token endpoint refuses the credentials. */
  | "token_request_failed"
  /** 429 of the token endpoint, and waiting for it would exceed `maxRetryWait`; the message says until when. */
  | "token_quota_exceeded"
  /** 408 or 5xx, tries used up. */
  | "service_failed"
  /** Any other status of 400 and above. */
  | "unexpected_status"
  /** 3xx; the message says whereto. */
  | "redirected"
  /** No connection, or a broken one, tries used up. */
  | "connection_failed"
  /** Connecting, headers or the whole exchange took too long, tries used up. */
  | "timeout"
  /** A create whose answer was lost, and looking did not tell whether it took effect. */
  | "unconfirmed"
  /** The answer is not JSON, as one that was cut off; tries used up. */
  | "unreadable_answer"
  /** The answer is none that the service gives: another status, another shape, another size. */
  | "unlike_service"
  /** `stop()` or `close()` came first. */
  | "stopped";

export interface TenantErrorDetails {
  /** HTTP status of the last answer, absent when there was none. */
  readonly status?: number;
  /** The service's own `errorCode`. */
  readonly serviceCode?: string;
  /** The service's id of the request, to quote to its support. */
  readonly requestId?: string;
  readonly method?: string;
  /** Path below the API's base, without query. */
  readonly path?: string;
  /** Whether the request certainly never reached the service, so that even a create can be sent again. */
  readonly unsent?: boolean;
  /** Milliseconds for which the answer asks to be left alone. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** Characters of a message: the service's words, and ours around them. */
const mostOfMessage = 3_000;
const mostOfId = 200;

/** Its texts may come from outside: they are made legible and cut, and known secrets in them are hidden. */
export class TenantError extends Error implements TenantErrorDetails {
  readonly status?: number;
  readonly serviceCode?: string;
  readonly requestId?: string;
  readonly method?: string;
  readonly path?: string;
  readonly unsent: boolean;
  readonly retryAfter?: number;

  constructor(
    readonly code: TenantErrorCode,
    message: string,
    details: TenantErrorDetails = {},
  ) {
    super(legible(message, mostOfMessage), details);
    this.name = "TenantError";
    this.status = details.status;
    this.serviceCode = details.serviceCode && legible(details.serviceCode, mostOfId);
    this.requestId = details.requestId && legible(details.requestId, mostOfId);
    this.method = details.method;
    this.path = details.path;
    this.unsent = details.unsent ?? false;
    this.retryAfter = details.retryAfter;
  }
}

/** Whether `error` is a TenantError, of one of the given codes if any are given. */
export function isTenantError(error: unknown, ...codes: TenantErrorCode[]): error is TenantError {
  return error instanceof TenantError && (codes.length === 0 || codes.includes(error.code));
}

/** The outcome; undefined where the service says that there is no such thing (any more). */
export async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isTenantError(error, "not_found")) return undefined;
    throw error;
  }
}
