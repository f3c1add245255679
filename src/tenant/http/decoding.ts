/** What an answer means: only a documented status with a body of its kind is a success, all else is an error. */
import type { Clock } from "../clock";
import { TenantError, type TenantErrorCode, type TenantErrorDetails } from "../error";
import { legible } from "../secrets";
import type { Dispatch, Decoder, Request, Send } from "./call";
import { masked, withoutQuery } from "../../text/masked";
import { serverNow, requestedWait } from "./retry-timing";
import { isRecord, parseJson } from "./json";
import type { RawResponse } from "./transport";

/** How an answer of status 400 and above becomes an error. */
export type ErrorDecoder = (answer: RawResponse, details: TenantErrorDetails) => TenantError;

export function withDecoding(errorOf: ErrorDecoder, clock: Clock): (dispatch: Dispatch) => Send {
  return (dispatch) => async (request) => {
    const answer = await dispatch(request);
    const { status, headers } = answer;
    const now = clock.now();
    const details = detailsOf(answer, request, now);
    const reader = request.decoders[status];
    if (reader) {
      const bytes = Buffer.byteLength(answer.text);
      return { body: decode(answer, reader, details), at: serverNow(headers, now), bytes };
    }
    if (status >= 400) throw errorOf(answer, details);
    throw status < 300 ? unlikeService(`status ${status}`, details) : redirected(headers["location"], details);
  };
}

function decode<T>({ status, text }: RawResponse, reader: Decoder<T>, details: TenantErrorDetails): T {
  const told = status === 204 ? undefined : parseJson(text);
  if (told === undefined && status !== 204) {
    const request = `${details.method} ${details.path}`;
    throw new TenantError("unreadable_answer", `The answer to ${request} is not JSON, or not all of it.`, details);
  }
  const body = reader(told?.json);
  if (body === undefined) throw unlikeService(`status ${status} and a body of another shape`, details);
  return body;
}

function detailsOf({ status, headers }: RawResponse, { method, name }: Request<unknown>, now: number) {
  const retryAfter = requestedWait(status, headers, now);
  return { status, requestId: requestIdIn(headers), method, path: name, retryAfter };
}

/** To quote to the service's support. */
export const requestIdIn = (headers: RawResponse["headers"]): string | undefined =>
  headers["x-request-id"] ?? headers["x-auth0-requestid"] ?? headers["cf-ray"];

function unlikeService(what: string, details: TenantErrorDetails): TenantError {
  const request = `${details.method} ${details.path}`;
  return new TenantError("unlike_service", `The endpoint answers ${request} unlike the service: ${what}.`, details);
}

/** On the same host: an `@` in it belongs to no user. */
const isPath = (location: string) => /^\/(?![/\\])/.test(location);

/** Where it leads is told without what may be secret in it, and never gone to: the token is meant for the tenant alone. */
function redirected(location: string | undefined, details: TenantErrorDetails): TenantError {
  const request = `${details.method} ${details.path}`;
  const where =
    location === undefined
      ? "without saying where"
      : `to ${legible(isPath(location) ? withoutQuery(location) : masked(location))}`;
  return new TenantError("redirected", `The endpoint redirects ${request} ${where}; that is not followed.`, details);
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

/** The error of the management API: the service's own words, its code. */
export const apiError: ErrorDecoder = ({ status, text }, details) => {
  // What a proxy or a load balancer answers may be no JSON at all.
  const told = parseJson(text)?.json;
  const { errorCode, message, statusCode } = isRecord(told) ? told : {};
  // Gone is what the service calls so: a portal or a wrong address answers 404 as well.
  if (status === 404 && (statusCode !== 404 || typeof message !== "string")) {
    return unlikeService("status 404 without the service's error", details);
  }
  const serviceCode = typeof errorCode === "string" ? errorCode : undefined;
  const code = byServiceCode.get(`${status} ${serviceCode}`) ?? codeOf(status);
  const words = typeof message === "string" ? legible(message) : `The tenant responded with status ${status}`;
  return new TenantError(code, words, { ...details, serviceCode });
};

export function codeOf(status: number): TenantErrorCode {
  return byStatus[status] ?? (status >= 500 ? "service_failed" : "unexpected_status");
}
