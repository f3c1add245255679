/** Runs Terraform for `npm start`, and reads its machine-readable output. */
import { run, type Diagnostic, type Ended, type Message, type Session } from "../../terraform";
import type { PlannedChange } from "./plan";

interface Response extends Ended {
  readonly messages: readonly Message[];
}

async function ask(
  session: Session,
  args: readonly string[],
  tell: (done: number) => void = () => {},
): Promise<Response> {
  const messages: Message[] = [];
  let done = 0;
  const ended = await run(session, args, (message) => {
    messages.push(message);
    if (message.type === "apply_complete") tell(++done);
  });
  return { ...ended, messages };
}

const refusedBy = ({ messages }: Response) =>
  messages.flatMap(({ diagnostic }) => (diagnostic?.severity === "error" ? [diagnostic] : []));

function demand(response: Response, what: string): void {
  if (response.code === 0) return;
  const output = refusedBy(response).map(({ summary, detail }) => `${summary}\n${detail}`);
  throw new Error(
    [`${what} failed (exit code ${response.code})`, ...output, response.errors, response.output].join("\n"),
  );
}

export async function initialize(session: Session): Promise<void> {
  demand(await ask(session, ["init", "-input=false", "-no-color"]), "terraform init");
}

/** Returns the changes, or the errors of the plan. */
export async function plan(session: Session): Promise<{ changes: PlannedChange[] } | { refused: Diagnostic[] }> {
  const response = await ask(session, ["plan", "-input=false", "-out=plan", "-json"]);
  const refused = refusedBy(response);
  if (refused.length > 0) return { refused };
  demand(response, "terraform plan");
  const shown = await run(session, ["show", "-json", "plan"]);
  demand({ ...shown, messages: [] }, "terraform show");
  const { resource_changes = [] } = JSON.parse(shown.output) as { resource_changes?: PlannedChange[] };
  return { changes: resource_changes };
}

/** Applies the saved plan, or destroys everything. Returns the numbers of changes. */
export async function change(
  session: Session,
  what: "apply" | "destroy",
  tell: (done: number) => void,
): Promise<NonNullable<Message["changes"]>> {
  const args = what === "apply" ? ["apply", "-input=false", "-json", "plan"] : ["destroy", "-auto-approve", "-json"];
  const response = await ask(session, args, tell);
  demand(response, `terraform ${what}`);
  return response.messages.findLast(({ type }) => type === "change_summary")!.changes!;
}
