/** `tenantform install`: puts the provider where Terraform and OpenTofu look for it. */
import { existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { unlock } from "./lock-file";
import { clear, makeFolder, stagedIn } from "./placing";
import { platformHere, product, source, startsExecutables, systemOf } from "./product";
import { lay, scriptHash } from "./shipment";
import { version } from "../version";
import { hashOf, unpack, zipsFrom, type From } from "./zips";

export interface InstallOptions {
  /** Folder of a configuration; default: for this user. */
  readonly dir?: string;
  /** Installs the executable, which needs no Node, from here. */
  readonly native?: From;
  /** Removes other versions. */
  readonly clean?: boolean;
}

export const hcl = `terraform {
  required_providers {
    tenant = { source = "${source}", version = "${version}" }
  }
}
`;

/** Returns the text to print. */
export async function install({ dir, native, clean = false }: InstallOptions): Promise<string> {
  if (dir !== undefined && !existsSync(dir)) {
    throw new Error(`${dir} does not exist: --dir needs the folder of a configuration.`);
  }
  if (native !== undefined && !startsExecutables()) {
    throw new Error(
      "The executable needs GNU's C library, which this machine does not have (Alpine has musl). Install without --native: the script runs with the Node of this command.",
    );
  }
  const system = systemOf(process.platform);
  const zips = native === undefined ? undefined : await zipsFrom(native, [platformHere()]);
  // Someone else may have made the folder of the configuration, with links in it.
  const base = dir === undefined ? userPlugins() : makeFolder(dir, "terraform.d/plugins");
  const home = homeIn(base);
  const others = otherVersions(home);
  stagedIn(realpathSync(base), (stage) => {
    if (clean) clear(home, [version], stage);
    if (!zips) lay(home, [system], stage);
    for (const zip of zips ?? []) unpack(zip, home, stage);
  });
  const hashes = zips ? zips.map(hashOf) : [scriptHash(system)];
  const what = zips ? `, the executable for ${platformHere()},` : "";
  const folder = dir === undefined ? "" : ` in ${dir}`;
  return [
    `Version ${version} of ${source}${what} is in ${path.join(home, version)}`,
    ...noteOn(others, clean),
    ...unlock(path.join(dir ?? ".", ".terraform.lock.hcl"), source, version, hashes),
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
export function homeIn(base: string): string {
  mkdirSync(base, { recursive: true });
  return makeFolder(realpathSync(base), source);
}

const zipped = new RegExp(`^${product}_([^_]+)_.*\\.zip$`);

/** Versions in the folder, as folders or as zips. */
export function otherVersions(home: string): string[] {
  const versions = readdirSync(home).flatMap((name) => {
    const [, packed] = zipped.exec(name) ?? [];
    return packed ?? (/^\d/.test(name) && !name.endsWith(".json") ? name : []);
  });
  return [...new Set(versions)].filter((one) => one !== version).toSorted();
}

/** The line of the command's output about other versions. */
export const noteOn = (others: readonly string[], clean: boolean): string[] =>
  others.length === 0 ? [] : [`${clean ? "Removed" : "Kept, because --clean was not given"}: ${others.join(", ")}`];
