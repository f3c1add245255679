/** Runs Terraform for `npm start`, and reads its machine-readable output. */
import { run, type Diagnostic, type Ended, type Message, type Session } from "../../terraform";
import type { PlannedChange } from "./plan";

interface Answer extends Ended {
  readonly messages: readonly Message[];
}

async function ask(
  session: Session,
  args: readonly string[],
  tell: (done: number) => void = () => {},
): Promise<Answer> {
  const messages: Message[] = [];
  let done = 0;
  const ended = await run(session, args, (message) => {
    messages.push(message);
    if (message.type === "apply_complete") tell(++done);
  });
  return { ...ended, messages };
}

const refusedBy = ({ messages }: Answer) =>
  messages.flatMap(({ diagnostic }) => (diagnostic?.severity === "error" ? [diagnostic] : []));

function demand(answer: Answer, what: string): void {
  if (answer.code === 0) return;
  const said = refusedBy(answer).map(({ summary, detail }) => `${summary}\n${detail}`);
  throw new Error([`${what} failed (exit code ${answer.code})`, ...said, answer.errors, answer.output].join("\n"));
}

export async function initialize(session: Session): Promise<void> {
  demand(await ask(session, ["init", "-input=false", "-no-color"]), "terraform init");
}

/** Returns the changes, or the errors of the plan. */
export async function plan(session: Session): Promise<{ changes: PlannedChange[] } | { refused: Diagnostic[] }> {
  const answer = await ask(session, ["plan", "-input=false", "-out=plan", "-json"]);
  const refused = refusedBy(answer);
  if (refused.length > 0) return { refused };
  demand(answer, "terraform plan");
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
  const answer = await ask(session, args, tell);
  demand(answer, `terraform ${what}`);
  return answer.messages.findLast(({ type }) => type === "change_summary")!.changes!;
}
