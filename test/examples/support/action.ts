/** Runs the scripts of the GitHub action and of the GitLab component as their runners do. */
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { run, succeed, type Ended } from "../../support/program";

const yaml = require("js-yaml") as { load(text: string): any; loadAll(text: string): any[] };

const root = path.join(__dirname, "../../..");
const read = (file: string) => readFile(path.join(root, file), "utf8");

export const componentFile = ".gitlab/templates/review.yml";
export const readAction = async (name: "review" | "comment") =>
  yaml.load(await read(`.github/actions/${name}/action.yml`));
export const readYaml = async (file: string) => yaml.load((await read(file)).replaceAll("!reference", ""));

/** The inputs of the component, the job that reviews, and the job that comments. */
export async function readComponent() {
  const [{ spec }, jobs] = yaml.loadAll((await read(componentFile)).replaceAll(/: (\$\[\[.*)$/gm, ': "$1"'));
  const [review, comment] = Object.values(jobs) as any[];
  return { inputs: spec.inputs, review, comment };
}

export interface Job {
  /** The folder of the checkout. */
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly inputs?: Readonly<Record<string, string>>;
  /** A repository of `targetBranch`. */
  readonly base?: string;
}

/** Writes a repository with these files on the base branch. The default has the tool. */
export async function targetBranch(folder: string, files: Record<string, string> = { "package.json": tool }) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text, { mode: 0o755 });
  }
  const git = (...args: string[]) =>
    succeed("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { cwd: folder });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--allow-empty", "--message=Base");
  return folder;
}

const tool = '{ "dependencies": { "tenantform": "0.0.0" } }';

export interface Done extends Ended {
  readonly outputs: Readonly<Record<string, string>>;
  /** The actions of others that would run. */
  readonly used: readonly { readonly uses: string; readonly with: Readonly<Record<string, string>> }[];
}

/** Runs each step, until one fails. Then only steps with `always()` run. */
export async function runAction(
  name: "review" | "comment",
  { workspace, env, inputs: given = {}, base }: Job,
): Promise<Done> {
  const action = await readAction(name);
  const inputs: Record<string, string> = {};
  for (const [input, { default: usual }] of Object.entries<any>(action.inputs)) inputs[input] = given[input] ?? usual;
  const byStep: Record<string, Record<string, string>> = {};
  const used: Done["used"][number][] = [];
  const temp = path.join(workspace, ".temp");
  await mkdir(temp, { recursive: true });
  const evaluated = (text: string) => text.replace(/\$\{\{ *(.*?) *\}\}/g, (_, words) => valueOf(words));
  const valueOf = (words: string): string => {
    const [, input] = /^inputs\.([\w-]+)$/.exec(words) ?? [];
    if (input !== undefined) return evaluated(inputs[input]!);
    const [, step, output] = /^steps\.(\w+)\.outputs\.([\w-]+)$/.exec(words) ?? [];
    if (step !== undefined) return byStep[step]?.[output!] ?? "";
    if (words === "github.token") return env.JOB_TOKEN ?? "";
    if (words === "runner.temp") return temp;
    if (words === "github.event.pull_request.base.sha") return "base";
    throw new Error(`unknown expression ${words}`);
  };
  const holds = (condition: string): boolean => {
    const [, words, sign, value] = /^([\w.-]+) ([!=]=) '(.*)'$/.exec(condition) ?? [];
    return condition === "always()" || (valueOf(words!) === value) === (sign === "==");
  };
  let ended: Ended = { code: 0, signal: null, stdout: "", stderr: "" };
  const { JOB_TOKEN: _, ...shared } = env;
  for (const step of action.runs.steps) {
    if (ended.code !== 0 && step.if !== "always()") continue;
    if (step.if !== undefined && !holds(step.if)) continue;
    if (step.uses) {
      const values = Object.entries(step.with).map(([key, value]) => [key, evaluated(String(value))]);
      const checkedOut = { ref: "base", path: "tenantform-base", "persist-credentials": "false" };
      if (base !== undefined && step.uses.startsWith("actions/checkout@")) {
        expect(Object.fromEntries(values)).toEqual(checkedOut);
        await rm(path.join(workspace, checkedOut.path), { recursive: true, force: true });
        await cp(base, path.join(workspace, checkedOut.path), { recursive: true });
      }
      used.push({ uses: step.uses, with: Object.fromEntries(values) });
      continue;
    }
    const variables = Object.entries<string>(step.env).map(([key, value]) => [key, evaluated(value)]);
    const file = path.join(temp, "output");
    await writeFile(file, "");
    const cwd = path.resolve(workspace, evaluated(step["working-directory"] ?? "."));
    const next = await run(step.shell, ["-e", "-c", step.run], {
      cwd,
      env: { ...shared, GITHUB_OUTPUT: file, ...Object.fromEntries(variables) },
    });
    const written = (await readFile(file, "utf8")).split(/\r\n|\n|\r/).filter(Boolean);
    byStep[step.id] = Object.fromEntries(written.map((line) => /^([\w-]+)=(.*)$/.exec(line)!.slice(1)));
    ended = {
      ...next,
      code: next.code || ended.code,
      stdout: ended.stdout + next.stdout,
      stderr: ended.stderr + next.stderr,
    };
  }
  const outputs = Object.entries<any>(action.outputs ?? {}).map(([output, { value }]) => [output, evaluated(value)]);
  return { ...ended, outputs: Object.fromEntries(outputs), used };
}

/** Passes the files of the artifact from the job that reviews to the job that comments. */
export async function passArtifact(workspace: string): Promise<void> {
  const temp = path.join(workspace, ".temp");
  await rm(path.join(temp, "tenantform-comment"), { recursive: true, force: true });
  await rename(path.join(temp, "tenantform-review"), path.join(temp, "tenantform-comment"));
}

/** Runs the script of a job in one shell. The caller leaves the job's folder as `before_script` would. */
export async function runComponent(
  name: "review" | "comment",
  { workspace, env, inputs: given = {}, base = "" }: Job,
): Promise<Ended> {
  const { inputs, ...jobs } = await readComponent();
  const valueOf = (text: string) =>
    text.replace(/^\$\[\[ inputs\.([\w-]+) \]\]$/, (_, input) => given[input] ?? String(inputs[input].default));
  const variables = Object.entries<any>(jobs[name].variables).map(([key, { value }]) => [
    key,
    valueOf(value ?? "none"),
  ]);
  return run("sh", ["-e", "-c", jobs[name].script.join("\n")], {
    cwd: workspace,
    env: {
      CI_PROJECT_DIR: workspace,
      CI_PIPELINE_ID: "7",
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
      CI_REPOSITORY_URL: pathToFileURL(base).href,
      ...Object.fromEntries(variables),
      ...env,
    },
  });
}
