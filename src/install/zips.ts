/** The zips of this version's release: from a folder, a server or the release itself, believed by their digests alone. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { version } from "../version";
import { checksumsName, stemOf, zipName } from "./product";

const published = `https://github.com/tenantform/tenantform/releases/download/v${version}`;
const checksums = checksumsName(version);
/** A released package carries those of its release, so that nobody is asked for them. */
const carried = path.join(__dirname, "../../dist/SHA256SUMS");

export interface Zip {
  readonly name: string;
  readonly platform: string;
  readonly content: Buffer;
}

/** `from`: a folder with the zips, one of them, or the URL that they are below; the release itself for `true`. */
export type From = string | true;

/** Those of the platforms, or all that the release has. */
export async function zipsFrom(from: From, wanted?: readonly string[]): Promise<Zip[]> {
  const source = sourceOf(from);
  const digests = parse(existsSync(carried) ? readFileSync(carried, "utf8") : String(await source.read(checksums)));
  const listed = [...digests.keys()].flatMap((name) => platformOf(name) ?? []);
  const missing = (wanted ?? []).filter((platform) => !listed.includes(platform));
  if (missing.length > 0 || listed.length === 0) {
    throw new Error(`Version ${version} has no zip for ${missing.join(", ") || "any platform"}: see ${checksums}.`);
  }
  const chosen = (wanted ?? listed).filter((platform) => source.only === undefined || source.only === zipOf(platform));
  if (chosen.length === 0)
    throw new Error(`${String(from)} is not ${(wanted ?? []).map(zipOf).join(", ")}: name that zip.`);
  const zips: Zip[] = [];
  for (const platform of chosen) {
    const name = zipOf(platform);
    const content = await source.read(name);
    const found = createHash("sha256").update(content).digest("hex");
    if (found !== digests.get(name)) {
      throw new Error(
        `${source.place}/${name} is not what was released: its SHA-256 is ${found}, not ${digests.get(name)}.`,
      );
    }
    zips.push({ name, platform, content });
  }
  return zips;
}

const zipOf = (platform: string) => zipName(version, platform);

function platformOf(name: string): string | undefined {
  const platform = name.slice(stemOf(version).length + 1, -".zip".length);
  return name === zipOf(platform) ? platform : undefined;
}

/** By name. */
function parse(text: string): Map<string, string> {
  return new Map([...text.matchAll(/^([0-9a-f]{64})  (\S+)$/gm)].map(([, digest, name]) => [name!, digest!]));
}

interface Source {
  readonly place: string;
  /** Name of the one zip that was named. */
  readonly only?: string;
  read(name: string): Promise<Buffer>;
}

function sourceOf(from: From): Source {
  const place = (from === true ? published : from).replace(/\/+$/, "");
  if (/^https?:\/\//.test(place)) return { place, read: (name) => download(`${place}/${name}`) };
  const file = statSync(place, { throwIfNoEntry: false });
  if (!file) throw new Error(`${place} is not there: name the folder with the zips of the release, or one of them.`);
  const folder = file.isDirectory() ? place : path.dirname(place);
  return {
    place: folder,
    only: file.isDirectory() ? undefined : path.basename(place),
    read(name) {
      const found = path.join(folder, name);
      if (existsSync(found)) return Promise.resolve(readFileSync(found));
      return Promise.reject(new Error(`${found} is not there: put it beside the others, as the release has it.`));
    },
  };
}

const otherwise =
  "Load the zip and its SHA256SUMS by other means, and name their folder; in a checkout, npm run release -- --dry-run makes both.";

async function download(url: string): Promise<Buffer> {
  const answer = await fetch(url).catch((error: Error) => {
    throw new Error(`${url} could not be reached: ${String(error.cause ?? error.message)}. ${otherwise}`);
  });
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}. ${otherwise}`);
  return Buffer.from(await answer.arrayBuffer());
}
