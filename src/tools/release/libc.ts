/** Debian's pinned GNU C library, for Linux hosts with another C library. It is downloaded when a Linux zip is made. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { libraries, loaders } from "../../install/contents";
import { sha256 } from "./checksums";

const version = "2.36-9+deb12u14";

export interface Libc {
  /** Name of the loader, which is in `files`. */
  readonly loader: string;
  /** Path of the loader on a host with the GNU C library. */
  readonly hostLoader: string;
  /** Path of the loader of musl. */
  readonly muslLoader: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly component: {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licence: string;
    readonly text: string;
    readonly sha256: string;
  };
}

const builds = {
  linux_amd64: {
    architecture: "amd64",
    triplet: "x86_64-linux-gnu",
    hostLoader: "/lib64/ld-linux-x86-64.so.2",
    muslLoader: "/lib/ld-musl-x86_64.so.1",
    digest: "ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf",
  },
  linux_arm64: {
    architecture: "arm64",
    triplet: "aarch64-linux-gnu",
    hostLoader: "/lib/ld-linux-aarch64.so.1",
    muslLoader: "/lib/ld-musl-aarch64.so.1",
    digest: "01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4",
  },
} as const;

export async function libcOf(platform: keyof typeof loaders, store: string): Promise<Libc> {
  const { architecture, triplet, hostLoader, muslLoader, digest } = builds[platform];
  const loader = loaders[platform];
  const folder = path.join(store, `libc6-${version}-${architecture}`);
  const read = (name: string) => readFile(path.join(folder, "lib", triplet, name));
  await read(loader).catch(() => fetchPackage(architecture, digest, folder));
  const names = [loader, ...libraries];
  const contents = await Promise.all(names.map(read));
  return {
    loader,
    hostLoader,
    muslLoader,
    files: Object.fromEntries(names.map((name, index) => [name, contents[index]!])),
    component: {
      name: "glibc",
      version,
      purl: `pkg:deb/debian/libc6@${encodeURIComponent(version)}?arch=${architecture}&distro=bookworm`,
      licence: "LGPL-2.1-or-later",
      text: [
        `Separate files, which you can replace: ${names.join(", ")}.`,
        `Unchanged from Debian's package libc6 ${version}. Its source is Debian's source package glibc ${version}.`,
        await readFile(path.join(folder, "usr/share/doc/libc6/copyright"), "utf8"),
      ].join("\n"),
      sha256: digest,
    },
  };
}

/** URLs of Debian archives: from the environment, by default those of this machine. */
async function archives(): Promise<string[]> {
  const named = process.env.TENANTFORM_DEBIAN_ARCHIVES;
  if (named) return named.split(",").map((root) => root.trim().replace(/\/$/, ""));
  const folder = "/etc/apt/sources.list.d";
  const files = await readdir(folder).catch(() => []);
  const texts = await Promise.all(
    ["/etc/apt/sources.list", ...files.map((file) => path.join(folder, file))].map((file) =>
      readFile(file, "utf8").catch(() => ""),
    ),
  );
  const roots = texts.flatMap((text) => text.match(/^(?!\s*#).*?\bhttps?:\/\/\S+\/debian\/?(?=\s|$)/gm) ?? []);
  return [...new Set(roots.map((line) => /https?:\S+/.exec(line)![0].replace(/\/$/, "")))];
}

async function fetchPackage(architecture: string, digest: string, folder: string): Promise<void> {
  const file = `pool/main/g/glibc/libc6_${version}_${architecture}.deb`;
  const refused: string[] = [];
  for (const root of await archives()) {
    try {
      const response = await fetch(`${root}/${file}`);
      if (!response.ok) throw new Error(`returned ${response.status}`);
      const content = Buffer.from(await response.arrayBuffer());
      if (sha256(content) !== digest) throw new Error(`has the digest ${sha256(content)}, not ${digest}`);
      return await unpack(content, folder);
    } catch (error) {
      refused.push(`${root} ${(error as Error).message}`);
    }
  }
  const why = refused.length > 0 ? refused.join("; ") : "this machine names no Debian archive";
  throw new Error(
    `the C library for Linux (${file}) cannot be downloaded: ${why}; set TENANTFORM_DEBIAN_ARCHIVES to archives that have it, separated by commas`,
  );
}

async function unpack(deb: Buffer, folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const part = await mkdtemp(path.join(path.dirname(folder), "part-"));
  try {
    const { name, content } = members(deb).find((member) => member.name.startsWith("data.tar"))!;
    await writeFile(path.join(part, name), content);
    await promisify(execFile)("tar", ["-xf", name], { cwd: part });
    await rm(path.join(part, name));
    await rename(part, folder);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** The members of an ar archive: after 8 bytes, each has a header of 60 bytes and starts at an even offset. */
function members(archive: Buffer): { name: string; content: Buffer }[] {
  const found: { name: string; content: Buffer }[] = [];
  for (let at = 8; at < archive.length;) {
    const header = archive.toString("latin1", at, at + 60);
    const size = Number(header.slice(48, 58));
    found.push({
      name: header.slice(0, 16).trim().replace(/\/$/, ""),
      content: archive.subarray(at + 60, at + 60 + size),
    });
    at += 60 + size + (size % 2);
  }
  return found;
}
