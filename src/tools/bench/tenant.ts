/** A tenant to measure at: the embedded one, in another process, which tells what it has served and when. */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { EmulatorOptions, Seed, Snapshot } from "../../emulator/emulator";
import { cleanEnvironment } from "./program";

export interface TenantOptions extends Pick<EmulatorOptions, "tier" | "latency" | "seed" | "faults"> {
  tls?: boolean;
}

/** A request as the tenant saw it. */
export interface Served {
  method: string;
  path: string;
  status: number;
  /** Milliseconds from its arrival to the beginning of the answer. */
  ms: number;
  /** When the answer began, in milliseconds of the tenant's own clock. */
  at: number;
}

export type Question = "reset" | "served" | "snapshot";

export interface Answer {
  ready?: Pick<Tenant, "url" | "ca" | "clientId" | "clientSecret">;
  served?: Served[];
  snapshot?: Snapshot;
}

export interface Tenant {
  readonly url: string;
  /** PEM of the authority behind https. */
  readonly ca?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Back to its seed and to full quotas, with nothing served. */
  reset(): Promise<void>;
  /** What it has served since the last call or reset. */
  served(): Promise<Served[]>;
  snapshot(): Promise<Seed>;
  close(): Promise<void>;
}

const program = path.join(__dirname, `tenant-process${path.extname(__filename)}`);

export async function startTenant(options: TenantOptions, home: string): Promise<Tenant> {
  const child = fork(program, { env: cleanEnvironment(home), stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The embedded tenant ended with ${code}`);
  });
  ended.catch(() => {});
  const ask = async (question: Question | TenantOptions): Promise<Answer> => {
    const answered = once(child, "message") as Promise<[Answer]>;
    child.send(question);
    const [answer] = await Promise.race([answered, ended]);
    return answer;
  };
  const { ready } = await ask(options);
  return {
    ...ready!,
    reset: async () => void (await ask("reset")),
    served: async () => (await ask("served")).served!,
    snapshot: async () => (await ask("snapshot")).snapshot!,
    async close() {
      child.kill();
      await ended.catch(() => {});
    },
  };
}
