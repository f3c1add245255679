/** `tenantform mirror`: a folder that Terraform and OpenTofu install the provider from, on disk or behind a web server. */
import { createHash } from "node:crypto";
import { readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { clear, put, stagedIn } from "./placing";
import { source, stemOf } from "./product";
import { lay } from "./shipment";
import { version } from "../version";
import { hcl, homeIn, otherVersions } from "./install";
import { hashOf } from "./unpack";
import { zipsFrom, type From, type Zip } from "./zips";

export interface MirrorOptions {
  /** Executables that need no Node, and where their zips are. */
  readonly native?: From;
  /** Of these alone. */
  readonly platform?: readonly string[];
  /** Other versions go. */
  readonly clean?: boolean;
}

/** Returns what is to be told. */
export async function mirror(folder: string, { native, platform, clean = false }: MirrorOptions): Promise<string> {
  if (platform && native === undefined) {
    throw new Error("--platform chooses among the zips of --native; the script for Node is the same for all.");
  }
  const zips = native === undefined ? undefined : await zipsFrom(native, platform);
  const home = homeIn(folder);
  const others = otherVersions(home);
  stagedIn(realpathSync(folder), (stage) => {
    // Of a version that is there in both forms nobody could say which one is taken.
    const kept = readdirSync(home).filter((name) => !clean && !isOf(version, name));
    clear(home, zips ? kept : [...kept, version], stage);
    if (zips) layZips(home, zips, stage);
    else lay(home, ["linux", "darwin", "windows"], stage);
    if (zips || kept.includes("index.json")) writeIndex(home, stage);
  });
  const what = zips ? `for ${zips.map((zip) => zip.platform).join(", ")}, without Node` : "for Node, on every system";
  const told = [`Version ${version} of ${source}, ${what}, is in ${home}`];
  if (others.length > 0)
    told.push(`${clean ? "Removed" : "Left there, as --clean was not given"}: ${others.join(", ")}`);
  told.push(
    "",
    `For one run: terraform init -plugin-dir=${path.resolve(folder)}`,
    "For all, in the configuration of the command line (~/.terraformrc, ~/.tofurc):",
    "",
    settings(folder),
    "",
    "In the configuration:",
    "",
    hcl,
  );
  return told.join("\n");
}

/** Packed, with what a web server has to answer: https://developer.hashicorp.com/terraform/internals/provider-network-mirror-protocol. */
function layZips(home: string, zips: readonly Zip[], stage: string): void {
  const archives: Record<string, object> = {};
  for (const zip of zips) {
    put(path.join(home, zip.name), zip.content, 0o644, stage);
    const digest = createHash("sha256").update(zip.content).digest("hex");
    archives[zip.platform] = { url: zip.name, hashes: [hashOf(zip), `zh:${digest}`] };
  }
  put(path.join(home, `${version}.json`), `${JSON.stringify({ archives }, undefined, 2)}\n`, 0o644, stage);
}

function writeIndex(home: string, stage: string): void {
  const told = readdirSync(home).flatMap((name) => /^(\d+\.\d+\.\d+.*)\.json$/.exec(name)?.[1] ?? []);
  const versions = Object.fromEntries(told.toSorted().map((one) => [one, {}]));
  put(path.join(home, "index.json"), `${JSON.stringify({ versions }, undefined, 2)}\n`, 0o644, stage);
}

const isOf = (one: string, name: string) =>
  name === one || name === `${one}.json` || name.startsWith(`${stemOf(one)}_`);

const settings = (folder: string) => `provider_installation {
  filesystem_mirror {
    path    = ${JSON.stringify(path.resolve(folder))}
    include = ["${source}"]
  }
  direct {
    exclude = ["${source}"]
  }
}`;
