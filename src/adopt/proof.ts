/** The proof that a stack is the tenant: its plan, by the Terraform that is at hand. */
import path from "node:path";
import { install } from "../install/install";
import { placed } from "../install/obstacle";
import { withSearchPath } from "../program-environment";
import { noTerraform, run, type Diagnostic, type Terraform } from "../terraform";
import type { Progress } from "./progress";
import { stackName } from "./project";
import { initialize, plan, type Planned } from "./terraform";

export interface Subject {
  readonly directory: string;
  readonly language: "typescript" | "hcl";
  /** The program of a stack in TypeScript. */
  readonly main?: string;
  /** Terraform or OpenTofu; undefined where there is none. */
  readonly tool: Terraform | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** Objects that are to be imported. */
  readonly expected: number;
}

export interface Proof {
  /** What is not as it should be. */
  readonly lines: readonly string[];
  /** The last line. */
  readonly verdict: string;
  readonly isAsPromised: boolean;
}

export async function prove(subject: Subject, progress: Progress): Promise<Proof> {
  const { directory, language, tool, environment, expected } = subject;
  const env = { CHECKPOINT_DISABLE: "1", ...withSearchPath(environment), TF_IN_AUTOMATION: "1" };
  if (language === "typescript") {
    progress.line(`Synthesizing ${subject.main} …`);
    const evaluator = path.join(__dirname, "evaluate.js");
    // The hosts ask it for its version.
    const named = { ...env, ...(tool !== undefined && { TERRAFORM_BINARY_NAME: tool.name }) };
    const session = { program: process.execPath, directory, env: named };
    const { code, output, errors } = await run(session, [evaluator, subject.main!]);
    if (code !== 0) return unproven(`${subject.main} cannot be synthesized`, `${output}${errors}`);
  } else {
    // What it throws is in words for people.
    const refusal = await placed(() => install({ dir: directory })).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (refusal !== undefined) return unproven("The provider cannot be put beside the configuration", refusal);
  }
  if (tool === undefined) return unproven("There is no plan", noTerraform(environment));
  const working = language === "hcl" ? directory : path.join(directory, "cdktf.out/stacks", stackName);
  const session = { program: tool.file, directory: working, env };
  progress.line(`Planning with ${tool.name} …`);
  const trouble = await initialize(session);
  if (trouble) return unproven(trouble.summary, trouble.detail);
  let seen = 0;
  const planned = await plan(session, () => progress.show(++seen, Math.max(expected, seen), "objects"));
  progress.clear();
  return judged(planned);
}

const unproven = (summary: string, detail: string): Proof => ({
  lines: [detail.trim()],
  verdict: `Not proven: ${summary}`,
  isAsPromised: false,
});

function judged({ counts, told, changes }: Planned): Proof {
  const errors = told.filter(({ severity }) => severity === "error");
  const lines = [...errors.map(inWords), ...changes.map((change) => `Not as it is on the tenant: ${change}`)];
  if (!counts)
    return {
      lines,
      verdict: `Not proven: the plan fails with ${errors.length === 1 ? "an error" : `${errors.length} errors`}`,
      isAsPromised: false,
    };
  return {
    lines,
    verdict: `${counts.moved > 0 ? `${counts.moved} moved, ` : ""}${counts.import} imported, ${counts.add} to add, ${counts.change} to change, ${counts.remove} to destroy`,
    isAsPromised: counts.add + counts.change + counts.remove === 0 && errors.length === 0,
  };
}

function inWords({ summary, detail, address }: Diagnostic): string {
  return `${address ? `${address}: ` : ""}${summary}${detail ? `\n${detail}` : ""}`;
}
