/** An embedded tenant in another process, which reports the requests that it has served. */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { EmulatorOptions } from "../../emulator/emulator";
import { cleanEnvironment } from "./program";

export interface TenantOptions extends Pick<EmulatorOptions, "tier" | "latency"> {
  tls?: boolean;
}

export interface Served {
  method: string;
  path: string;
  status: number;
}

export type Command = "reset" | "served";

export interface Reply {
  ready?: Pick<Tenant, "url" | "ca" | "clientId" | "clientSecret">;
  served?: Served[];
}

export interface Tenant {
  readonly url: string;
  /** PEM of the certificate authority. */
  readonly ca?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Restores the seed and the full quota, and forgets served requests. */
  reset(): Promise<void>;
  /** Requests since the last call or reset. */
  served(): Promise<Served[]>;
  close(): Promise<void>;
}

const program = path.join(__dirname, `tenant-process${path.extname(__filename)}`);

export async function startTenant(options: TenantOptions, home: string): Promise<Tenant> {
  const child = fork(program, { env: cleanEnvironment(home), stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The embedded tenant ended with ${code}`);
  });
  ended.catch(() => {});
  const ask = async (command: Command | TenantOptions): Promise<Reply> => {
    const replied = once(child, "message") as Promise<[Reply]>;
    child.send(command);
    const [reply] = await Promise.race([replied, ended]);
    return reply;
  };
  const { ready } = await ask(options);
  return {
    ...ready!,
    reset: async () => void (await ask("reset")),
    served: async () => (await ask("served")).served!,
    async close() {
      child.kill();
      await ended.catch(() => {});
    },
  };
}
