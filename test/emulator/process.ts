/** Runs the built `tenantform emulate` in a process of its own. */
import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { start, type Running } from "../support/program";
import { tokenOf } from "../support/token";

export interface RunningTenant extends Running {
  /** The values of the export lines by their names. */
  readonly exports: Record<string, string>;
  /** Sends the signal, and returns the exit code or the signal's name when the process has ended. Without a signal, it ends by itself. */
  end(signal?: NodeJS.Signals): Promise<number | string>;
}

const root = path.join(__dirname, "../..");
export const program = path.join(root, "dist/cli.js");

/** Rejects with its stderr if it ends before it serves. */
export const startCommand = (...args: string[]) => startIn({ TMPDIR: process.env.TMPDIR }, ...args);

const children = new Set<ChildProcess>();
// Ends the processes of a test that failed.
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});

/** The same with these environment variables. */
export async function startIn(env: NodeJS.ProcessEnv, ...args: string[]): Promise<RunningTenant> {
  const running = start(process.execPath, [program, "emulate", ...args], { cwd: root, env });
  children.add(running.child);
  await running.prints(/# listening on/);
  const settings = [...running.stdout.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value!]);
  const end = async (signal?: NodeJS.Signals) => {
    if (signal) running.child.kill(signal);
    const ended = await running.ended;
    return ended.code ?? ended.signal!;
  };
  return Object.defineProperties(running, {
    exports: { value: Object.fromEntries(settings) },
    end: { value: end },
  }) as RunningTenant;
}

/** A token for the client in the exports. */
export const grantFor = ({ exports }: RunningTenant) =>
  tokenOf(exports.TENANT_ENDPOINT!, {
    clientId: exports.TENANT_CLIENT_ID!,
    clientSecret: exports.TENANT_CLIENT_SECRET!,
  });
