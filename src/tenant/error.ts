/** The error of every call to the tenant. */
import { legible } from "./secrets";

export type TenantErrorCode =
  /** An id is empty, too long, or would change the path. No request was sent. */
  | "invalid_id"
  /** The private key is unreadable or does not fit the algorithm. No request was sent. */
  | "invalid_key"
  /** 400: the service refuses the body. */
  | "invalid_body"
  /** 400: the service refuses the id in the path. */
  | "invalid_uri"
  /** 401, and a new token did not help or is not available. */
  | "unauthorized"
  /** The new token is for another tenant than the one before. No request was sent with it. */
  | "other_tenant"
  /** 403: the token lacks a scope; the message names it. */
  | "insufficient_scope"
  /** 403: a network ACL of the tenant blocks the machine that sends the call. Every other call then gets the same response. */
  | "blocked_by_acl"
  /** 403 for another reason, such as a missing entitlement. */
  | "forbidden"
  /** 404 with the service's error in the body. */
  | "not_found"
  /** 409. A Conflict if the existing object is known. */
  | "conflict"
  /** Another network ACL has the requested priority (PriorityTaken). */
  | "priority_taken"
  /** 429, and waiting would exceed `maxRetryWait`. */
  | "rate_limited"
  /** The token endpoint refuses the credentials. */
  | "token_request_failed"
  /** 429 of the token endpoint, again and again, or until a time that is more than a minute ahead. The message says which. */
  | "token_quota_exceeded"
  /** 408 or 5xx in all attempts. */
  | "service_failed"
  /** Any other status from 400. */
  | "unexpected_status"
  /** 3xx. The message names the target. */
  | "redirected"
  /** No connection, or a broken one, in all attempts. */
  | "connection_failed"
  /** Connecting, the headers or the whole exchange took too long in all attempts. */
  | "timeout"
  /** The response of a create was lost, and the tenant does not show whether the object exists. */
  | "unconfirmed"
  /** The response is not JSON in all attempts, for example because it is truncated. */
  | "unreadable_response"
  /** The status, shape or size of the response is not one of the service. */
  | "unlike_service"
  /** `stop()` or `close()` was called first. */
  | "stopped";

export interface TenantErrorDetails {
  /** HTTP status of the last response, if there was one. */
  readonly status?: number;
  /** The service's own `errorCode`. */
  readonly serviceCode?: string;
  /** The service's id of the request, to quote to its support. */
  readonly requestId?: string;
  readonly method?: string;
  /** Path below the API's base, without query. */
  readonly path?: string;
  /** Whether the request certainly did not reach the service, so that even a create is safe to send again. */
  readonly unsent?: boolean;
  /** Milliseconds that the response asks to wait. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

const mostOfMessage = 3_000;
const mostOfId = 200;

/** Texts may come from outside, so they are made printable and cut, and known secrets in them are hidden. */
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

/** Whether `error` is a TenantError and, if codes are given, has one of them. */
export function isTenantError(error: unknown, ...codes: TenantErrorCode[]): error is TenantError {
  return error instanceof TenantError && (codes.length === 0 || codes.includes(error.code));
}

/** Whether Auth0 has certainly not carried out the write that failed. */
export function isWithoutEffect(error: unknown): boolean {
  if (!isTenantError(error)) return false;
  return error.unsent || (error.status !== undefined && error.status >= 400 && error.status < 500);
}

/** The result; undefined if the service says that the object does not exist. */
export async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isTenantError(error, "not_found")) return undefined;
    throw error;
  }
}
