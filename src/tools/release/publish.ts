/** The commands that publish a release, and the conditions for them. */
import path from "node:path";
import type { Inventory } from "./files";

export interface Checkout {
  /** Version in package.json. */
  readonly version: string;
  /** Tags of the current commit. */
  readonly tags: readonly string[];
  /** Changed and untracked files. */
  readonly changed: readonly string[];
  /** Text of CHANGELOG.md. */
  readonly changes: string;
  /** The branch or tag to which messages link. */
  readonly linked: string;
}

/** The section of a version in the change log; undefined if there is none with a date. */
export function notesOf(changes: string, version: string): string | undefined {
  const sections = changes.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/[\s,]/, 1)[0] === version);
  if (section === undefined || !/^\S+, \d{4}-\d{2}-\d{2}$/m.test(section.split("\n", 1)[0]!)) return undefined;
  return section.slice(section.indexOf("\n")).trim();
}

/** Reasons against publishing. */
export function obstaclesTo({ version, tags, changed, changes, linked }: Checkout): string[] {
  const obstacles: string[] = [];
  if (!tags.includes(`v${version}`)) {
    obstacles.push(`the commit has no tag v${version}, which is the version in package.json`);
  }
  if (changed.length > 0) obstacles.push(`the checkout is not clean: ${changed.join(", ")}`);
  if (notesOf(changes, version) === undefined) {
    obstacles.push(`CHANGELOG.md has no section "## ${version}, YYYY-MM-DD"`);
  }
  if (linked !== `v${version}`) {
    obstacles.push(`messages link to ${linked}: add ${version} to \`tagged\` in src/formats/text/doc-links.ts`);
  }
  return obstacles;
}

/**
 * With this order a failure never publishes one half: first a draft on GitHub, then the package on npm, which can refuse it. Last,
 * the draft becomes public. `notes` is a file with the text of the release.
 */
export function commandsFor(version: string, inventory: Inventory, folder: string, notes: string): string[][] {
  const tag = `v${version}`;
  const { tarball, materials, manifest, checksums, signature, key, zips } = inventory;
  const assets = [tarball, materials, manifest, checksums, signature, key, ...Object.values(zips)];
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
