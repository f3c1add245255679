/** Relates places in the configuration to folders: that of the repository, of the workflow, and the working directory. */
import { bare } from "../../judge/impact/model";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import type { Place } from "../../judge/impact/cause";

/** The nearest folder with `.git`. Without one, the folder of the workflow, or the working directory. */
export function repositoryRoot(environment: NodeJS.ProcessEnv, directory = process.cwd()): string {
  return repositoryOf(directory) ?? workspaceOf(environment, directory) ?? path.resolve(directory);
}

function repositoryOf(directory: string): string | undefined {
  for (let folder = path.resolve(directory); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, ".git"))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** Relative to the directory, or to the repository for a file outside of the directory. */
export function shownFile(file: string, directory: string): Pick<Place, "file" | "base"> | undefined {
  const relative = path.relative(directory, file);
  const base = isOutside(relative) ? repositoryOf(path.dirname(file)) : undefined;
  const shown = base === undefined ? relative : path.relative(base, file);
  // On Windows, another drive.
  if (path.isAbsolute(shown)) return undefined;
  return { file: shown.replaceAll(path.sep, "/"), ...(base !== undefined && { base }) };
}

/** The folder of the GitHub workflow, if the working directory is inside it. */
export function workflowRoot(environment: NodeJS.ProcessEnv, directory = process.cwd()): string {
  return workspaceOf(environment, directory) ?? repositoryRoot(environment, directory);
}

function workspaceOf({ GITHUB_WORKSPACE: folder }: NodeJS.ProcessEnv, directory: string): string | undefined {
  if (!folder) return undefined;
  try {
    const real = realpathSync(folder);
    return isOutside(path.relative(real, realpathSync(directory))) ? undefined : real;
  } catch {
    return undefined;
  }
}

/** The file relative to the root, with forward slashes. undefined: the file is outside. */
export function fromRoot(
  root: string,
  { file, base = process.cwd() }: Pick<Place, "file" | "base">,
): string | undefined {
  const relative = path.relative(root, path.resolve(base, file));
  return isOutside(relative) ? undefined : relative.replaceAll(path.sep, "/");
}

const isOutside = (relative: string) => path.isAbsolute(relative) || relative.split(path.sep)[0] === "..";

/** Name of the plan (undefined: the only plan) -> address without indexes -> where the configuration declares it. */
export type Places = ReadonlyMap<string | undefined, ReadonlyMap<string, Place>>;

/** `plan`: the name of the plan, if there are several. undefined: the place is not known. */
export function placeOf(
  { places }: { readonly places: Places },
  address: string | undefined,
  plan?: string,
): Place | undefined {
  if (address === undefined) return undefined;
  const searched = plan === undefined ? [...places.values()] : [places.get(plan)];
  const found = searched.flatMap((one) => one?.get(bare(address)) ?? []);
  // Several plans may have the same address.
  return found.length === 1 ? found[0] : undefined;
}
