/** Terraform or OpenTofu, asked for a plan of what was written. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Counts {
  readonly import: number;
  readonly add: number;
  readonly change: number;
  readonly remove: number;
  /** From the addresses of another provider. */
  readonly moved: number;
}

export interface Told {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
}

export interface Planned {
  /** Undefined where there is no plan. */
  readonly counts?: Counts;
  readonly told: readonly Told[];
  /** What changes, beside imports: `tenant_network_acl.tor (update)`. */
  readonly changes: readonly string[];
}

/** Of the lines that `-json` writes: what is read here. */
interface Message {
  readonly type?: string;
  readonly "@message"?: string;
  readonly diagnostic?: Told;
  readonly changes?: Partial<Counts>;
  readonly change?: { readonly action: string; readonly resource: { readonly addr: string } };
}

export interface Session {
  readonly program: string;
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
}

/** `TERRAFORM_BINARY_NAME`, as the command lines of the hosts read it; else what is on the path. */
export async function findTerraform(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = env.TERRAFORM_BINARY_NAME;
  for (const program of named ? [named] : ["terraform", "tofu"]) {
    if (await runs(program, env)) return program;
  }
  return undefined;
}

async function runs(program: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(program, ["version"], { env, stdio: "ignore" });
  try {
    await once(child, "close");
    return true;
  } catch {
    return false;
  }
}

export async function initialize({ program, directory, env }: Session): Promise<Told | undefined> {
  const { code, output } = await run(program, ["init", "-input=false", "-no-color"], directory, env);
  if (code === 0) return undefined;
  return { severity: "error", summary: `${program} init ended with ${code}`, detail: output.trim() };
}

/** What the state of another place holds, where the directory was initialized before. */
export async function pullState({ program, directory, env }: Session): Promise<string> {
  const { code, output } = await run(program, ["state", "pull"], directory, env);
  return code === 0 ? output : "";
}

/** What Terraform says of objects that stay as they are, or that it is to forget. */
const unchanged = new Set(["noop", "import", "forget", "remove"]);

/** `seen` is told of each object that was read. */
export async function plan({ program, directory, env }: Session, seen: () => void): Promise<Planned> {
  const args = ["plan", "-input=false", "-lock=false", "-json"];
  const told: Told[] = [];
  const changes: string[] = [];
  let counts: Counts | undefined;
  let moved = 0;
  const { code, output } = await run(program, args, directory, env, (line) => {
    const message = messageIn(line);
    if (!message) return false;
    const { type, diagnostic, change } = message;
    if (type === "refresh_complete") seen();
    if (diagnostic) told.push(diagnostic);
    if (type === "planned_change" && change?.action === "move") moved++;
    else if (type === "planned_change" && change && !unchanged.has(change.action)) {
      changes.push(`${change.resource.addr} (${change.action})`);
    }
    if (type === "change_summary") counts = { import: 0, add: 0, change: 0, remove: 0, ...message.changes, moved };
    return true;
  });
  if (code !== 0 && !told.some(({ severity }) => severity === "error")) {
    told.push({ severity: "error", summary: `${program} plan ended with ${code}`, detail: output.trim() });
  }
  return { ...(code === 0 && counts && { counts }), told, changes };
}

function messageIn(line: string): Message | undefined {
  try {
    return line.startsWith("{") ? (JSON.parse(line) as Message) : undefined;
  } catch {
    return undefined;
  }
}

/** `take` says of a line whether it belongs to no output. */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  take: (line: string) => boolean = () => false,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  createInterface(child.stdout).on("line", (line) => {
    if (!take(line)) output += `${line}\n`;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}
