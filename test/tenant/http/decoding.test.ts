/** Decodes responses without a network. */
import type { Decoder, Request } from "../../../src/tenant/http/call";
import { apiError, requestIdIn, withDecoding } from "../../../src/tenant/http/decoding";
import { hasFields, isRecord, noBody } from "../../../src/tenant/http/json";
import type { RawResponse } from "../../../src/tenant/http/transport";

const now = Date.parse("2026-01-01T00:00:00Z");
const thing: Decoder<object> = (body) => (hasFields(body, { id: "string" }) ? (body as object) : undefined);

/** Decodes this response to GET /things. */
function read(response: Partial<RawResponse>) {
  const dispatch = async () => ({ status: 200, headers: {}, text: "", ...response });
  const request = {
    method: "GET",
    path: "/api/v2/things",
    name: "/things",
    headers: {},
    bucket: "global",
    idempotent: true,
    decoders: { 200: thing, 204: noBody },
    attempts: { count: 1, waitedMs: 0 },
  } satisfies Request<unknown>;
  return withDecoding(apiError, { now: () => now, sleep: async () => {} })(dispatch)<unknown>(request);
}

const error = (statusCode: number, errorCode?: string) =>
  JSON.stringify({ statusCode, error: "Error", message: "In its words.", errorCode });

const denied = (message: string) => JSON.stringify({ statusCode: 403, error: "Forbidden", message });

test("decodes a documented status with a documented body as a success, with the service's time", async () => {
  expect(await read({ text: '{"id":"a"}' })).toEqual({ body: { id: "a" }, at: now, bytes: 10 });
  const date = "Thu, 01 Jan 2026 00:00:09 GMT";
  expect(await read({ status: 204, text: "whatever", headers: { date } })).toEqual({
    body: true,
    at: now + 9_000,
    bytes: 8,
  });
});

test.each<[Partial<RawResponse>, string, string]>([
  [{ text: "<html>" }, "unreadable_response", "The response to GET /things cannot be read: it is not complete JSON."],
  [{ text: '{"id":1}' }, "unlike_service", "it responded to GET /things with status 200 and an unexpected body."],
  [{ status: 202, text: '{"id":"a"}' }, "unlike_service", "it responded to GET /things with status 202."],
  [{ status: 404, text: "Not Found" }, "unlike_service", "status 404 but without the service's error."],
  [{ status: 404, text: error(400) }, "unlike_service", "status 404 but without the service's error."],
  [{ status: 404, text: error(404) }, "not_found", "In its words."],
  [{ status: 400, text: error(400, "invalid_uri") }, "invalid_uri", "In its words."],
  [{ status: 400, text: error(400) }, "invalid_body", "In its words."],
  [{ status: 403, text: error(403, "insufficient_scope") }, "insufficient_scope", "In its words."],
  [{ status: 403, text: error(403, "invalid_uri") }, "forbidden", "In its words."],
  [{ status: 403, text: error(403, "access_denied") }, "blocked_by_acl", "In its words."],
  [{ status: 403, text: denied("Blocked by Network ACL acl_1.") }, "blocked_by_acl", "Blocked by Network ACL acl_1."],
  [{ status: 403, text: denied("Please upgrade your subscription to enable Tenant ACL Management.") }, "forbidden", ""],
  [{ status: 403, text: "<html>" }, "forbidden", "The tenant responded with status 403"],
  [{ status: 401, text: error(401, "access_denied") }, "unauthorized", "In its words."],
  [{ status: 418, text: "" }, "unexpected_status", "The tenant responded with status 418"],
  [{ status: 499, text: "" }, "unexpected_status", "The tenant responded with status 499"],
  [{ status: 500, text: "" }, "service_failed", "The tenant responded with status 500"],
  [{ status: 599, text: "[]" }, "service_failed", "The tenant responded with status 599"],
])("decodes %j as %s", async (response, code, message) => {
  await expect(read(response)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
    status: response.status ?? 200,
    method: "GET",
    path: "/things",
  });
});

test.each([
  [undefined, "without a location"],
  ["https://me:pass@other.example/a?token=b#c", "to https://…@other.example/a?…"],
  ["//me@other.example", "to //…@other.example"],
  ["/login?state=secret", "to /login?…"],
  ["/users/a@b", "to /users/a@b"],
])("refuses a redirect to %s with the words %j", async (location, where) => {
  const headers: Record<string, string> = location === undefined ? {} : { location };
  await expect(read({ status: 302, headers })).rejects.toMatchObject({
    code: "redirected",
    message: `The endpoint redirects GET /things ${where}. Tenantform follows no redirect.`,
  });
});

test("takes the request id from the service, or else from the proxy in front of it", () => {
  const ids = { "x-request-id": "a", "x-auth0-requestid": "b", "cf-ray": "c" };
  expect(requestIdIn(ids)).toBe("a");
  expect(requestIdIn({ ...ids, "x-request-id": undefined as unknown as string })).toBe("b");
  expect(requestIdIn({ "cf-ray": "c" })).toBe("c");
  expect(requestIdIn({})).toBeUndefined();
});

test("accepts an object as a record, but not an array", () => {
  expect([{}, null, [], "a", undefined].map(isRecord)).toEqual([true, false, false, false, false]);
  const fields = { a: "record", b: "number" } as const;
  expect(
    [{ a: {}, b: 1, c: 2 }, { a: [], b: 1 }, { a: {}, b: "1" }, null].map((one) => hasFields(one, fields)),
  ).toEqual([true, false, false, false]);
});
