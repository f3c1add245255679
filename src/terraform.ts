/** Finds and runs Terraform, or OpenTofu in its place. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

export interface Terraform {
  /** The name that was given, or the absolute path. */
  readonly name: string;
  /** Absolute, because a relative path names another program in another working directory. */
  readonly file: string;
}

/** The program that a variable of this package or of the CDK command lines names; by default those on the PATH. */
function wanted({ TENANTFORM_TERRAFORM, TERRAFORM_BINARY_NAME }: NodeJS.ProcessEnv): readonly string[] {
  const named = TENANTFORM_TERRAFORM || TERRAFORM_BINARY_NAME;
  if (!named) return ["terraform", "tofu"];
  return [path.basename(named) === named ? named : path.resolve(named)];
}

/** Programs that run in the directory, best first. A version manager may find that its version is not installed. */
export async function* terraforms(environment: NodeJS.ProcessEnv, directory?: string): AsyncGenerator<Terraform> {
  for (const name of wanted(environment)) {
    const file = programFile(name, environment);
    if (file !== undefined && (await printsVersion(file, environment, directory))) yield { name, file };
  }
}

/** The first one of them. The directory may not exist yet. */
export async function terraformFor(environment: NodeJS.ProcessEnv, directory: string): Promise<Terraform | undefined> {
  for await (const tool of terraforms(environment, existsSync(directory) ? directory : undefined)) return tool;
  return undefined;
}

/** Our own search, because the system's also looks in the current folder: always on Windows, elsewhere for a relative PATH entry. */
function programFile(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  if (path.isAbsolute(name)) return name;
  const endings = process.platform === "win32" && path.extname(name) === "" ? [".exe", ".com"] : [""];
  return searchPath(environment)
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && stats.isFile() && (process.platform === "win32" || (stats.mode & 0o111) !== 0);
}

async function printsVersion(file: string, environment: NodeJS.ProcessEnv, cwd?: string): Promise<boolean> {
  const env = programEnvironment(environment);
  try {
    const [code] = await once(spawn(file, ["version"], { cwd, env, stdio: "ignore" }), "close");
    return code === 0;
  } catch {
    return false;
  }
}

/** Why no program was found. */
export function noTerraform(environment: NodeJS.ProcessEnv): string {
  const [first, second] = wanted(environment);
  if (second !== undefined) return `Neither ${first} nor ${second} on the PATH prints its version.`;
  return `${first} does not print its version. TENANTFORM_TERRAFORM or TERRAFORM_BINARY_NAME names this program.`;
}

export interface Session {
  readonly program: string;
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Called with each child process, so that an interrupt can reach it. */
  readonly started?: (child: ChildProcess) => void;
}

export interface Diagnostic {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
}

/** A line that `-json` writes; only the parts that are read here. */
export interface Message {
  readonly type?: string;
  readonly diagnostic?: Diagnostic;
  readonly changes?: Readonly<Record<"import" | "add" | "change" | "remove", number>>;
  readonly change?: { readonly action: string; readonly resource: { readonly addr: string } };
}

export interface Ended {
  readonly code: number | null;
  /** Standard output without the messages that went to `take`. */
  readonly output: string;
  readonly errors: string;
}

/** `take` gets each message. */
export async function run(
  session: Session,
  args: readonly string[],
  take?: (message: Message) => void,
): Promise<Ended> {
  const { program, directory, env, started } = session;
  const child = spawn(program, args, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
  started?.(child);
  let output = "";
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  createInterface(child.stdout).on("line", (line) => {
    const message = take && messageIn(line);
    if (message) take(message);
    else output += `${line}\n`;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output, errors };
}

function messageIn(line: string): Message | undefined {
  try {
    return line.startsWith("{") ? (JSON.parse(line) as Message) : undefined;
  } catch {
    return undefined;
  }
}

/* The few environment variables for a program that comes from a reviewed folder or needs no secret. */

/** Names in upper case, because Windows ignores the case. */
const passed: readonly RegExp[] = [
  /^(HOME|USER|LOGNAME|SHELL|TMPDIR|TMP|TEMP|LANG|LANGUAGE|TZ|TERM|NO_COLOR)$/,
  /^LC_[A-Z]+$/,
  /^XDG_(CACHE|CONFIG|DATA|STATE)_HOME$/,
  // Windows starts no program without these.
  /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA)$/,
  /^PROGRAMFILES(\(X86\))?$/,
  // Where Terraform finds its settings and its providers.
  /^(TF_CLI_CONFIG_FILE|TERRAFORM_CONFIG|TF_DATA_DIR|TF_REATTACH_PROVIDERS)$/,
  // Version managers, which start Terraform, or the Node that runs the provider.
  /^(TFENV|TOFUENV|TENV|ASDF|MISE|VOLTA|NODENV)_[A-Z_]+$/,
  // Libraries of systems that keep them in a place of their own.
  /^(LD_LIBRARY_PATH|NIX_LD|NIX_LD_LIBRARY_PATH)$/,
];

/** Files of the person who starts the review, so not relative to the folder with the plan. */
const settings: ReadonlySet<string> = new Set(["TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"]);

/** A version manager has variables for tokens as well. */
const secret = /TOKEN|SECRET|PASS|KEY|CREDENTIAL|AUTH|REMOTE/;

export function programEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).flatMap(([variable, value]) => {
    const name = variable.toUpperCase();
    if (!value || !passed.some((pattern) => pattern.test(name)) || secret.test(name)) return [];
    return [[variable, settings.has(name) ? path.resolve(value) : value]];
  });
  return { ...Object.fromEntries(kept), PATH: searchPath(environment).join(path.delimiter), CHECKPOINT_DISABLE: "1" };
}

/** The same environment with a search path that names no program in the working directory. */
export function withSearchPath(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(([name]) => name.toUpperCase() !== "PATH");
  return { ...Object.fromEntries(others), PATH: searchPath(environment).join(path.delimiter) };
}

/** Absolute folders only: an empty or relative entry depends on the working directory. */
export function searchPath(environment: NodeJS.ProcessEnv): string[] {
  const [, folders = ""] = Object.entries(environment).find(([name]) => name.toUpperCase() === "PATH") ?? [];
  return folders.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}
