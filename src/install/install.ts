/** `tenantform install`: the provider put where Terraform and OpenTofu look for it, and what to write so that they do. */
import { mkdirSync, readdirSync, realpathSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { clear, makeFolder, stagedIn } from "../constructs/placing";
import { lay, source, systemOf } from "../constructs/shipment";
import { version } from "../version";

export interface InstallOptions {
  /** Of a configuration. */
  readonly dir?: string;
  /** Of a filesystem mirror. */
  readonly mirror?: string;
  /** Other versions go. */
  readonly clean?: boolean;
}

const hcl = `terraform {
  required_providers {
    tenant = { source = "${source}", version = "${version}" }
  }
}
`;

/** Returns what is to be told. */
export function install({ dir, mirror, clean = false }: InstallOptions): string {
  if (dir !== undefined && mirror !== undefined) {
    throw new Error("--dir and --mirror name two places: give one of them.");
  }
  const base = dir === undefined ? (mirror ?? userPlugins()) : path.join(dir, "terraform.d/plugins");
  const home = homeIn(base);
  const others = readdirSync(home).filter((name) => name !== version);
  const systems = mirror === undefined ? [systemOf(process.platform)] : ["linux", "darwin", "windows"];
  stagedIn(realpathSync(base), (stage) => {
    if (clean) clear(home, [version], stage);
    lay(home, systems, stage);
  });
  const told = [`Version ${version} of ${source} is in ${path.join(home, version)}`];
  if (others.length > 0)
    told.push(`${clean ? "Removed" : "Left there, as --clean was not given"}: ${others.join(", ")}`);
  if (mirror !== undefined)
    told.push("", "In the configuration of the command line (~/.terraformrc, ~/.tofurc):", "", settings(mirror));
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
function homeIn(base: string): string {
  mkdirSync(base, { recursive: true });
  return makeFolder(realpathSync(base), source);
}

const settings = (mirror: string) => `provider_installation {
  filesystem_mirror {
    path    = ${JSON.stringify(path.resolve(mirror))}
    include = ["${source}"]
  }
  direct {
    exclude = ["${source}"]
  }
}`;
