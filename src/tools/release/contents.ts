/** The files in the zip of a platform: the native build, licences, bill of materials, and on Linux a start script and a C library. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { executableName } from "../../install/product";
import { platformOf } from "./form";
import type { Platform } from "./inventory";
import type { Libc } from "./libc";
import type { Packed } from "./zip";

export interface Sources {
  readonly version: string;
  /** Folder of the platform's native build. */
  readonly native: string;
  /** Our LICENSE. */
  readonly licence: string;
  /** Only for Linux. */
  readonly libc?: Libc;
}

export async function contentsOf(platform: Platform, { version, native, licence, libc }: Sources) {
  const read = (name: string) => readFile(path.join(native, name));
  const name = executableName(version, platform);
  const [provider, notices, materials] = await Promise.all([name, "THIRD_PARTY_LICENSES", "sbom.cdx.json"].map(read));
  if (platformOf(provider!) !== platform) {
    throw new Error(`${path.join(native, name)} is no executable for ${platform}: build it again`);
  }
  const carried: Record<string, Uint8Array> = {
    LICENSE: await readFile(licence),
    THIRD_PARTY_LICENSES: notices!,
    "sbom.cdx.json": materials!,
  };
  const executables: Record<string, Uint8Array> = { [name]: provider! };
  if (libc) {
    carried.THIRD_PARTY_LICENSES = Buffer.from(`${notices!}${noticeOf(libc)}`);
    carried["sbom.cdx.json"] = Buffer.from(`${JSON.stringify(withLibc(String(materials), libc), undefined, 2)}\n`);
    for (const [file, content] of Object.entries(libc.files)) {
      (file === libc.loader ? executables : carried)[`lib/${file}`] = content;
    }
    executables[`lib/${name}`] = provider!;
    executables[name] = Buffer.from(launcherOf(name, libc));
  }
  const files: Record<string, Packed> = {};
  for (const [file, content] of Object.entries(carried)) files[file] = { content, executable: false };
  for (const [file, content] of Object.entries(executables)) files[file] = { content, executable: true };
  return files;
}

/** See docs/decisions/0009-one-zip-for-both-c-libraries.md. */
function launcherOf(name: string, { loader, hostLoader, muslLoader }: Libc): string {
  return `#!/bin/sh
# Starts the provider with the C library of this host where that is GNU's, and else with the one that came along.
lib=\${0%/*}/lib
if [ -e ${hostLoader} ] && [ ! -e ${muslLoader} ]; then exec "$lib/${name}" "$@"; fi
exec "$lib/${loader}" --library-path "$lib" "$lib/${name}" "$@"
`;
}

function noticeOf({ component: { name, version, licence, text } }: Libc): string {
  return `\n${"-".repeat(100)}\n\n${name} ${version}\n${licence}\n\n${text.trim()}\n`;
}

interface Materials {
  readonly components: readonly object[];
  readonly dependencies: readonly [{ readonly ref: string; readonly dependsOn: readonly string[] }];
}

function withLibc(materials: string, { component: { name, version, purl, licence, sha256 } }: Libc): Materials {
  const known = JSON.parse(materials) as Materials;
  const [{ ref, dependsOn }] = known.dependencies;
  const component = {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    licenses: [{ expression: licence }],
    hashes: [{ alg: "SHA-256", content: sha256 }],
  };
  return {
    ...known,
    components: [...known.components, component],
    dependencies: [{ ref, dependsOn: [...dependsOn, purl] }],
  };
}
