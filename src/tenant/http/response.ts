/** Reads responses: counts and logs them, decodes them, and finds the times that they name. Only a documented status with the documented body is a success. */
import { maskedUrl, withoutQuery } from "../../formats/text/masked";
import type { Clock } from "../clock";
import { isTenantError, TenantError, type TenantErrorCode, type TenantErrorDetails } from "../error";
import { legible, type Log } from "../secrets";
import {
  type Decoder,
  type Dispatch,
  isRecord,
  parseJson,
  type RawResponse,
  type Request,
  type Send,
  type Usage,
} from "./call";

/** Makes the error of a response with status 400 or above. */
export type ErrorDecoder = (response: RawResponse, details: TenantErrorDetails) => TenantError;

export function withDecoding(errorOf: ErrorDecoder, clock: Clock): (dispatch: Dispatch) => Send {
  return (dispatch) => async (request) => {
    const response = await dispatch(request);
    const { status, headers } = response;
    const now = clock.now();
    const details = detailsOf(response, request, now);
    const decoder = request.decoders[status];
    if (decoder) return { body: decode(response, decoder, details), at: serverNow(headers, now) };
    if (status >= 400) throw errorOf(response, details);
    throw status < 300 ? unlikeService(`status ${status}`, details) : redirected(headers["location"], details);
  };
}

function decode<T>({ status, text }: RawResponse, decoder: Decoder<T>, details: TenantErrorDetails): T {
  const parsed = status === 204 ? undefined : parseJson(text);
  if (parsed === undefined && status !== 204) {
    const message = `The response to ${details.method} ${details.path} cannot be read: it is not complete JSON.`;
    throw new TenantError("unreadable_response", message, details);
  }
  const body = decoder(parsed?.json);
  if (body === undefined) throw unlikeService(`status ${status} and an unexpected body`, details);
  return body;
}

function detailsOf({ status, headers }: RawResponse, { method, name }: Request<unknown>, now: number) {
  const details = { status, requestId: requestIdIn(headers), method, path: name };
  return { ...details, retryAfter: requestedWait(status, headers, now) };
}

/** To quote to the service's support. */
const requestIdIn = (headers: RawResponse["headers"]): string | undefined =>
  headers["x-request-id"] ?? headers["x-auth0-requestid"] ?? headers["cf-ray"];

export function unlikeService(response: string, details: TenantErrorDetails): TenantError {
  const why = `it responded to ${details.method} ${details.path} with ${response}`;
  return new TenantError("unlike_service", `The endpoint is not the Management API: ${why}.`, details);
}

/** Whether the location is on the same host. Then an `@` in it does not end user information. */
const isPath = (location: string) => /^\/(?![/\\])/.test(location);

/** Names the target without possible secrets. Following it would send the token to another server. */
function redirected(location: string | undefined, details: TenantErrorDetails): TenantError {
  const request = `${details.method} ${details.path}`;
  const where =
    location === undefined
      ? "without a location"
      : `to ${legible(isPath(location) ? withoutQuery(location) : maskedUrl(location))}`;
  return new TenantError(
    "redirected",
    `The endpoint redirects ${request} ${where}. Tenantform follows no redirect.`,
    details,
  );
}

const byStatus: Readonly<Record<number, TenantErrorCode>> = {
  400: "invalid_body",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  408: "service_failed",
  409: "conflict",
  429: "rate_limited",
};

const byServiceCode: ReadonlyMap<string, TenantErrorCode> = new Map([
  ["400 invalid_uri", "invalid_uri"],
  ["403 insufficient_scope", "insufficient_scope"],
]);

/**
 * Whether a response with status 403 comes from the tenant's network ACLs. The documentation does not show this response, so the
 * name of the feature in the message counts too. A tenant without the feature names the subscription.
 */
export function isBlockByAcl(status: number, errorCode: unknown, message: unknown): boolean {
  if (status !== 403) return false;
  const text = typeof message === "string" ? message : "";
  return (
    errorCode === "access_denied" ||
    (/\b(network|tenant) (ACL|access control)/i.test(text) && !/subscription/i.test(text))
  );
}

/** The error of the Management API, with the service's own message and code. */
export const apiError: ErrorDecoder = ({ status, text }, details) => {
  // A proxy or a load balancer may respond with text that is not JSON.
  const body = parseJson(text)?.json;
  const { errorCode, message, statusCode } = isRecord(body) ? body : {};
  // A portal or a wrong address also responds with 404, so only the service's own error means that the object is gone.
  if (status === 404 && (statusCode !== 404 || typeof message !== "string")) {
    return unlikeService("status 404 but without the service's error", details);
  }
  const serviceCode = typeof errorCode === "string" ? errorCode : undefined;
  const known = isBlockByAcl(status, errorCode, message)
    ? "blocked_by_acl"
    : byServiceCode.get(`${status} ${serviceCode}`);
  const code = known ?? codeOf(status);
  const words = typeof message === "string" ? legible(message) : `The tenant responded with status ${status}`;
  return new TenantError(code, words, { ...details, serviceCode });
};

export function codeOf(status: number): TenantErrorCode {
  return byStatus[status] ?? (status >= 500 ? "service_failed" : "unexpected_status");
}

export interface UsageOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly usage: Usage;
}

export function withUsage({ clock, log, usage }: UsageOptions): (next: Dispatch) => Dispatch {
  return (next) => async (request) => {
    const { method, path, name, bucket, attempts } = request;
    usage.requests++;
    if (++attempts.count > 1) usage.retries++;
    const started = clock.now();
    let response: RawResponse | undefined;
    let code: string | undefined;
    try {
      response = await next(request);
      if (response.status === 429) usage.throttled++;
      return response;
    } catch (error) {
      code = isTenantError(error) ? error.code : "error";
      throw error;
    } finally {
      const { headers = {}, status } = response ?? {};
      log("debug", `${method} ${path}`, {
        method,
        path: name,
        status: status ?? code,
        ms: Math.round(clock.now() - started),
        request_id: requestIdIn(headers),
        try: attempts.count,
        waited_ms: Math.round(attempts.waitedMs),
        bucket,
        limit: headers["x-ratelimit-limit"],
        remaining: headers["x-ratelimit-remaining"],
        reset: headers["x-ratelimit-reset"],
      });
    }
  };
}

/** Headers of a response, with names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** A wait of at least this many milliseconds is logged as a warning before it begins. */
export const longWait = 5_000;

/** A reset has whole seconds and often names the current one. Without the padding the wait would be zero. */
export const resetPadding = 100;

/** A reset more than a day ahead has another unit or comes from another clock. */
const latestReset = 24 * 3_600_000;

/** Milliseconds that a response asks to wait. Only a 429 is about the quota. */
export function requestedWait(status: number, headers: Headers, now: number): number | undefined {
  const requested = waitOfRetryAfter(headers, now) ?? (status === 429 ? untilReset(headers, now) : undefined);
  return requested === undefined ? undefined : requested + resetPadding;
}

/** Milliseconds that `Retry-After` requests, in seconds or as a date. Undefined if absent or unreadable. */
function waitOfRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  const number = numberIn(value);
  if (number !== undefined) return number * 1000;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - serverNow(headers, now));
}

/** Milliseconds until `X-RateLimit-Reset`, by the service's clock if known. Undefined if the value is implausible. */
export function untilReset(headers: Headers, now: number): number | undefined {
  const reset = numberIn(headers["x-ratelimit-reset"]);
  if (reset === undefined) return undefined;
  const left = Math.max(0, reset * 1000 - serverNow(headers, now));
  return left > latestReset ? undefined : left;
}

/** The time of the response by the service's `Date` header, or by our clock if there is none. */
function serverNow(headers: Headers, now: number): number {
  const time = Date.parse(headers["date"] ?? "");
  return Number.isNaN(time) ? now : time;
}

/** A plain decimal number. Headers may contain anything. */
export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,15}(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

export const seconds = (ms: number) => Math.ceil(ms / 1000);
