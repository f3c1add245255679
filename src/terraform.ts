/** Terraform, or OpenTofu in its place: which one this machine has, and how it is run. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** What somebody named, for this package or for the command lines of the hosts; else what is on the path. */
function wanted({ TENANTFORM_TERRAFORM, TERRAFORM_BINARY_NAME }: NodeJS.ProcessEnv): readonly string[] {
  const named = TENANTFORM_TERRAFORM || TERRAFORM_BINARY_NAME;
  return named ? [named] : ["terraform", "tofu"];
}

/** Those that run there, the best first. What is started may stand for versions of which none is installed. */
export async function* terraforms(environment: NodeJS.ProcessEnv, directory?: string): AsyncGenerator<string> {
  for (const program of wanted(environment)) {
    if (await saysVersion(program, environment, directory)) yield program;
  }
}

async function saysVersion(program: string, environment: NodeJS.ProcessEnv, cwd?: string): Promise<boolean> {
  const env = { ...environment, CHECKPOINT_DISABLE: "1" };
  try {
    const [code] = await once(spawn(program, ["version"], { cwd, env, stdio: "ignore" }), "close");
    return code === 0;
  } catch {
    return false;
  }
}

/** Why there is none of them. */
export function noTerraform(environment: NodeJS.ProcessEnv): string {
  const [first, second] = wanted(environment);
  if (second !== undefined) return `Neither ${first} nor ${second} is on the PATH and says its version.`;
  return `${first}, as TENANTFORM_TERRAFORM or TERRAFORM_BINARY_NAME names it, does not say its version.`;
}

export interface Session {
  readonly program: string;
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Told of what is started, so that an interrupt can reach it. */
  readonly started?: (child: ChildProcess) => void;
}

export interface Diagnostic {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
}

/** Of the lines that `-json` writes: what is read here. */
export interface Message {
  readonly type?: string;
  readonly diagnostic?: Diagnostic;
  readonly changes?: Readonly<Record<"import" | "add" | "change" | "remove", number>>;
  readonly change?: { readonly action: string; readonly resource: { readonly addr: string } };
}

export interface Ended {
  readonly code: number | null;
  /** Of standard output, but for messages that were taken. */
  readonly output: string;
  readonly errors: string;
}

/** `take` is given each message. */
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
