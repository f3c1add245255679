/** The embedded tenant over https, in a process of its own, so that it shares no event loop with the benchmark. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import path from "node:path";
import type { RequestEntry, Tier } from "../../emulator/emulator";
import { cleanEnvironment, dist, type Bench } from "./workspace";

/** Milliseconds that each response takes. */
export const latency = 50;

export interface Tenant {
  /** The variables of all providers for the tenant and its certificate authority. */
  readonly env: NodeJS.ProcessEnv;
  /** Restores the empty tenant and the full quota, and forgets served requests. */
  reset(): Promise<void>;
  /** Requests since the last call or reset. */
  served(): Promise<RequestEntry[]>;
}

/** Starts a tenant for `use`. */
export async function onTenant<T>(bench: Bench, tier: Tier, use: (tenant: Tenant) => Promise<T>): Promise<T> {
  const args = [path.join(dist, "cli.js"), "emulate", "--tls", "--quiet", "--latency", `${latency}`, "--tier", tier];
  const child = spawn(process.execPath, args, {
    env: cleanEnvironment(bench.folder),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "close");
  try {
    const settings: Record<string, string> = {};
    for await (const text of child.stdout.setEncoding("utf8")) {
      for (const [, name, value] of String(text).matchAll(/^export (\w+)=(.*)$/gm)) settings[name!] = value!;
      if (settings.NODE_EXTRA_CA_CERTS !== undefined) break;
    }
    return await use(await tenantAt(settings));
  } finally {
    child.kill();
    await ended;
  }
}

async function tenantAt(settings: Readonly<Record<string, string>>): Promise<Tenant> {
  const { TENANT_ENDPOINT: url = "", NODE_EXTRA_CA_CERTS: authority = "" } = settings;
  const ca = await readFile(authority);
  const ask = (method: string, at: string) =>
    new Promise<string>((resolve, reject) => {
      const sent = request(`${url}/_tenantform/${at}`, { method, ca }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => resolve(text)).on("error", reject);
      });
      sent.on("error", reject).end();
    });
  return {
    env: {
      TENANT_ENDPOINT: url,
      AUTH0_DOMAIN: new URL(url).host,
      AUTH0_CLIENT_ID: settings.TENANT_CLIENT_ID,
      AUTH0_CLIENT_SECRET: settings.TENANT_CLIENT_SECRET,
      NODE_EXTRA_CA_CERTS: authority,
      SSL_CERT_FILE: authority,
    },
    reset: async () => void (await ask("POST", "reset")),
    async served() {
      const requests = JSON.parse(await ask("GET", "requests")) as RequestEntry[];
      await ask("DELETE", "requests");
      return requests;
    },
  };
}
