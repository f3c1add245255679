/** Runs the built `tenantform emulate` in a process of its own. */
import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { start } from "../support/program";
import { tokenOf } from "../support/token";

export interface Running {
  readonly pid: number;
  /** The values of the export lines by their names. */
  exports: Record<string, string>;
  /** The whole stdout so far. */
  readonly stdout: string;
  /** The whole stderr so far. */
  readonly stderr: string;
  /** Resolves when stderr matches. */
  waitFor(pattern: RegExp): Promise<void>;
  /** Sends the signal and returns the exit code or the signal's name when the process has ended. */
  end(signal: NodeJS.Signals): Promise<number | string>;
  /** The same, when the process ends by itself. */
  readonly ended: Promise<number | string>;
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
export async function startIn(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Running> {
  const running = start(process.execPath, [program, "emulate", ...args], { cwd: root, env });
  children.add(running.child);
  const waitFor = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => pattern.test(running.stderr) && resolve();
      running.child.stderr!.on("data", look);
      running.ended.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)), reject);
      look();
    });
  await waitFor(/# listening on/);
  const ended = running.ended.then(({ code, signal }) => code ?? signal!);
  const lines = running.stdout.matchAll(/^export (\w+)=(.*)$/gm);
  return {
    pid: running.child.pid!,
    exports: Object.fromEntries([...lines].map(([, name, value]) => [name, value!])),
    get stdout() {
      return running.stdout;
    },
    get stderr() {
      return running.stderr;
    },
    waitFor,
    ended,
    end(signal: NodeJS.Signals) {
      running.child.kill(signal);
      return ended;
    },
  };
}

/** A token for the client in the exports. */
export function grantFor({ exports }: Running, url = exports.TENANT_ENDPOINT!): Promise<string> {
  return tokenOf(url, { clientId: exports.TENANT_CLIENT_ID!, clientSecret: exports.TENANT_CLIENT_SECRET! });
}
