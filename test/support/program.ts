/** Starting programs as a user's machine would: with nothing of ours in their environment but what is named. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

export interface Ended {
  readonly code: number | null;
  /** The signal that ended the program, if any. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves once what came on stdout matches; rejects where it ends before. */
  prints(pattern: RegExp): Promise<void>;
  /** Once the process and everybody who shares its pipes has gone. */
  readonly ended: Promise<Ended>;
}

export interface Surroundings {
  readonly cwd: string;
  /** In addition to the PATH and a home of its own; undefined removes a variable. */
  readonly env?: NodeJS.ProcessEnv;
}

/** With `detached` it leads a group of its own. */
export function start(
  program: string,
  args: readonly string[],
  { cwd, env, detached = false }: Surroundings & { readonly detached?: boolean },
): Running {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, CHECKPOINT_DISABLE: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached,
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, ...said }) as Ended);
  // Callers that wait get the error of a program that cannot start.
  ended.catch(() => {});
  return {
    child,
    get stdout() {
      return said.stdout;
    },
    get stderr() {
      return said.stderr;
    },
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => pattern.test(said.stdout) && resolve();
        child.stdout.on("data", look);
        ended.then(({ code, stderr }) => reject(new Error(`${program} ended with ${code}: ${stderr}`)), reject);
        look();
      }),
    ended,
  };
}

/** Runs a program to its end, whatever its exit code. Where the signal aborts, it and all that it started are killed. */
export async function run(
  program: string,
  args: readonly string[],
  { signal, ...surroundings }: Surroundings & { readonly signal?: AbortSignal },
): Promise<Ended> {
  const { child, ended } = start(program, args, { ...surroundings, detached: signal !== undefined });
  const kill = () => process.kill(-child.pid!, "SIGKILL");
  signal?.addEventListener("abort", kill, { once: true });
  child.once("exit", () => signal?.removeEventListener("abort", kill));
  return ended;
}

/** As `run`; throws with what it wrote where its exit code is not 0, and gives what came on stdout. */
export async function succeed(...[program, args, options]: Parameters<typeof run>): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}\n${stdout}${stderr}`);
  return stdout;
}
