// A tenant without a network: the test scripts its responses.
import type { Exchange, RawResponse } from "../../../src/tenant/http/call";
import { createTenant, type Tenant, type TenantOptions } from "../../../src/tenant/tenant";

export interface Reply {
  /** Default: 200. */
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON. A string is sent unchanged. */
  body?: unknown;
}

export interface Scripted {
  tenant: Tenant;
  /** `GET /organizations?take=100` for each request below /api/v2, in order. */
  lines: string[];
  /** The path and the parsed body of each request of a token. */
  tokenRequests: { path: string; body: any }[];
}

/** `answering` gets the request, with the path below /api/v2. */
export function scripted(
  answering: (exchange: Exchange) => Reply | Promise<Reply>,
  options: Partial<TenantOptions> = {},
): Scripted {
  const lines: string[] = [];
  const tokenRequests: Scripted["tokenRequests"] = [];
  const exchange = async (one: Exchange): Promise<RawResponse> => {
    const path = one.path.replace(/^.*\/api\/v2/, "");
    if (path === one.path) tokenRequests.push({ path, body: JSON.parse(one.body ?? "") });
    else lines.push(`${one.method} ${path}`);
    const { status = 200, headers = {}, body } = await answering({ ...one, path });
    return { status, headers, text: body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body) };
  };
  const tenant = createTenant({
    endpoint: "https://acme.example",
    credentials: { kind: "access_token", accessToken: "ready" },
    userAgent: "tests/1",
    random: () => 0,
    transport: { exchange, stop() {}, async close() {} },
    ...options,
  });
  return { tenant, lines, tokenRequests };
}

export const missing: Reply = { status: 404, body: { statusCode: 404, error: "Not Found", message: "Not there." } };
