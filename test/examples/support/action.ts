/** Runs the scripts of the GitHub action and of the GitLab component as their runners do. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { run, type Ended } from "../../support/program";

const yaml = require("js-yaml") as { load(text: string): any; loadAll(text: string): any[] };

const root = path.join(__dirname, "../../..");
const read = (file: string) => readFile(path.join(root, file), "utf8");

export const actionFile = ".github/actions/review/action.yml";
export const componentFile = ".gitlab/templates/review.yml";
export const readAction = async () => yaml.load(await read(actionFile));
export const readYaml = async (file: string) => yaml.load((await read(file)).replaceAll("!reference", ""));

/** The inputs and the script of the component. */
export async function readComponent() {
  const [{ spec }, jobs] = yaml.loadAll((await read(componentFile)).replaceAll(/: (\$\[\[.*)$/gm, ': "$1"'));
  const [job] = Object.values(jobs) as any[];
  return { inputs: spec.inputs, job };
}

export interface Job {
  /** The folder of the checkout. */
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly inputs?: Readonly<Record<string, string>>;
}

export interface Done extends Ended {
  readonly outputs: Readonly<Record<string, string>>;
  /** The actions of others that would run. */
  readonly used: readonly { readonly uses: string; readonly with: Readonly<Record<string, string>> }[];
}

/** Runs each step, until one fails. Then only steps with `always()` run. */
export async function runAction({ workspace, env, inputs: given = {} }: Job): Promise<Done> {
  const action = await readAction();
  const inputs: Record<string, string> = {};
  for (const [name, { default: usual }] of Object.entries<any>(action.inputs)) inputs[name] = given[name] ?? usual;
  const outputs: Record<string, string> = {};
  const used: Done["used"][number][] = [];
  const evaluated = (text: string) => text.replace(/\$\{\{ *(.*?) *\}\}/g, (_, words) => valueOf(words));
  const valueOf = (words: string): string => {
    const [, kind, name] = /^(inputs|steps\.review\.outputs)\.([\w-]+)$/.exec(words) ?? [];
    if (kind === "inputs") return evaluated(inputs[name!]!);
    if (kind) return outputs[name!] ?? "";
    if (words === "github.token") return env.JOB_TOKEN ?? "";
    throw new Error(`unknown expression ${words}`);
  };
  /** Conditions are comparisons with `==`, joined by `&&` and one pair of parentheses. */
  const holds = (condition: string): boolean =>
    condition === "always()" ||
    new Function(
      `return ${condition.replace(/(inputs|steps\.review\.outputs)\.[\w-]+/g, (words) => JSON.stringify(valueOf(words)))}`,
    )();
  let ended: Ended = { code: 0, signal: null, stdout: "", stderr: "" };
  const { JOB_TOKEN: _, ...shared } = env;
  for (const step of action.runs.steps) {
    if (ended.code !== 0 && step.if !== "always()") continue;
    if (step.if !== undefined && !holds(step.if)) continue;
    if (step.uses) {
      used.push({
        uses: step.uses,
        with: Object.fromEntries(Object.entries(step.with).map(([name, value]) => [name, evaluated(String(value))])),
      });
      continue;
    }
    const variables = Object.entries<string>(step.env).map(([name, value]) => [name, evaluated(value)]);
    const file = path.join(workspace, ".output");
    await writeFile(file, "");
    const cwd = path.join(workspace, evaluated(step["working-directory"] ?? "."));
    const next = await run(step.shell, ["-e", "-c", step.run], {
      cwd,
      env: { ...shared, GITHUB_OUTPUT: file, ...Object.fromEntries(variables) },
    });
    for (const line of (await readFile(file, "utf8")).split(/\r\n|\n|\r/).filter(Boolean)) {
      const [, name, value] = /^([\w-]+)=(.*)$/.exec(line)!;
      outputs[name!] = value!;
    }
    ended = {
      ...next,
      code: next.code || ended.code,
      stdout: ended.stdout + next.stdout,
      stderr: ended.stderr + next.stderr,
    };
  }
  return { ...ended, outputs, used };
}

/** Runs the script in one shell, which leaves the job's folder as the caller names it. */
export async function runComponent({ workspace, env, inputs: given = {} }: Job): Promise<Ended> {
  const { inputs, job } = await readComponent();
  const valueOf = (text: string) =>
    text.replace(/^\$\[\[ inputs\.([\w-]+) \]\]$/, (_, name) => given[name] ?? String(inputs[name].default));
  const variables = Object.entries<any>(job.variables).map(([name, { value }]) => [name, valueOf(value)]);
  return run("sh", ["-e", "-c", job.script.join("\n")], {
    cwd: path.join(workspace, given["folder"] ?? "."),
    env: { ...Object.fromEntries(variables), ...env },
  });
}
