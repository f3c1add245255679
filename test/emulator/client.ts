/** A plain HTTP client for the tests of the embedded tenant, independent of Tenantform's own client. */
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator";
import { grantForm } from "../support/token";
import { departures } from "./conformance";

export interface ReadResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed if it is JSON. */
  body: ReturnType<typeof JSON.parse>;
}

export interface Tenant extends Emulator {
  token: string;
  /** Sends a request below /api/v2 with a valid token. A body that is not a string is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ReadResponse>;
}

export async function read(response: Response): Promise<ReadResponse> {
  const text = await response.text();
  const isJson = text !== "" && response.headers.get("content-type")?.includes("json");
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** Sends a request without a port, and checks the response against the contract unless faults are injected. */
export async function send(
  emulator: Emulator,
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<ReadResponse> {
  const url = new URL(root + path);
  const response = await read(await emulator.fetch(new Request(url, { method, ...init })));
  // The contract of the service does not describe responses of the network ACLs.
  const isRefused = response.status >= 300 && emulator.requests.at(-1)?.acl !== undefined;
  if (emulator.faults.rules.length === 0 && !isRefused) {
    expect(departures(method, url.pathname, response.status, response.headers, response.text)).toEqual([]);
  }
  return response;
}

export const root = "http://127.0.0.1";

export async function requestToken(emulator: Emulator, fields: Record<string, unknown> = {}): Promise<ReadResponse> {
  const form = { ...grantForm(emulator, `${root}/api/v2/`), ...fields };
  const headers = { "content-type": "application/json" };
  return send(emulator, "POST", "/oauth/token", { headers, body: JSON.stringify(form) });
}

export async function createTenant(options?: EmulatorOptions): Promise<Tenant> {
  const emulator = createEmulator(options);
  const token = (await requestToken(emulator)).body.access_token as string;
  const call: Tenant["call"] = async (method, path, body, headers = {}) => {
    const type = body !== undefined && { "content-type": "application/json" };
    return send(emulator, method, `/api/v2${path}`, {
      headers: { authorization: `Bearer ${token}`, ...type, ...headers },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
  };
  return Object.assign(emulator, { token, call });
}
