/** Runs programs in a clean environment with a time limit. */
import { execFile } from "node:child_process";

/** What every measurement needs. */
export interface Bench {
  /** A folder to work in. */
  readonly folder: string;
  /** Rounds of each measurement. */
  readonly rounds: number;
  readonly signal: AbortSignal;
  say(line: string): void;
}

export interface Ended {
  readonly code: number;
  /** Standard output, then standard error. */
  readonly output: string;
  readonly seconds: number;
}

export const terraform = process.env.TERRAFORM_BINARY_NAME || "terraform";
const timeout = 600_000;

export const cleanEnvironment = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  TMPDIR: home,
  CHECKPOINT_DISABLE: "1",
});

/** Returns with any exit code. Rejects if the program was ended. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, signal, env = {} }: { readonly cwd: string; readonly signal: AbortSignal; readonly env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  const started = performance.now();
  const options = { cwd, env: { ...cleanEnvironment(cwd), ...env }, signal, timeout, maxBuffer: Infinity };
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error?.code ?? 0;
      if (typeof code === "string" || error?.killed) return reject(error!);
      resolve({ code, output: stdout + stderr, seconds: (performance.now() - started) / 1000 });
    });
  });
}

/** Like `run`, but throws with the output if the exit code is not 0. */
export async function succeed(...[program, args, options]: Parameters<typeof run>): Promise<Ended> {
  const ended = await run(program, args, options);
  if (ended.code === 0) return ended;
  throw new Error(`${program} ${args.join(" ")} ended with ${ended.code}:\n${ended.output.slice(-2000)}`);
}
