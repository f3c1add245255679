/** What every measurement needs: programs in a clean environment, the providers to compare, and working directories of Terraform with one of them. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, realpath, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { address, platformHere } from "../../install/product";
import { version } from "../../version";

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

export const dist = path.join(__dirname, "../../../dist");
export const terraform = process.env.TERRAFORM_BINARY_NAME || "terraform";
const timeout = 600_000;

export const cleanEnvironment = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  TMPDIR: home,
  CHECKPOINT_DISABLE: "1",
});

interface RunOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
  /** Returns with any exit code. */
  readonly mayFail?: boolean;
}

/** Throws with the output if the exit code is not 0. */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, signal, env = {}, mayFail = false } = options;
  const started = performance.now();
  const settings = { cwd, env: { ...cleanEnvironment(cwd), ...env }, signal, timeout, maxBuffer: Infinity };
  return new Promise((resolve, reject) => {
    execFile(program, args, settings, (error, stdout, stderr) => {
      const code = error?.code ?? 0;
      if (typeof code === "string" || error?.killed) return reject(error!);
      const output = stdout + stderr;
      if (code === 0 || mayFail) return resolve({ code, output, seconds: (performance.now() - started) / 1000 });
      reject(new Error(`${program} ${args.join(" ")} ended with ${code}:\n${output.slice(-2000)}`));
    });
  });
}

export interface Contender {
  readonly name: string;
  /** The executable or its folder. */
  readonly shipped: string;
  /** Namespace and type. */
  readonly source: string;
  readonly version: string;
}

export const script: Contender = { name: "script", source: address, version, shipped: path.join(dist, "provider") };
const native: Contender = { ...script, name: "native", shipped: path.join(dist, "native", platformHere()) };

/** Our builds that exist, and the other provider if its executable is given. */
export function contendersOf(peer: string | undefined, source: string): Contender[] {
  const built = [script, native].filter(({ shipped }) => existsSync(shipped));
  return peer === undefined
    ? built
    : [...built, { name: "peer", source, version: "1.0.0", shipped: path.resolve(peer) }];
}

const flags = ["-input=false", "-no-color"];
export const commands = {
  create: ["apply", "-auto-approve", ...flags],
  // Fails if anything is left to do.
  plan: ["plan", "-detailed-exitcode", ...flags],
  change: ["apply", "-auto-approve", ...flags],
  destroy: ["destroy", "-auto-approve", ...flags],
} as const;

const types = { policy: "rate_limit_policy", acl: "network_acl" };
export type Kind = keyof typeof types;

export const policiesOf = (size: number, content = 1): object[] =>
  Array.from({ length: size }, (_, index) => ({
    resource: "oauth_authentication_api",
    consumer: "client",
    consumer_selector: `client_id:benchmark${index + 1}`,
    configuration: { action: "block", limit: content + index },
  }));

export interface Workspace {
  readonly contender: Contender;
  readonly directory: string;
  write(objects: readonly object[]): Promise<void>;
  /** Runs Terraform. */
  run(args: readonly string[], mayFail?: boolean): Promise<Ended>;
}

export async function openWorkspace(
  { folder, signal }: Bench,
  contender: Contender,
  kind: Kind,
  env: NodeJS.ProcessEnv,
): Promise<Workspace> {
  const { shipped, source, version: number } = contender;
  const directory = await realpath(await mkdtemp(path.join(folder, "workspace-")));
  const prefix = path.posix.basename(source);
  const workspace: Workspace = {
    contender,
    directory,
    write(objects) {
      const named = objects.map((object, index) => [`${kind}${index + 1}`, object]);
      const configuration = {
        terraform: { required_providers: { [prefix]: { source } } },
        ...(named.length > 0 && { resource: { [`${prefix}_${types[kind]}`]: Object.fromEntries(named) } }),
      };
      return writeFile(path.join(directory, "main.tf.json"), JSON.stringify(configuration));
    },
    run: (args, mayFail) => run(terraform, args, { cwd: directory, env, signal, mayFail }),
  };
  const place = path.join(directory, "terraform.d/plugins/registry.terraform.io", source, number, platformHere());
  await mkdir(place, { recursive: true });
  const isFolder = (await stat(shipped)).isDirectory();
  const executable = path.join(place, `terraform-provider-${prefix}_v${number}`);
  await cp(shipped, isFolder ? place : executable, { recursive: true });
  await workspace.write([]);
  await workspace.run(["init", ...flags]);
  return workspace;
}
