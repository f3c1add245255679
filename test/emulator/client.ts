// A plain HTTP client of the embedded tenant for its tests: nothing of Tenantform's own client is in it.

import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator";

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

export const root = "http://tenant.test";

export async function requestToken(emulator: Emulator, fields: Record<string, unknown> = {}): Promise<Answer> {
  const form = {
    grant_type: "client_credentials",
    client_id: emulator.clientId,
    client_secret: emulator.clientSecret,
    audience: `${root}/api/v2/`,
    ...fields,
  };
  const headers = { "content-type": "application/json" };
  return read(
    await emulator.fetch(new Request(`${root}/oauth/token`, { method: "POST", headers, body: JSON.stringify(form) })),
  );
}

export async function createTenant(options?: EmulatorOptions): Promise<Tenant> {
  const emulator = createEmulator(options);
  const token = (await requestToken(emulator)).body.access_token as string;
  const call: Tenant["call"] = async (method, path, body, headers = {}) => {
    const type = body !== undefined && { "content-type": "application/json" };
    return read(
      await emulator.fetch(
        new Request(`${root}/api/v2${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, ...type, ...headers },
          body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
        }),
      ),
    );
  };
  return Object.assign(emulator, { token, call });
}
