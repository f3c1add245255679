// What can go wrong between us and the tenant, as one error class with a closed table of codes.

/**
 * Every code a TenantError can carry.
 *
 * | code | when |
 * |---|---|
 * | invalid_id | an id is empty or longer than the service allows; no request was made |
 * | invalid_key | the private key cannot be read or does not fit the algorithm; no request was made |
 * | invalid_body | 400: the service refuses what was sent |
 * | invalid_uri | 400: the service refuses the id in the path |
 * | unauthorized | 401, and a new token did not help or cannot be had |
 * | insufficient_scope | 403: the token lacks a scope; the message names it |
 * | forbidden | 403 for another reason, such as an entitlement the tenant does not have |
 * | not_found | 404 |
 * | conflict | 409 |
 * | already_there | 409 for an object that the tenant has already, the same in everything |
 * | priority_taken | another access control list stands at the wanted priority (a PriorityTaken) |
 * | rate_limited | 429, and waiting longer would exceed `maxRetryWait` |
 * | token_request_failed | the token endpoint refused the credentials |
 * | token_quota_exceeded | 429 of the token endpoint; the message says until when |
 * | service_failed | 408 or 5xx, tries used up |
 * | refused | any other status of 400 and above |
 * | connection_failed | no connection, or a broken one, tries used up |
 * | timeout | connecting, headers or body took too long, tries used up |
 * | unconfirmed | a write whose answer was lost, and looking did not tell whether it took effect |
 * | unreadable_answer | the answer is not what the service describes: not JSON, or without what must be there |
 * | stopped | `stop()` or `close()` came first |
 */
export const tenantErrorCodes = [
  "invalid_id",
  "invalid_key",
  "invalid_body",
  "invalid_uri",
  "unauthorized",
  "insufficient_scope",
  "forbidden",
  "not_found",
  "conflict",
  "already_there",
  "priority_taken",
  "rate_limited",
  "token_request_failed",
  "token_quota_exceeded",
  "service_failed",
  "refused",
  "connection_failed",
  "timeout",
  "unconfirmed",
  "unreadable_answer",
  "stopped",
] as const;

export type TenantErrorCode = (typeof tenantErrorCodes)[number];

export interface TenantErrorDetails {
  /** HTTP status of the last answer, absent when there was none. */
  status?: number;
  /** The service's own `errorCode`, verbatim. */
  serviceCode?: string;
  /** The service's id of the request, to quote to its support. */
  requestId?: string;
  method?: string;
  /** Path below the API's base, without query. */
  path?: string;
  /** Whether the request certainly never reached the service, so that even a create can be sent again. */
  unsent?: boolean;
  cause?: unknown;
}

export class TenantError extends Error {
  readonly status?: number;
  readonly serviceCode?: string;
  readonly requestId?: string;
  readonly method?: string;
  readonly path?: string;
  readonly unsent: boolean;

  constructor(
    readonly code: TenantErrorCode,
    message: string,
    details: TenantErrorDetails = {},
  ) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.name = "TenantError";
    this.status = details.status;
    this.serviceCode = details.serviceCode;
    this.requestId = details.requestId;
    this.method = details.method;
    this.path = details.path;
    this.unsent = details.unsent ?? false;
  }
}

/** Whether `error` is a TenantError, of one of the given codes if any are given. */
export function isTenantError(error: unknown, ...codes: TenantErrorCode[]): error is TenantError {
  return error instanceof TenantError && (codes.length === 0 || codes.includes(error.code));
}

const byStatus: Record<number, TenantErrorCode> = {
  400: "invalid_body",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  408: "service_failed",
  409: "conflict",
  429: "rate_limited",
};

const byServiceCode: Record<string, TenantErrorCode> = {
  insufficient_scope: "insufficient_scope",
  invalid_uri: "invalid_uri",
};

/** The code for an answer of status 400 or above. */
export function codeOf(status: number, serviceCode?: string): TenantErrorCode {
  return (
    (serviceCode === undefined ? undefined : byServiceCode[serviceCode]) ??
    byStatus[status] ??
    (status >= 500 ? "service_failed" : "refused")
  );
}
