/** Proves with a plan that a stack is the same as the tenant. */
import path from "node:path";
import {
  withSearchPath,
  noTerraform,
  run,
  type Diagnostic,
  type Message,
  type Session,
  type Terraform,
} from "../../terraform";
import { stackOf } from "./project";

export type Language = "typescript" | "hcl";

export interface Subject {
  readonly directory: string;
  readonly language: Language;
  /** The program of a stack in TypeScript. */
  readonly main?: string;
  /** Terraform or OpenTofu; undefined if neither is installed. */
  readonly tool: Terraform | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

export interface Proof {
  /** Every difference from the expected plan. */
  readonly lines: readonly string[];
  /** The last line of the command. */
  readonly verdict: string;
  readonly isProven: boolean;
}

/** The folder in which Terraform runs. */
export const workingDirectory = ({ directory, main }: Pick<Subject, "directory" | "main">) =>
  main === undefined ? directory : path.join(directory, "cdktf.out/stacks", stackOf(main));

export async function prove(subject: Subject, say: (line: string) => void): Promise<Proof> {
  const { language, tool, environment } = subject;
  if (language === "typescript") {
    say(`Synthesizing ${subject.main} …`);
    const trouble = await synthesize(subject.main!, subject);
    if (trouble !== undefined) return unproven(`${subject.main} cannot be synthesized`, trouble);
  }
  if (tool === undefined) return unproven("There is no plan", noTerraform(environment));
  const session = {
    program: tool.file,
    directory: workingDirectory(subject),
    env: environmentOf(environment),
  };
  say(`Planning with ${tool.name} …`);
  const init = await run(session, ["init", "-input=false", "-no-color"]);
  if (init.code !== 0) return unproven(`${tool.name} init failed`, `${init.output}${init.errors}`);
  return planned(session);
}

const environmentOf = (environment: NodeJS.ProcessEnv) => ({
  CHECKPOINT_DISABLE: "1",
  ...withSearchPath(environment),
  TF_IN_AUTOMATION: "1",
});

/** Runs the program, which writes cdktf.out. Returns its output if it fails. */
export async function synthesize(
  main: string,
  { directory, tool, environment }: Pick<Subject, "directory" | "tool" | "environment">,
): Promise<string | undefined> {
  const env: NodeJS.ProcessEnv = environmentOf(environment);
  env.NODE_PATH = [...(require.resolve.paths("cdktf") ?? []), env.NODE_PATH ?? ""].join(path.delimiter);
  if (tool !== undefined) {
    const { output } = await run({ program: tool.file, directory, env }, ["version"]);
    // The CDK asks this program for its version at each import. Terraform would take minutes for a thousand imports.
    env.TERRAFORM_BINARY_NAME = `echo ${/\d+\.\d+\.\d+/.exec(output)?.[0]} #`;
  }
  const session = { program: process.execPath, directory, env };
  const { code, output, errors } = await run(session, [path.join(__dirname, "evaluate.js"), main]);
  return code === 0 ? undefined : `${output}${errors}`;
}

const unproven = (summary: string, detail: string): Proof => ({
  lines: [detail.trim()],
  verdict: `Not proven: ${summary}`,
  isProven: false,
});

/** Actions of Terraform that leave an object unchanged. */
const unchanged = new Set(["noop", "import", "forget", "remove"]);

async function planned(session: Session): Promise<Proof> {
  const errors: Diagnostic[] = [];
  const changes: string[] = [];
  let counts = { import: 0, add: 0, change: 0, remove: 0 };
  let isCounted = false;
  let moved = 0;
  const take = ({ type, diagnostic, change, changes: sums }: Message) => {
    if (diagnostic?.severity === "error") errors.push(diagnostic);
    if (type === "planned_change" && change?.action === "move") moved++;
    else if (type === "planned_change" && change && !unchanged.has(change.action)) {
      changes.push(`Differs from the tenant: ${change.resource.addr} (${change.action})`);
    }
    if (type !== "change_summary") return;
    counts = { ...counts, ...sums };
    isCounted = true;
  };
  const ended = await run(session, ["plan", "-input=false", "-lock=false", "-json"], take);
  if (ended.code !== 0 && errors.length === 0) {
    const detail = `${ended.output}${ended.errors}`.trim();
    errors.push({ severity: "error", summary: `${session.program} plan ended with ${ended.code}`, detail });
  }
  const lines = [...errors.map(textOf), ...changes];
  if (ended.code !== 0 || !isCounted) {
    const failure = errors.length === 1 ? "an error" : `${errors.length} errors`;
    return { lines, verdict: `Not proven: the plan fails with ${failure}`, isProven: false };
  }
  return {
    lines,
    verdict: `${moved > 0 ? `${moved} moved, ` : ""}${counts.import} imported, ${counts.add} to add, ${counts.change} to change, ${counts.remove} to destroy`,
    isProven: counts.add + counts.change + counts.remove === 0 && errors.length === 0,
  };
}

function textOf({ summary, detail, address }: Diagnostic): string {
  return `${address ? `${address}: ` : ""}${summary}${detail ? `\n${detail}` : ""}`;
}

/** The text of the state, if the directory was initialized before. */
export async function pullState({ program, directory, env }: Session): Promise<string[]> {
  const { code, output } = await run({ program, directory, env }, ["state", "pull"]);
  return code === 0 ? [output] : [];
}
