// The command as people start it, in a process of its own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

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

const program = path.join(__dirname, "../../src/cli.ts");

/** Starts `tenantform emulate`; rejects with what it wrote to stderr when it ends before it serves. */
export async function startCommand(...args: string[]): Promise<Running> {
  const child = spawn(process.execPath, ["--import", require.resolve("tsx"), program, "emulate", ...args], {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  let printed = "";
  const waiting: { pattern: RegExp; resolve: () => void }[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    for (const { pattern, resolve } of waiting) if (pattern.test(printed)) resolve();
  });
  const prints = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      if (pattern.test(printed)) resolve();
      waiting.push({ pattern, resolve });
      closed.then(([code]) => reject(new Error(`ended with ${code}: ${stderr}`)), reject);
    });
  await prints(/the tenant as a page/);
  const exports = Object.fromEntries(
    [...printed.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value!]),
  );
  return {
    exports,
    get printed() {
      return printed;
    },
    prints,
    async end(signal) {
      child.kill(signal);
      const [code, by] = await closed;
      return code ?? by!;
    },
  };
}

/** A token for the client that the exports name. */
export async function grantFor({ exports }: Running, root = exports.TENANT_ENDPOINT): Promise<string> {
  const form = {
    grant_type: "client_credentials",
    client_id: exports.TENANT_CLIENT_ID!,
    client_secret: exports.TENANT_CLIENT_SECRET!,
    audience: "/api/v2/",
  };
  const answer = await fetch(`${root}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  return ((await answer.json()) as { access_token: string }).access_token;
}
