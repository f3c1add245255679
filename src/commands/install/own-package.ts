/** Tells how another project can depend on this package: in the way in which it was installed here. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { version } from "../../version";

/** The version range, URL or path for the dependencies of a project in the directory. */
export function ownDependency(directory: string, from = __dirname): string {
  const root = packageRoot(from);
  const modules = path.dirname(root);
  if (path.basename(modules) !== "node_modules") return pathFrom(directory, root);
  const project = projectOf(modules);
  const given = givenIn(path.join(project, "package.json"));
  if (given === undefined) return `^${version}`;
  if (!given.startsWith("file:")) return given;
  return pathFrom(directory, path.resolve(project, given.slice("file:".length)));
}

/** pnpm keeps the packages of a project below `node_modules/.pnpm`. */
function projectOf(modules: string): string {
  const store = `${path.sep}node_modules${path.sep}.pnpm${path.sep}`;
  const at = modules.indexOf(store);
  return at < 0 ? path.dirname(modules) : modules.slice(0, at);
}

/** The nearest folder with a package.json of this package. */
function packageRoot(from: string): string {
  for (let folder = realpathSync(from); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (read(path.join(folder, "package.json")).name === "tenantform") return folder;
  }
  return from;
}

interface Manifest {
  readonly name?: unknown;
  readonly dependencies?: { readonly tenantform?: unknown };
  readonly devDependencies?: { readonly tenantform?: unknown };
}

function givenIn(file: string): string | undefined {
  const { dependencies, devDependencies } = read(file);
  const given = dependencies?.tenantform ?? devDependencies?.tenantform;
  return typeof given === "string" ? given : undefined;
}

function read(file: string): Manifest {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as Manifest | null) ?? {};
  } catch {
    return {};
  }
}

function pathFrom(directory: string, target: string): string {
  const place = existsSync(directory) ? realpathSync(directory) : path.resolve(directory);
  return `file:${path.relative(place, target).split(path.sep).join("/")}`;
}
