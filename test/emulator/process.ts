/** `tenantform emulate` as people start it, in a process of its own. */
import path from "node:path";
import { start } from "../support/program";
import { tokenOf } from "../support/token";

export interface Running {
  /** What the export lines say, by their names. */
  exports: Record<string, string>;
  /** Everything printed so far. */
  readonly printed: string;
  /** Resolves when what is printed matches. */
  prints(pattern: RegExp): Promise<void>;
  /** Sends the signal and gives the exit code, or the signal's name, when the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

const root = path.join(__dirname, "../..");
const program = path.join(root, "src/cli.ts");

/** Rejects with what it wrote to stderr when it ends before it serves. */
export async function startCommand(...args: string[]): Promise<Running> {
  const running = start(process.execPath, ["--import", require.resolve("tsx"), program, "emulate", ...args], {
    cwd: root,
    env: { TMPDIR: process.env.TMPDIR },
  });
  await running.prints(/the tenant as a page/);
  const lines = running.stdout.matchAll(/^export (\w+)=(.*)$/gm);
  return {
    exports: Object.fromEntries([...lines].map(([, name, value]) => [name, value!])),
    get printed() {
      return running.stdout;
    },
    prints: running.prints,
    async end(by) {
      running.child.kill(by);
      const { code, signal } = await running.ended;
      return code ?? signal!;
    },
  };
}

/** A token for the client that the exports name. */
export function grantFor({ exports }: Running, url = exports.TENANT_ENDPOINT!): Promise<string> {
  return tokenOf(url, { clientId: exports.TENANT_CLIENT_ID!, clientSecret: exports.TENANT_CLIENT_SECRET! });
}
