/** Starting programs as a user's machine would: with nothing of ours in their environment but what is named. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, whatever its exit code. Where the signal aborts, it and all that it started are killed. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env = {}, signal }: { cwd: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, CHECKPOINT_DISABLE: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: signal !== undefined,
  });
  const kill = () => process.kill(-child.pid!, "SIGKILL");
  signal?.addEventListener("abort", kill, { once: true });
  child.once("exit", () => signal?.removeEventListener("abort", kill));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
