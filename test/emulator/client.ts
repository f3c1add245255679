/** A plain HTTP client of the embedded tenant for its tests: nothing of Tenantform's own client is in it. */
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator";
import { grantForm } from "../support/token";
import { departures } from "./conformance";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed when it is JSON; tests read in it whatever the service answered. */
  body: ReturnType<typeof JSON.parse>;
}

export interface Tenant extends Emulator {
  token: string;
  /** Sends a request below /api/v2 with a good token; a body that is no string goes as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = text !== "" && response.headers.get("content-type")?.includes("json");
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** Sends a request without a port; an answer no fault has touched has to keep to the contract. */
export async function send(emulator: Emulator, method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const url = new URL(root + path);
  const answer = await read(await emulator.fetch(new Request(url, { method, ...init })));
  // What the edge answers is not in the service's contract.
  const isStopped = answer.status >= 300 && emulator.requests.at(-1)?.acl !== undefined;
  if (emulator.faults.rules.length === 0 && !isStopped) {
    expect(departures(method, url.pathname, answer.status, answer.headers, answer.text)).toEqual([]);
  }
  return answer;
}

export const root = "http://127.0.0.1";

export async function requestToken(emulator: Emulator, fields: Record<string, unknown> = {}): Promise<Answer> {
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
