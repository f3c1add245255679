/** `tenantform emulate` as people start it, in a process of its own. */
import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { start } from "../support/program";
import { tokenOf } from "../support/token";

export interface Running {
  readonly pid: number;
  /** What the export lines say, by their names. */
  exports: Record<string, string>;
  /** Everything on stdout so far. */
  readonly printed: string;
  /** Everything on stderr so far. */
  readonly told: string;
  /** Resolves when what is on stderr matches. */
  tells(pattern: RegExp): Promise<void>;
  /** Sends the signal and gives the exit code, or the signal's name, when the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

const root = path.join(__dirname, "../..");
const program = path.join(root, "src/cli.ts");

/** Rejects with what it wrote to stderr when it ends before it serves. */
export function startCommand(...args: string[]): Promise<Running> {
  return begin({ TMPDIR: process.env.TMPDIR }, process.execPath, [], args);
}

/** The same with other variables beside the search path. */
export function startIn(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Running> {
  return begin({ TSX_DISABLE_CACHE: "1", ...env }, process.execPath, [], args);
}

/** The same by a program that is told how to start Node. */
export function startWith(by: string, how: readonly string[], ...args: string[]): Promise<Running> {
  return begin({ TMPDIR: process.env.TMPDIR }, by, how, args);
}

const children = new Set<ChildProcess>();
// A test that fails in the middle leaves none running.
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});

async function begin(env: NodeJS.ProcessEnv, by: string, how: readonly string[], args: readonly string[]) {
  const running = start(by, [...how, "--import", require.resolve("tsx"), program, "emulate", ...args], {
    cwd: root,
    env,
  });
  children.add(running.child);
  const tells = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => pattern.test(running.stderr) && resolve();
      running.child.stderr!.on("data", look);
      running.ended.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)), reject);
      look();
    });
  await tells(/the tenant as a page/);
  const lines = running.stdout.matchAll(/^export (\w+)=(.*)$/gm);
  return {
    pid: running.child.pid!,
    exports: Object.fromEntries([...lines].map(([, name, value]) => [name, value!])),
    get printed() {
      return running.stdout;
    },
    get told() {
      return running.stderr;
    },
    tells,
    async end(means: NodeJS.Signals) {
      running.child.kill(means);
      const { code, signal } = await running.ended;
      return code ?? signal!;
    },
  };
}

/** A token for the client that the exports name. */
export function grantFor({ exports }: Running, url = exports.TENANT_ENDPOINT!): Promise<string> {
  return tokenOf(url, { clientId: exports.TENANT_CLIENT_ID!, clientSecret: exports.TENANT_CLIENT_SECRET! });
}
