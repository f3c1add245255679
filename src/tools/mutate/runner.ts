/** A copy of the project in which sources can be altered, and a process that runs its tests. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface Asked {
  /** The copy. */
  readonly root: string;
  readonly test: string;
  /** Sources of which it is to be told which lines the test reaches. */
  readonly reach?: readonly string[];
}

export interface Told {
  readonly passed: boolean;
  readonly ms: number;
  /** By source. */
  readonly lines?: Readonly<Record<string, readonly number[]>>;
  readonly error?: string;
}

export interface Runner {
  write(file: string, text: string): void;
  /** Undefined where the test did not end in time: the process is ended and another one takes its place. */
  run(test: string, milliseconds: number, reach?: readonly string[]): Promise<Told | undefined>;
  close(): Promise<void>;
}

/** After so many runs a process is replaced: what each leaves in memory adds up. */
const runsOfAProcess = 150;
const program = path.join(__dirname, `worker${path.extname(__filename)}`);

export function openRunner(project: string): Runner {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "tenantform-mutate-")));
  const there = (name: string) => existsSync(path.join(project, name));
  for (const name of ["src", "test", "examples", "README.md", "docs", "package.json", "tsconfig.json"].filter(there)) {
    cpSync(path.join(project, name), path.join(root, name), { recursive: true });
  }
  for (const name of ["node_modules", "dist"].filter(there)) {
    symlinkSync(path.join(project, name), path.join(root, name), "junction");
  }

  let child: ChildProcess | undefined;
  let runs = 0;
  const end = async () => {
    if (!child) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    child = undefined;
  };
  const start = () => {
    runs = 0;
    return fork(program, {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: root, TMPDIR: root, CHECKPOINT_DISABLE: "1" },
      // A mutant may ask for all the memory there is.
      execArgv: [...process.execArgv, "--max-old-space-size=1500"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
  };
  return {
    write: (file, text) => writeFileSync(path.join(root, file), text),
    async run(test, milliseconds, reach) {
      if (++runs > runsOfAProcess) await end();
      const worker = (child ??= start());
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), milliseconds);
      const died = once(worker, "exit", { signal: late.signal }).then(() => undefined);
      const told = once(worker, "message", { signal: late.signal }).then(([message]) => message as Told);
      worker.send({ root, test, reach } satisfies Asked);
      try {
        const answer = await Promise.race([told, died]);
        if (!answer) child = undefined;
        return answer;
      } catch {
        await end();
        return undefined;
      } finally {
        clearTimeout(timer);
        late.abort();
        await Promise.allSettled([died, told]);
      }
    },
    async close() {
      await end();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
