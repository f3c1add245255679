/** `tenantform install`: puts the provider where Terraform and OpenTofu look for it. */
import { existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { unlock } from "./lock-file";
import { clear, makeFolder, removeEmpty, stagedIn } from "./placing";
import { source, systemOf } from "./product";
import { lay, scriptHash } from "./shipment";
import { version } from "../../version";

export interface InstallOptions {
  /** Folder of a configuration; default: for this user. */
  readonly dir?: string;
  /** Removes other versions. */
  readonly clean?: boolean;
}

const hcl = `terraform {
  required_providers {
    tenant = { source = "${source}", version = "${version}" }
  }
}
`;

/** Returns the text to print. */
export async function install({ dir, clean = false }: InstallOptions): Promise<string> {
  if (dir !== undefined && !existsSync(dir)) {
    throw new Error(`${dir} does not exist: --dir needs the folder of a configuration.`);
  }
  const system = systemOf(process.platform);
  // Someone else may have made the folder of the configuration, with links in it.
  const base = dir === undefined ? userPlugins() : makeFolder(dir, "terraform.d/plugins");
  const home = homeIn(base);
  const others = otherVersions(home);
  try {
    stagedIn(realpathSync(base), (stage) => {
      if (clean) clear(home, [version], stage);
      lay(home, [system], stage);
    });
  } catch (error) {
    removeEmpty(home, realpathSync(dir ?? base));
    throw error;
  }
  const folder = dir === undefined ? "" : ` in ${dir}`;
  return [
    `Version ${version} of ${source} is in ${path.join(home, version)}`,
    ...(others.length === 0
      ? []
      : [`${clean ? "Removed" : "Kept, because --clean was not given"}: ${others.join(", ")}`]),
    ...unlock(path.join(dir ?? ".", ".terraform.lock.hcl"), source, version, [scriptHash(system)]),
    "",
    `Write this into the configuration${folder}, then run terraform init or tofu init:`,
    "",
    hcl,
  ].join("\n");
}

/** Terraform and OpenTofu look there by default. */
function userPlugins(): string {
  const folder =
    process.platform === "win32"
      ? path.join(process.env.APPDATA ?? os.homedir(), "terraform.d")
      : path.join(os.homedir(), ".terraform.d");
  return path.join(folder, "plugins");
}

/** Makes the folder of the versions. The base may be a link by the user; the folders below it must not be links. */
function homeIn(base: string): string {
  mkdirSync(base, { recursive: true });
  return makeFolder(realpathSync(base), source);
}

/** Versions in the folder. */
const otherVersions = (home: string): string[] =>
  readdirSync(home)
    .filter((name) => /^\d/.test(name) && !name.endsWith(".json") && name !== version)
    .toSorted();
