/** Finds the folders to which annotations and SARIF relate file names. */
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";

/** The nearest folder with `.git`. Without one, the folder of the workflow, or the working directory. */
export function repositoryRoot(environment: NodeJS.ProcessEnv, directory = process.cwd()): string {
  for (let folder = path.resolve(directory); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, ".git"))) return folder;
    if (folder === path.dirname(folder)) return workspaceOf(environment, directory) ?? path.resolve(directory);
  }
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
export function fromRoot(root: string, file: string, directory = process.cwd()): string | undefined {
  const relative = path.relative(root, path.resolve(directory, file));
  return isOutside(relative) ? undefined : relative.replaceAll(path.sep, "/");
}

const isOutside = (relative: string) => path.isAbsolute(relative) || relative.split(path.sep)[0] === "..";
