/** `tenantform mirror`: writes a folder from which Terraform and OpenTofu install the provider, on disk or behind a web server. */
import { createHash } from "node:crypto";
import { readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { clear, put, stagedIn } from "./placing";
import { source, stemOf } from "./product";
import { lay } from "./shipment";
import { version } from "../version";
import { hcl, homeIn, noteOn, otherVersions } from "./install";
import { hashOf, zipsFrom, type From, type Zip } from "./zips";

export interface MirrorOptions {
  /** Mirrors the executables, which need no Node, from here. */
  readonly native?: From;
  /** Only for these platforms. */
  readonly platform?: readonly string[];
  /** Removes other versions. */
  readonly clean?: boolean;
}

/** Returns the text to print. */
export async function mirror(folder: string, { native, platform, clean = false }: MirrorOptions): Promise<string> {
  if (platform && native === undefined) {
    throw new Error("--platform needs --native, because the script for Node is the same for all platforms.");
  }
  const zips = native === undefined ? undefined : await zipsFrom(native, platform);
  const home = homeIn(folder);
  const others = otherVersions(home);
  stagedIn(realpathSync(folder), (stage) => {
    // If a version is there in both forms, Terraform may take either.
    const kept = readdirSync(home).filter((name) => !clean && !isOf(version, name));
    clear(home, zips ? kept : [...kept, version], stage);
    if (zips) layZips(home, zips, stage);
    else lay(home, ["linux", "darwin", "windows"], stage);
    if (zips || kept.includes("index.json")) writeIndex(home, stage);
  });
  const what = zips ? `for ${zips.map((zip) => zip.platform).join(", ")}, without Node` : "for Node, on every system";
  return [
    `Version ${version} of ${source}, ${what}, is in ${home}`,
    ...noteOn(others, clean),
    "",
    `For one run, with terraform or tofu: terraform init -plugin-dir=${path.resolve(folder)}`,
    "For all runs, in ~/.terraformrc or ~/.tofurc:",
    "",
    settings(folder),
    "",
    "In the configuration:",
    "",
    hcl,
  ].join("\n");
}

/** Writes the zips and the files of https://developer.hashicorp.com/terraform/internals/provider-network-mirror-protocol. */
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
  const listed = readdirSync(home).flatMap((name) => /^(\d+\.\d+\.\d+.*)\.json$/.exec(name)?.[1] ?? []);
  const versions = Object.fromEntries(listed.toSorted().map((one) => [one, {}]));
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
