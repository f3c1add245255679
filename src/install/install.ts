/** `tenantform install`: the provider put where Terraform and OpenTofu look for it, and what to write so that they do. */
import { existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { clear, makeFolder, stagedIn } from "./placing";
import { platformHere, product, source, systemOf } from "./product";
import { lay } from "./shipment";
import { version } from "../version";
import { unpack } from "./unpack";
import { zipsFrom, type From } from "./zips";

export interface InstallOptions {
  /** Of a configuration. */
  readonly dir?: string;
  /** The executable that needs no Node, and where its zip is. */
  readonly native?: From;
  /** Other versions go. */
  readonly clean?: boolean;
}

export const hcl = `terraform {
  required_providers {
    tenant = { source = "${source}", version = "${version}" }
  }
}
`;

/** Returns what is to be told. */
export async function install({ dir, native, clean = false }: InstallOptions): Promise<string> {
  if (dir !== undefined && !existsSync(dir)) {
    throw new Error(`${dir} is not there: --dir names the folder of a configuration.`);
  }
  const system = systemOf(process.platform);
  const zips = native === undefined ? undefined : await zipsFrom(native, [platformHere()]);
  // The folder of a configuration may come from somebody else, with links in it.
  const base = dir === undefined ? userPlugins() : makeFolder(dir, "terraform.d/plugins");
  const home = homeIn(base);
  const others = otherVersions(home);
  stagedIn(realpathSync(base), (stage) => {
    if (clean) clear(home, [version], stage);
    if (!zips) lay(home, [system], stage);
    for (const zip of zips ?? []) unpack(zip, home, stage);
  });
  const what = zips ? `, the executable for ${platformHere()},` : "";
  const told = [`Version ${version} of ${source}${what} is in ${path.join(home, version)}`];
  if (others.length > 0)
    told.push(`${clean ? "Removed" : "Left there, as --clean was not given"}: ${others.join(", ")}`);
  told.push("", `In the configuration${dir === undefined ? "" : ` in ${dir}`}, then run terraform init:`, "", hcl);
  return told.join("\n");
}

/** Where both programs look without being told. */
function userPlugins(): string {
  const folder =
    process.platform === "win32"
      ? path.join(process.env.APPDATA ?? os.homedir(), "terraform.d")
      : path.join(os.homedir(), ".terraform.d");
  return path.join(folder, "plugins");
}

/** The folder of the versions. The base may be a link of the user's; what lies below it is ours, and no link. */
export function homeIn(base: string): string {
  mkdirSync(base, { recursive: true });
  return makeFolder(realpathSync(base), source);
}

const zipped = new RegExp(`^${product}_([^_]+)_.*\\.zip$`);

/** In either form: a folder, or zips and what tells of them. */
export function otherVersions(home: string): string[] {
  const versions = readdirSync(home).flatMap((name) => {
    const [, packed] = zipped.exec(name) ?? [];
    return packed ?? (/^\d/.test(name) && !name.endsWith(".json") ? name : []);
  });
  return [...new Set(versions)].filter((one) => one !== version).toSorted();
}
