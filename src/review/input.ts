/** Where plans come from: JSON, saved plan files, folders such as cdktf.out, standard input. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { noTerraform, terraforms } from "../terraform";
import { ReviewError } from "./error";
import { parsePlan, type Plan } from "./plan";

export interface NamedPlan {
  /** The stack, or the file. */
  readonly name: string;
  readonly plan: Plan;
}

/** The largest JSON that is read: a plan of 10,000 members has two megabytes. */
const mostBytes = 128 * 1024 * 1024;

export interface Edge {
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly environment: NodeJS.ProcessEnv;
}

export async function readPlans(names: readonly string[], edge: Edge): Promise<NamedPlan[]> {
  if (names.length === 0 || (names.length === 1 && names[0] === "-")) {
    const name = path.basename(process.cwd()) || "plan";
    return [{ name, plan: parsePlan(await readAll(edge.stdin, "standard input"), "Standard input") }];
  }
  const plans: NamedPlan[] = [];
  for (const name of names) plans.push(...(await plansAt(name, edge)));
  return plans;
}

/** The text of one file, or of standard input; of a saved plan its JSON. */
export async function readDocument(name: string | undefined, edge: Edge): Promise<string> {
  if (name === undefined || name === "-") return readAll(edge.stdin, "standard input");
  const stats = statSync(name, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new ReviewError(`${name} is no file that can be read.`);
  return textIn(name, edge);
}

async function plansAt(name: string, edge: Edge): Promise<NamedPlan[]> {
  const stats = statSync(name, { throwIfNoEntry: false });
  if (!stats) throw new ReviewError(`${name} does not exist: give a plan, or a folder with plans such as cdktf.out.`);
  if (!stats.isDirectory()) return [{ name: nameOf(name), plan: await planIn(name, edge) }];
  const found = await plansBelow(name);
  if (found.length === 0) {
    throw new ReviewError(`${name} holds no plan: run \`cdktf diff\`, or \`terraform plan -out=plan\` in it, first.`);
  }
  const plans: NamedPlan[] = [];
  for (const file of found) plans.push({ name: nameOf(file), plan: await planIn(file, edge) });
  return plans;
}

/** `plan`, as `cdktf diff` leaves it, or `plan.json`: in the folder itself, or in those of its stacks. */
async function plansBelow(folder: string): Promise<string[]> {
  const stacks = path.join(folder, "stacks");
  const inside = existsSync(stacks) ? (await readdir(stacks)).toSorted().map((stack) => path.join(stacks, stack)) : [];
  return [folder, ...inside].flatMap((one) =>
    ["plan", "plan.json"]
      .map((file) => path.join(one, file))
      .filter((file) => existsSync(file))
      .slice(0, 1),
  );
}

/** cdktf.out/stacks/NAME/plan is the plan of NAME. */
function nameOf(file: string): string {
  const bare = path.basename(file).replace(/\.(json|tfplan|plan)$/, "");
  return bare === "plan" ? path.basename(path.dirname(path.resolve(file))) : bare;
}

async function planIn(file: string, edge: Edge): Promise<Plan> {
  return parsePlan(await textIn(file, edge), file);
}

async function textIn(file: string, edge: Edge): Promise<string> {
  if (isSaved(file)) return show(file, edge.environment);
  const { size } = statSync(file);
  if (size > mostBytes) throw tooLarge(file);
  return readFileSync(file, "utf8");
}

/** A saved plan is a zip archive. */
function isSaved(file: string): boolean {
  const start = Buffer.alloc(4);
  const opened = openSync(file, "r");
  try {
    readSync(opened, start);
  } finally {
    closeSync(opened);
  }
  return start.toString("latin1") === "PK\u0003\u0004";
}

const tooLarge = (name: string) =>
  new ReviewError(`${name} is larger than ${mostBytes / 1024 / 1024} MB: that is no plan of a tenant.`);

/** By the first that can: a plan of one is none for the other. */
async function show(file: string, environment: NodeJS.ProcessEnv): Promise<string> {
  let reason = "";
  for await (const program of terraforms(environment, path.dirname(path.resolve(file)))) {
    const shown = await shownBy(program, file, environment);
    if (shown.text !== undefined) return shown.text;
    reason ||= shown.reason;
  }
  throw new ReviewError(
    `${file} cannot be shown: ${reason || noTerraform(environment)} Give the output of \`terraform show -json\` instead.`,
  );
}

async function shownBy(program: string, file: string, environment: NodeJS.ProcessEnv) {
  const child = spawn(program, ["show", "-json", "-no-color", path.basename(file)], {
    cwd: path.dirname(path.resolve(file)),
    env: { ...environment, CHECKPOINT_DISABLE: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const failed = once(child, "error").then(([error]) => error as Error);
  const closed = once(child, "close").then(([code]) => code as number | null);
  const output = readAll(child.stdout, file);
  const errors = readAll(child.stderr, file).then(lastSentence, () => "");
  const ended = await Promise.race([failed, closed]);
  if (ended instanceof Error) return { reason: `${program} cannot be started.` };
  if (ended !== 0) return { reason: `${program} says: ${await errors}` };
  return { text: await output, reason: "" };
}

function lastSentence(text: string): string {
  const words = text.replace(/[│╷╵\s]+/g, " ").trim();
  return /^(.{0,300}?\.)( |$)/.exec(words)?.[1] ?? `${words.slice(0, 300)}.`;
}

async function readAll(stream: AsyncIterable<Buffer | string>, name: string): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    const bytes = Buffer.from(part as string);
    size += bytes.length;
    if (size > mostBytes) throw tooLarge(name);
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}
