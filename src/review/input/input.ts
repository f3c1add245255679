/** Reads plans, states and synthesized stacks from JSON, saved plan files, folders such as cdktf.out, and standard input. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, statSync } from "node:fs";
import path from "node:path";
import { programEnvironment, noTerraform, terraforms, type Terraform } from "../../terraform";
import { textsOf } from "../../formats/text/decoded";
import { statsOf, UserError, unreadFile } from "../../formats/text/user-error";
import type { Values } from "../../judge/impact/model";
import { planOfStack } from "./synthesized";
import { parseJson, planOf, type Plan, type RunError } from "./plan";
import { readably } from "./plan-input";
import { planOfState, stateIn } from "./state";
import { withPlaces } from "./places";
import { stacksIn } from "./stacks";

export interface NamedPlan {
  /** The stack, or the file. */
  readonly name: string;
  readonly plan: Plan;
  /** Stacks of the same folder without a plan. */
  readonly unplanned?: readonly string[];
}

export interface Edge {
  /** `isTTY`: a person would have to type the plan. */
  readonly stdin: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean };
  readonly environment: NodeJS.ProcessEnv;
}

/** A run that failed before it planned anything leaves no plan file. */
const failedPlan: Plan = {
  format_version: "1.2",
  complete: false,
  errored: true,
  resource_changes: [],
  resource_drift: [],
};

interface Reading {
  /** Of the run of `terraform plan` that made the plans. */
  readonly errors?: readonly RunError[];
  /** Of a folder, read the synthesized stacks, because a plan beside one may be older. */
  readonly prefersStacks?: boolean;
}

export async function readPlans(
  given: readonly string[],
  edge: Edge,
  { errors = [], prefersStacks = false }: Reading = {},
): Promise<NamedPlan[]> {
  if (errors.length === 0) return plansNamed(given, edge, prefersStacks);
  const isMissing = (name: string) => name !== "-" && !existsSync(name);
  const lost = given.filter(isMissing).map((name) => ({ name: nameOf(name), plan: failedPlan }));
  const left = given.filter((name) => !isMissing(name));
  const read = lost.length > 0 && left.length === 0 ? [] : await plansNamed(left, edge, prefersStacks);
  const found = [...lost, ...read];
  const failed = found.some(({ plan }) => plan.errored === true)
    ? found.filter(({ plan }) => plan.errored === true)
    : found;
  return found.map((one) => (failed.includes(one) ? { ...one, plan: { ...one.plan, errored: true, errors } } : one));
}

async function plansNamed(given: readonly string[], edge: Edge, prefersStacks: boolean): Promise<NamedPlan[]> {
  const names = given.length === 0 && edge.stdin.isTTY ? [requiredPlanHere()] : given;
  if (names.length === 0 || (names.length === 1 && names[0] === "-")) {
    return [{ name: nameHere(), plan: planFrom(await readDocument("-", edge), "-") }];
  }
  const plans: NamedPlan[] = [];
  for (const name of names) plans.push(...(await plansAt(name, edge, prefersStacks)));
  return plans;
}

/** Gives each of two files with one name a name of its own. */
export function distinctNames(plans: readonly NamedPlan[]): NamedPlan[] {
  return plans.map((plan, index) => {
    const { name } = plan;
    const earlier = plans.slice(0, index).filter((other) => other.name === name).length;
    return { ...plan, name: earlier === 0 ? name : `${name} (${earlier + 1})` };
  });
}

/** The plan that a person most likely means who names none. */
export const planHere = () => ["plan", "plan.json", "cdktf.out"].find((name) => existsSync(name));

function requiredPlanHere(): string {
  const found = planHere();
  if (found !== undefined) return found;
  throw new UserError("This folder has no plan: run `terraform plan -out=plan` or `cdktf diff` first, or name a plan.");
}

/** The tenant as it is, which `--tenant` reads. */
export const tenantAlone = (): NamedPlan => ({ name: "tenant", plan: planOfState([]) });

/** One file, or standard input. A saved plan becomes JSON. */
export const readDocument = (name: string | undefined, edge: Edge): Promise<string> =>
  name === undefined || name === "-" ? textOnStdin(edge) : documentIn(name, edge);

/** Never starts a program, as a saved plan would. */
export async function readText(name: string | undefined, edge: Edge): Promise<string> {
  if (name === undefined || name === "-") return textOnStdin(edge);
  const text = await textIn(name);
  if (isSavedPlan(text)) throw new UserError(`${name} is a saved plan: give a text.`);
  return text;
}

async function plansAt(name: string, edge: Edge, prefersStacks: boolean): Promise<NamedPlan[]> {
  const stats = statsOf(name);
  if (name === "-") throw new UserError('"-" stands for standard input, which is read alone: give files instead.');
  if (!stats) {
    const { files } = plansBelow("cdktf.out");
    const plan = files.length > 0 ? files.join(" or ") : "a plan, or a folder with plans such as cdktf.out";
    throw new UserError(`${name} does not exist: give ${plan}.`);
  }
  if (!stats.isDirectory()) {
    // A pipe such as /dev/fd/63 has another name in each run.
    return [{ name: stats.isFile() ? nameOf(name) : nameHere(), plan: await planIn(name, edge) }];
  }
  const stacks = prefersStacks ? stacksBelow(name) : [];
  const { files, unplanned } = stacks.length > 0 ? { files: stacks, unplanned: [] } : plansBelow(name);
  if (files.length === 0) {
    const deeper = plansBelow(path.join(name, "cdktf.out")).files;
    if (deeper.length > 0) throw new UserError(`${name} has no plan: give ${deeper.join(" or ")}.`);
    const [where = name] = unplanned.map((stack) => path.join(name, "stacks", stack));
    throw new UserError(`${name} has no plan: run \`cdktf diff\`, or \`terraform plan -out=plan\` in ${where}, first.`);
  }
  const plans: NamedPlan[] = [];
  for (const file of files) {
    plans.push({ name: nameOf(file), plan: await planIn(file, edge), ...(unplanned.length > 0 && { unplanned }) });
  }
  return plans;
}

interface Found {
  readonly files: readonly string[];
  /** Stacks without a plan. */
  readonly unplanned: readonly string[];
}

/** Plans in the folder itself, or in the folders of its stacks, where Terraform leaves them. If a manifest lists the stacks, only those are read. */
function plansBelow(folder: string): Found {
  const { areListed, stacks } = stacksIn(folder);
  const planned = stacks.map((stack) => ({ ...stack, file: planFileIn(stack.folder) }));
  const own = areListed ? undefined : planFileIn(folder);
  return {
    files: [own, ...planned.map(({ file }) => file)].filter((file) => file !== undefined),
    unplanned: planned.filter(({ file, mayConcern }) => !file && mayConcern).map(({ name }) => name),
  };
}

const stackFile = "cdk.tf.json";

const stacksBelow = (folder: string) =>
  [folder, ...stacksIn(folder).stacks.map((stack) => stack.folder)]
    .map((one) => path.join(one, stackFile))
    .filter((file) => existsSync(file));

/** `plan`, as `cdktf diff` leaves it, or `plan.json`. */
const planFileIn = (folder: string) =>
  ["plan", "plan.json"].map((file) => path.join(folder, file)).find((file) => existsSync(file));

const nameHere = () => path.basename(process.cwd()) || "plan";

/** cdktf.out/stacks/NAME/plan is the plan of NAME, and cdk.tf.json its stack. Terragrunt writes NAME/tfplan.json. */
function nameOf(file: string): string {
  const bare = path.basename(file).replace(/\.(json|tfplan|plan)(\.gz)?$/, "");
  return ["plan", "tfplan", "cdk.tf"].includes(bare) ? path.basename(path.dirname(path.resolve(file))) : bare;
}

async function planIn(file: string, edge: Edge): Promise<Plan> {
  const text = await documentIn(file, edge);
  return readably(file, () => planFrom(text, file));
}

/** The plan, state or synthesized stack in a document that was read from the file. `-`: standard input. */
function planFrom(text: string, file: string): Plan {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const name = file === "-" ? "Standard input" : file;
  const read = parseJson(text, name);
  const resources = stateIn(read);
  const plan = isStack(read)
    ? { ...planOfStack(read), source: "stack" as const }
    : resources
      ? { ...planOf(planOfState(resources), name), source: "state" as const }
      : planOf(read, name);
  // Next to a pipe such as /dev/fd/63 is no configuration.
  return withPlaces(plan, isFile ? [path.dirname(file), "."] : ["."]);
}

const isStack = (read: unknown): read is Values =>
  typeof read === "object" &&
  read !== null &&
  !("format_version" in read) &&
  ["resource", "provider", "terraform"].some((part) => part in read);

async function textOnStdin({ stdin }: Edge): Promise<string> {
  const text = await textOf(stdin, "Standard input");
  if (isSavedPlan(text)) throw noFile("Standard input");
  return text;
}

async function documentIn(file: string, edge: Edge): Promise<string> {
  // Reads once, because a pipe cannot be read twice.
  const text = await textIn(file);
  if (!isSavedPlan(text)) return text;
  if (!statSync(file).isFile()) throw noFile(file);
  return show(file, edge.environment);
}

/** A zip archive, as Terraform and OpenTofu write it. */
const isSavedPlan = (text: string): boolean => text.startsWith("PK\u0003\u0004");

const textIn = (file: string): Promise<string> =>
  textOf(createReadStream(file), file).catch((error: unknown) => {
    throw error instanceof UserError ? error : unreadFile(file, error, "give another path");
  });

/** Characters of a document. A plan of 10,000 members has two million. */
const most = 128 * 1024 * 1024;

async function textOf(stream: AsyncIterable<Buffer | string>, name: string): Promise<string> {
  let text = "";
  const torn = () => {
    throw new UserError(`${name} is compressed, and \`gunzip\` cannot read it either: compress the plan again.`);
  };
  for await (const part of textsOf(stream, torn)) {
    text += part;
    if (text.length > most)
      throw new UserError(`${name} is larger than ${most / 1024 / 1024} MB: a plan of a tenant is smaller.`);
  }
  // UTF-32, decoded as UTF-16.
  if (/^.?\0/s.test(text)) throw new UserError(`${name} is UTF-32 or no text: write it as UTF-8.`);
  return text;
}

const noFile = (name: string) =>
  new UserError(
    `${name} is a saved plan. Terraform can show a saved plan only from a file: give the name of the file.`,
  );

/** Tries Terraform, then OpenTofu, because neither reads a saved plan of the other. */
async function show(file: string, environment: NodeJS.ProcessEnv): Promise<string> {
  let reason = "";
  for await (const terraform of terraforms(environment, path.dirname(path.resolve(file)))) {
    const shown = await shownBy(terraform, file, environment);
    if (shown.text !== undefined) return shown.text;
    reason ||= shown.reason;
  }
  throw new UserError(
    `${file} cannot be shown: ${reason || noTerraform(environment)} Give the output of \`terraform show -json\` instead.`,
  );
}

/** Terraform starts the providers in `.terraform`. They may come from a pull request, so they get no secret. */
async function shownBy(terraform: Terraform, file: string, environment: NodeJS.ProcessEnv) {
  const name = path.basename(file);
  const child = spawn(terraform.file, ["show", "-json", "-no-color", name.startsWith("-") ? `./${name}` : name], {
    cwd: path.dirname(path.resolve(file)),
    env: programEnvironment(environment),
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    const [shown, problem, [code]] = await Promise.all([
      textOf(child.stdout, file),
      textOf(child.stderr, file).then(lastSentence, () => ""),
      once(child, "close"),
    ]);
    return code === 0 ? { text: shown, reason: "" } : { reason: `${terraform.name} says: ${problem}` };
  } finally {
    // Ends the program if its output is too large.
    child.kill();
  }
}

function lastSentence(stderr: string): string {
  const words = stderr.replace(/[│╷╵\s]+/g, " ").trim();
  return /^(.{0,300}?\.)( |$)/.exec(words)?.[1] ?? `${words.slice(0, 300)}.`;
}
