/** Puts the built provider into the folder of a stack, where Terraform finds it without a registry. */
import { existsSync, lstatSync, readFileSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { version } from "../../version";
import { clear, linked, makeFolder, prepared, put, stagedIn } from "./placing";
import { formatLock, lockEntry, packageHash, parseLock } from "./lock-file";
import { executableName, source, systemOf, type OperatingSystem } from "./product";

/** Content of each file, by name. */
type Package = Readonly<Record<string, string | Uint8Array>>;

/** The file that starts, and those that it loads. */
interface Script {
  readonly start: Uint8Array;
  readonly loaded: Package;
}

/** Another provider that a stack requires. `version` is a constraint. */
export interface Requirement {
  readonly source?: string;
  readonly version?: string;
}

export interface ShipOptions {
  /** The stack will be deployed on this platform; default: the one of this machine. */
  readonly platform?: NodeJS.Platform;
  /** Folder of the built provider; the one of this package by default. */
  readonly built?: string;
}

const name = executableName(version);

/**
 * The folder of the built provider. A bundler moves this code, so the package is then found as the program would find it. Not by
 * `require.resolve`, which webpack replaces by a number.
 */
export function packaged(): string {
  // The constructs and the commands lie at different depths.
  const places = ["../..", "../../.."].map((up) => path.join(__dirname, up, "dist/plugin"));
  const beside = places.find((place) => existsSync(path.join(place, name)));
  if (beside !== undefined) return beside;
  for (const from of [path.join(__dirname, "_"), process.argv[1] ?? "", path.resolve("_")]) {
    try {
      return path.join(path.dirname(createRequire(from).resolve("tenantform/package.json")), "dist/plugin");
    } catch {
      // Not found from there.
    }
  }
  return places[0]!;
}

/**
 * Ships the provider into the directory where Terraform will run, with its entry in the lock file. Otherwise cdktf would run
 * `terraform providers lock`, which always reads the registry, so every other provider of the stack gets an entry too. Returns the
 * addresses of providers without an entry, because the stack leaves their version open. Files that are already right stay. Each
 * other file is replaced in one step, so another synth or Terraform never reads half a file.
 */
export function ship(
  directory: string,
  others: readonly Requirement[],
  { platform = process.platform, built = packaged() }: ShipOptions = {},
): string[] {
  const script = scriptIn(built);
  return stagedIn(makeFolder(directory, "terraform.d"), (stage) => {
    const home = makeFolder(directory, `terraform.d/plugins/${source}`);
    clear(home, [version], stage);
    lay(home, new Set([systemOf(platform), "linux"]), stage, script);
    return lock(path.join(directory, ".terraform.lock.hcl"), script, others, stage);
  });
}

function scriptIn(folder: string): Script {
  const read = (file: string) => readFileSync(path.join(folder, file));
  const start = path.join(folder, name);
  if (existsSync(start))
    return {
      start: read(name),
      loaded: Object.fromEntries(["provider.cjs", "requests.cjs"].map((file) => [file, read(file)])),
    };
  throw new Error(
    `The provider ${version} is not found: there is no ${start}. A bundled program needs the package tenantform of the same version where it ` +
      "runs: npm install tenantform. If Terraform gets the provider from a registry or a mirror, give `ship: false` to the TenantProvider.",
  );
}

/** The last place of each file that this process has put. 50 stacks would take 100 MB with copies. */
const twins = new Map<string, string>();

/** Puts the provider for each of the systems below the folder of its versions. */
export function lay(
  home: string,
  systems: Iterable<OperatingSystem>,
  stage: string,
  script = scriptIn(packaged()),
): void {
  // Node and Terraform can have different architectures, and the script runs on each.
  const packages = Array.from(systems, (system) =>
    ["amd64", "arm64"].map((architecture) => ({
      below: `${version}/${system}_${architecture}`,
      files: packageFor(system, script),
    })),
  ).flat();
  // All before the first is in its place, because Terraform would start a part of a provider.
  const moves: [staged: string, place: string][] = [];
  for (const { below, files } of packages) {
    for (const [file, content] of Object.entries(files)) {
      const place = path.join(home, below, file);
      const staged = prepared(place, content, 0o755, stage, twins.get(file));
      if (staged !== undefined) moves.push([staged, place]);
      twins.set(file, staged ?? place);
    }
  }
  for (const { below, files } of packages) clear(makeFolder(home, below), Object.keys(files), stage);
  for (const [staged, place] of moves) {
    renameSync(staged, place);
    twins.set(path.basename(place), place);
  }
}

/**
 * Elsewhere the first line of the script names its interpreter, and package.json keeps Node from reading it as an ES module in a
 * project of `"type": "module"`. Windows ignores such a line, so a command file is the plugin there. This was not tried on Windows.
 */
function packageFor(system: OperatingSystem, { start, loaded }: Script): Package {
  return system === "windows"
    ? { [`${name}.cmd`]: '@node "%~dp0start.cjs" %*\r\n', "start.cjs": start, ...loaded }
    : { [name]: start, ...loaded, "package.json": '{ "type": "commonjs" }\n' };
}

/** The hash of the script for a lock file, on this platform. */
export const scriptHash = (system: OperatingSystem): string => packageHash(packageFor(system, scriptIn(packaged())));

function lock(file: string, script: Script, others: readonly Requirement[], stage: string): string[] {
  const present = lstatSync(file, { throwIfNoEntry: false });
  if (present?.isSymbolicLink()) throw linked(file);
  const entries = parseLock(present ? readFileSync(file, "utf8") : "");
  const hashes = ["linux", "windows"].map((system) => packageHash(packageFor(system, script)));
  entries.set(source, lockEntry(source, version, hashes));
  const open = others.filter((other) => {
    const address = fullAddress(other.source ?? "");
    if (address === undefined) return false;
    const [, exact] = /^=?\s*v?(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(other.version?.trim() ?? "") ?? [];
    if (exact === undefined) return !entries.has(address);
    if (entries.get(address)?.version !== exact) entries.set(address, lockEntry(address, exact));
    return false;
  });
  put(file, formatLock(entries), 0o644, stage);
  return open.map((other) => other.source ?? "");
}

/** The address of a provider for Terraform: `[HOST/]NAMESPACE/TYPE` or `TYPE`. */
const sourceForm = /^(?:(?:[\p{L}\p{N}.-]+(?::\d{1,5})?\/)?[\p{L}\p{N}_-]+\/)?[\p{L}\p{N}_-]+$/u;

/** The full address: `hashicorp/null` and `null` are short. Undefined for other texts, and for providers inside Terraform. */
function fullAddress(text: string): string | undefined {
  if (!sourceForm.test(text)) return undefined;
  const parts = text.toLowerCase().split("/");
  const full = ["registry.terraform.io", "hashicorp"]
    .slice(0, 3 - parts.length)
    .concat(parts)
    .join("/");
  return full.startsWith("terraform.io/builtin/") ? undefined : full;
}
