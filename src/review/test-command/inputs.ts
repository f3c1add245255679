/** Reads what `tenantform test` judges: plans, states and synthesized stacks, each as a plan. */
import { existsSync, statSync, readFileSync } from "node:fs";
import path from "node:path";
import { ReviewError } from "../error";
import { planFrom, readDocument, readPlans, type Edge, type NamedPlan } from "../input/input";
import type { Plan, StateResource } from "../input/plan";
import { kept, stateOf } from "../present";
import { stacksIn } from "../input/stacks";
import { stateIn } from "../input/state";
import type { Values } from "../../impact/model";
import { planOfStack } from "../synthesized";
import { withPlaces } from "../places/places";

export async function readInput(name: string, edge: Edge): Promise<NamedPlan[]> {
  const stats = name === "-" ? undefined : statSync(name, { throwIfNoEntry: false });
  if (name !== "-" && !stats)
    throw new ReviewError(`${name} does not exist: give a plan, a state, or a folder such as cdktf.out.`);
  if (stats?.isDirectory()) return inFolder(name, edge);
  const text = await readDocument(name, edge);
  if (name === "-" && text.trim() === "") {
    throw new ReviewError(
      "Standard input is empty: name a plan, a state or a folder such as cdktf.out, or give --tenant.",
    );
  }
  const called = name === "-" ? "standard input" : path.basename(name);
  const resources = stateIn(text);
  return [{ name: called, plan: resources ? planOfState(resources) : planFrom(text, name) }];
}

/** A plan in cdktf.out may be older than the stack next to it, so the stack counts. */
async function inFolder(folder: string, edge: Edge): Promise<NamedPlan[]> {
  if (existsSync(path.join(folder, stackFile)))
    return [{ name: path.basename(path.resolve(folder)), plan: synthesizedPlan(folder) }];
  const stacks = stacksIn(folder).stacks.filter((stack) => existsSync(path.join(stack.folder, stackFile)));
  if (stacks.length === 0) return readPlans([folder], edge);
  return stacks.map((stack) => ({ name: stack.name, plan: synthesizedPlan(stack.folder) }));
}

/** A plan that changes nothing. */
export function planOfState(resources: readonly StateResource[]): Plan {
  const managed = resources.filter(({ mode }) => mode !== "data");
  return {
    format_version: "1.2",
    complete: true,
    resource_drift: [],
    resource_changes: managed.map(kept),
    prior_state: stateOf(resources.filter(({ mode }) => mode === "data")),
  };
}

/** No objects: the tenant itself has them. */
export const emptyPlan = (): Plan => planOfState([]);

const stackFile = "cdk.tf.json";

/** `folder`: the folder of the stack. */
const synthesizedPlan = (folder: string): Plan =>
  withPlaces(planOfStack(stackIn(path.join(folder, stackFile))), [folder]);

function stackIn(file: string): Values {
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof read === "object" && read !== null && !Array.isArray(read)) return read as Values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ReviewError(`${file} cannot be read (${code ?? message}): run \`cdktf synth\` first.`);
  }
  throw new ReviewError(`${file} is not a synthesized stack: run \`cdktf synth\` again.`);
}
