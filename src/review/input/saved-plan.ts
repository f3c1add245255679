/** Reads what a saved plan file knows beside the plan: its configuration files and its state. */
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { ArchiveError, openArchive } from "../../archive/archive";
import { ReviewError } from "../error";
import { readRegular } from "../../hcl/files";

/** The largest content that is read: a plan of 10,000 members has two megabytes. */
export const mostBytes = 128 * 1024 * 1024;
const mostEntries = 10_000;
/** Starts the end of a directory. */
const end = "PK\u0005\u0006";

export const isSavedPlan = (bytes: Buffer): boolean => bytes.toString("latin1", 0, 4) === "PK\u0003\u0004";

/** Where Terraform and OpenTofu keep the files of the root module. */
const root = "tfconfig/m-/";

export interface SavedPlan {
  /** Configuration files next to the plan that changed since it was made. */
  readonly changed: readonly string[];
  /** The state next to the plan is newer than the plan. */
  readonly later?: LaterState;
}

export interface LaterState {
  /** The name of the state file. */
  readonly name: string;
  readonly serial: number;
  /** The serial of the state with which the plan was made. */
  readonly planned: number;
}

/** Throws a ReviewError if the archive inflates to too much, or if its directory declares a false size. */
export function savedPlanIn(bytes: Buffer, file: string): SavedPlan {
  const files = filesIn(bytes, file);
  const folder = path.dirname(file);
  const own = [...files].filter(([name]) => name.startsWith(root));
  const changed = changedSince(new Map(own.map(([name, content]) => [name.slice(root.length), content])), folder);
  const later = laterState(files, folder);
  return { changed, ...(later && { later }) };
}

function filesIn(bytes: Buffer, name: string): ReadonlyMap<string, Buffer> {
  // Without a directory nothing can be inflated, and Terraform says what is wrong.
  if (!bytes.includes(end)) return new Map();
  try {
    // Terraform inflates everything, even if the directory declares less.
    const entries = openArchive(bytes, { entries: mostEntries, bytes: mostBytes });
    return new Map(entries.map((entry) => [entry.name, entry.read()]));
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new ReviewError(
      `${name} is not a saved plan that Terraform wrote: ${error.message}. Create the plan again with \`terraform plan -out\`.`,
    );
  }
}

/** The configuration files of the folder that are not those with which the plan was made. */
function changedSince(planned: ReadonlyMap<string, Buffer>, folder: string): string[] {
  const here = existsSync(folder) ? readdirSync(folder) : [];
  // Somebody may keep plans in a folder of their own.
  if (!here.some((name) => planned.has(name))) return [];
  const changed = [...planned].filter(([name, content]) => !isSameFile(path.join(folder, name), content));
  // OpenTofu prefers x.tofu to x.tf, and Terraform reads only x.tf.
  const isAdded = (name: string) =>
    /^[^.].*\.tf(\.json)?$/s.test(name) &&
    !planned.has(name) &&
    !here.includes(name.replace(/\.tf(\.json)?$/, ".tofu$1"));
  return [...changed.map(([name]) => name), ...here.filter(isAdded)];
}

function isSameFile(file: string, content: Buffer): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === content.length && readFileSync(file).equals(content);
}

/** Each apply raises the serial of a state, and Terraform refuses a plan for an earlier one. Only local states are looked at. */
function laterState(files: ReadonlyMap<string, Buffer>, folder: string): LaterState | undefined {
  const workspace =
    readRegular(path.join(folder, ".terraform/environment"), 1_000)?.toString("utf8").trim() ?? "default";
  // The plan has the name of its workspace, which TF_WORKSPACE may have chosen.
  const file = files.get("tfplan")?.includes(workspace) ? localState(folder, workspace) : undefined;
  // Terraform compares this serial. `tfstate-prev` has none: it is 0 in each plan.
  const before = versionIn(files.get("tfstate"));
  const now = file === undefined ? undefined : versionIn(readRegular(file, mostBytes));
  if (!before || !now || now.serial <= before.serial) return undefined;
  const isSame = before.lineage === now.lineage || (before.serial === 0 && before.lineage === "");
  return isSame ? { name: path.basename(file!), serial: now.serial, planned: before.serial } : undefined;
}

/** undefined: the state is elsewhere. */
function localState(folder: string, workspace: string): string | undefined {
  const { backend = {} } = jsonIn(readRegular(path.join(folder, ".terraform/terraform.tfstate"), mostBytes)) ?? {};
  const { type = "local", config } = backend as { readonly type?: unknown; readonly config?: Record<string, unknown> };
  if (type !== "local") return undefined;
  const textOf = (name: string) => (typeof config?.[name] === "string" ? config[name] : undefined);
  if (workspace === "default") return path.resolve(folder, textOf("path") ?? "terraform.tfstate");
  return path.resolve(folder, textOf("workspace_dir") ?? "terraform.tfstate.d", workspace, "terraform.tfstate");
}

function versionIn(state: Buffer | undefined): { readonly serial: number; readonly lineage: unknown } | undefined {
  const { serial, lineage } = jsonIn(state) ?? {};
  return typeof serial === "number" ? { serial, lineage } : undefined;
}

function jsonIn(bytes: Buffer | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(bytes?.toString("utf8") ?? "");
    return typeof read === "object" && read !== null ? (read as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
