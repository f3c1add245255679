/** Starts programs as on a user's machine: their environment has only the variables that a test gives. */
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
  /** Resolves once stdout or stderr matches; rejects if the program ends first. */
  prints(pattern: RegExp): Promise<void>;
  /** Resolves once the process and all processes that share its pipes have ended. */
  readonly ended: Promise<Ended>;
}

export interface Surroundings {
  readonly cwd: string;
  /** Added to PATH and a separate HOME; undefined removes a variable. */
  readonly env?: NodeJS.ProcessEnv;
}

/** With `detached`, the program leads its own process group. */
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
        const look = () => [said.stdout, said.stderr].some((text) => pattern.test(text)) && resolve();
        for (const stream of [child.stdout, child.stderr]) stream.on("data", look);
        ended.then(({ code, stderr }) => reject(new Error(`${program} ended with ${code}: ${stderr}`)), reject);
        look();
      }),
    ended,
  };
}

/** Runs a program to its end, with any exit code. If the signal aborts, kills the program and all its child processes. */
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

/** Like `run`, but returns stdout, and throws the output if the exit code is not 0. */
export async function succeed(...[program, args, options]: Parameters<typeof run>): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}\n${stdout}${stderr}`);
  return stdout;
}
