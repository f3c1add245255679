// How a refusing answer becomes a TenantError: the service's own words, its code, its request id.
import { parsedObject } from "./claims";
import type { Call } from "./client";
import { codeOf, TenantError, type TenantErrorDetails } from "./error";
import type { RawAnswer } from "./transport";

/** `tokenEnd`: when the token ends, in milliseconds since the epoch, where it tells. */
export function refusalOf(answer: RawAnswer, call: Call, tokenEnd: number | undefined): TenantError {
  // What a proxy or a load balancer answers may be no JSON at all.
  const told = parsedObject(answer.text) ?? {};
  const serviceCode = typeof told.errorCode === "string" ? told.errorCode : undefined;
  const code = codeOf(answer.status, serviceCode);
  const words = typeof told.message === "string" ? told.message : `The tenant answered with status ${answer.status}`;
  const end =
    code === "unauthorized" && tokenEnd !== undefined ? ` (the token ends at ${new Date(tokenEnd).toISOString()})` : "";
  return new TenantError(code, words + end, { ...detailsOf(answer, call), serviceCode });
}

/** The 429 that it would take too long to wait for. */
export function throttledError(answer: RawAnswer, call: Call, waited: number, hold: number): TenantError {
  return new TenantError(
    "rate_limited",
    `The tenant's quota is used up: ${call.method} ${call.path} has waited ${seconds(waited)} s and would have to wait ${seconds(hold)} s more.`,
    detailsOf(answer, call),
  );
}

export const requestId = ({ headers }: RawAnswer): string | undefined =>
  headers["x-request-id"] ?? headers["x-auth0-requestid"] ?? headers["cf-ray"];

function detailsOf(answer: RawAnswer, { method, path }: Call): TenantErrorDetails {
  return { status: answer.status, requestId: requestId(answer), method, path };
}

const seconds = (ms: number) => Math.ceil(ms / 1000);
