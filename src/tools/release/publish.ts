/** What makes a release public, as commands; and what must hold before one of them is run. */
import path from "node:path";
import type { Inventory } from "./inventory";

export interface Checkout {
  /** Of package.json. */
  readonly version: string;
  /** Of the commit that is checked out. */
  readonly tags: readonly string[];
  /** What git calls changed or untracked. */
  readonly changed: readonly string[];
  /** CHANGELOG.md. */
  readonly changes: string;
}

/** What the change log says of a version; undefined where it has no section of it, or one that is not dated. */
export function notesOf(changes: string, version: string): string | undefined {
  const sections = changes.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/[\s,]/, 1)[0] === version);
  if (section === undefined || !/^\S+, \d{4}-\d{2}-\d{2}$/m.test(section.split("\n", 1)[0]!)) return undefined;
  return section.slice(section.indexOf("\n")).trim();
}

/** Why this must not be published; empty where it may. */
export function obstaclesTo({ version, tags, changed, changes }: Checkout): string[] {
  const obstacles: string[] = [];
  if (!tags.includes(`v${version}`)) {
    obstacles.push(`the commit has no tag v${version}, which is the version in package.json`);
  }
  if (changed.length > 0) obstacles.push(`the checkout is not clean: ${changed.join(", ")}`);
  if (notesOf(changes, version) === undefined) {
    obstacles.push(`CHANGELOG.md has no section "## ${version}, YYYY-MM-DD"`);
  }
  return obstacles;
}

/**
 * In an order in which a failure leaves nothing half public: the files go into a draft that nobody sees, then the package to
 * npm, which can refuse it, and only then is the draft shown. `notes`: file with the text of the release.
 */
export function commandsFor(version: string, inventory: Inventory, folder: string, notes: string): string[][] {
  const tag = `v${version}`;
  const { tarball, materials, manifest, checksums, signature, zips } = inventory;
  const assets = [tarball, materials, manifest, checksums, signature, ...Object.values(zips)];
  const files = assets.map((name) => path.join(folder, name));
  const early = version.includes("-");
  return [
    ["gh", "release", "create", tag, "--verify-tag", "--draft", "--title", tag, "--notes-file", notes].concat(
      early ? ["--prerelease"] : [],
      files,
    ),
    ["npm", "publish", path.join(folder, tarball), "--provenance", "--access", "public"].concat(
      early ? ["--tag", "next"] : [],
    ),
    ["gh", "release", "edit", tag, "--draft=false"],
  ];
}
