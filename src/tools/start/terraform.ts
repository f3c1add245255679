/** Terraform for `npm start`: its machine-readable output, so that progress and refusals can be shown in our own words. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { PlannedChange } from "./plan";

export interface Refused {
  readonly summary: string;
  readonly detail: string;
}

/** Of the lines that `-json` writes: what is shown here. */
interface Message {
  readonly type: string;
  readonly diagnostic?: Refused & { readonly severity: string };
  readonly changes?: {
    readonly add: number;
    readonly change: number;
    readonly remove: number;
    readonly operation: string;
  };
}

export interface Session {
  readonly program: string;
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Told of what it starts, so that an interrupt can reach it. */
  readonly started: (child: ChildProcess) => void;
}

interface Ended {
  readonly code: number | null;
  readonly messages: readonly Message[];
  readonly errors: string;
}

async function ask(session: Session, args: readonly string[], tell: (done: number) => void = () => {}): Promise<Ended> {
  const { program, directory, env, started } = session;
  const child = spawn(program, args, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
  started(child);
  const messages: Message[] = [];
  let done = 0;
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  createInterface(child.stdout).on("line", (line) => {
    const message: Message = line.startsWith("{") ? JSON.parse(line) : { type: "text" };
    messages.push(message);
    if (message.type === "text") errors += `${line}\n`;
    if (message.type === "apply_complete") tell(++done);
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, messages, errors };
}

const refusedBy = ({ messages }: Ended) =>
  messages.flatMap(({ diagnostic }) => (diagnostic?.severity === "error" ? [diagnostic] : []));

function demand(ended: Ended, what: string): void {
  if (ended.code === 0) return;
  const said = refusedBy(ended).map(({ summary, detail }) => `${summary}\n${detail}`);
  throw new Error([`${what} failed (exit code ${ended.code})`, ...said, ended.errors].join("\n"));
}

export async function initialize(session: Session): Promise<void> {
  demand(await ask(session, ["init", "-input=false", "-no-color"]), "terraform init");
}

/** What it would change, or why it refuses to. */
export async function plan(session: Session): Promise<{ changes: PlannedChange[] } | { refused: Refused[] }> {
  const ended = await ask(session, ["plan", "-input=false", "-out=plan", "-json"]);
  const refused = refusedBy(ended);
  if (refused.length > 0) return { refused };
  demand(ended, "terraform plan");
  const child = spawn(session.program, ["show", "-json", "plan"], { cwd: session.directory, env: session.env });
  session.started(child);
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
  await once(child, "close");
  const { resource_changes = [] } = JSON.parse(shown) as { resource_changes?: PlannedChange[] };
  return { changes: resource_changes };
}

/** Applies the saved plan, or destroys everything; says how many of each were done. */
export async function change(
  session: Session,
  what: "apply" | "destroy",
  tell: (done: number) => void,
): Promise<{ add: number; change: number; remove: number }> {
  const args = what === "apply" ? ["apply", "-input=false", "-json", "plan"] : ["destroy", "-auto-approve", "-json"];
  const ended = await ask(session, args, tell);
  demand(ended, `terraform ${what}`);
  return ended.messages.findLast(({ type }) => type === "change_summary")!.changes!;
}
