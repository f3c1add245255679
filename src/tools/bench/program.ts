/** Runs a program in a clean environment with a time limit. */
import { spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";

export interface Ended {
  readonly code: number | null;
  /** Standard output and standard error, in the order of arrival. */
  readonly output: string;
  readonly seconds: number;
}

export interface RunOptions {
  cwd: string;
  /** In addition to the PATH and a home of its own. */
  env?: NodeJS.ProcessEnv;
  /** Ends the program early. */
  signal: AbortSignal;
  /** Seconds after which the program is ended. */
  timeout: number;
}

/** Milliseconds between SIGTERM and SIGKILL. */
const grace = 10_000;

export const cleanEnvironment = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  TMPDIR: home,
  CHECKPOINT_DISABLE: "1",
});

/** Returns with any exit code. Throws if the program was ended. */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, env = {}, timeout } = options;
  options.signal.throwIfAborted();
  const started = performance.now();
  const settings: SpawnOptions = { cwd, env: { ...cleanEnvironment(cwd), ...env }, stdio: ["ignore", "pipe", "pipe"] };
  const child = spawn(program, args, settings);
  let output = "";
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  let killing: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill("SIGTERM");
    killing = setTimeout(() => child.kill("SIGKILL"), grace);
  };
  const late = setTimeout(end, timeout * 1000);
  options.signal.addEventListener("abort", end, { once: true });
  try {
    const [code] = (await once(child, "close")) as [number | null];
    const seconds = (performance.now() - started) / 1000;
    options.signal.throwIfAborted();
    if (killing)
      throw new Error(`${program} ${args[0]} was ended after ${timeout.toFixed(0)} s:\n${output.slice(-2000)}`);
    return { code, output, seconds };
  } finally {
    clearTimeout(late);
    clearTimeout(killing);
    options.signal.removeEventListener("abort", end);
  }
}

/** Like `run`, but throws with the output if the exit code is not 0. */
export async function succeed(program: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const ended = await run(program, args, options);
  if (ended.code === 0) return ended;
  throw new Error(`${program} ${args.join(" ")} ended with ${ended.code}:\n${ended.output.slice(-2000)}`);
}
