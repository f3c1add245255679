/** Finds the file and line of each resource of a plan in the configuration, because plans have no positions. */
import { statSync } from "node:fs";
import path from "node:path";
import type { Place } from "../../judge/impact/cause";
import type { ConfigModule, Plan } from "./plan";
import { Files, type FileBlock } from "../../formats/hcl/files";
import { textOf } from "../../formats/hcl/tree";
import { shownFile } from "./root";

/** The plan with the places of its resources, from the first folder that has its configuration. */
export function withPlaces(plan: Plan, folders: readonly string[], directory = process.cwd()): Plan {
  const root = plan.configuration?.root_module;
  if (!root) return plan;
  const files = new Files();
  const folder = folders.map((one) => path.resolve(directory, one)).find((one) => declares(files.blocksOf(one), plan));
  if (folder === undefined) return plan;
  const found: Found = { places: new Map(), providers: new Map() };
  new Configuration(files, directory, found).read(root, { path: [], folder });
  return { ...plan, places: found.places, provider_blocks: found.providers };
}

/** Whether the folder may be the one that was planned: another folder could have one of the addresses by chance. */
function declares(blocks: readonly FileBlock[], { configuration }: Plan): boolean {
  const { resources = [], module_calls: calls = {} } = configuration?.root_module ?? {};
  const providers = Object.entries(configuration?.provider_config ?? {}).filter(
    ([, { module_address: module, expressions }]) => module === undefined && expressions !== undefined,
  );
  const wanted = [
    ...resources.map(({ address }) => address).filter(isManaged),
    ...Object.keys(calls).map((name) => `module.${name}`),
    ...providers.map(([key]) => `provider.${key}`),
  ];
  const declared = new Set(blocks.map(keyOf));
  return wanted.length > 0 && wanted.every((key) => declared.has(key));
}

const isManaged = (address: string) => !/^(?:data|ephemeral)\./.test(address);

/** The address within its module, for a provider with its alias. */
function keyOf({ type, labels, attributes }: FileBlock): string {
  if (type === "resource") return labels.join(".");
  const alias = type === "provider" ? textOf(attributes.get("alias")) : undefined;
  return [type, ...labels, ...(alias === undefined ? [] : [alias])].join(".");
}

interface Found {
  readonly places: Map<string, Place>;
  readonly providers: Map<string, FileBlock[]>;
}

interface Home {
  /** The names of the module calls. */
  readonly path: readonly string[];
  /** Left out: the module was downloaded. */
  readonly folder?: string;
  /** The place of the call of a downloaded module, which is the part that people can change. */
  readonly call?: Place;
}

class Configuration {
  constructor(
    private readonly files: Files,
    private readonly directory: string,
    private readonly found: Found,
  ) {}

  read(module: ConfigModule, { path: names, folder, call }: Home): void {
    const blocks = folder === undefined ? [] : this.files.blocksOf(folder);
    const declared = declaredOnce(blocks);
    const address = names.map((name) => `module.${name}`).join(".");
    const prefix = address === "" ? "" : `${address}.`;
    for (const { address: own } of module.resources ?? []) {
      const place = folder === undefined ? call : this.placeOf(declared.get(own), folder);
      if (place && isManaged(own)) this.found.places.set(prefix + own, place);
    }
    for (const block of blocks.filter(({ type }) => type === "removed")) this.readRemoved(block, prefix);
    for (const block of blocks.filter(({ type }) => type === "provider")) {
      const own = keyOf(block).replace("provider.", "");
      const key = address === "" ? own : `${address}:${own}`;
      this.found.providers.set(key, [...(this.found.providers.get(key) ?? []), block]);
    }
    for (const [name, { source, module: below = {} }] of Object.entries(module.module_calls ?? {})) {
      const own = folder === undefined ? call : this.placeOf(declared.get(`module.${name}`), folder);
      const isLocal = folder !== undefined && typeof source === "string" && /^\.\.?[/\\]/.test(source);
      const home = isLocal ? { folder: path.resolve(folder, source) } : own && { call: own };
      this.read(below, { path: [...names, name], ...home });
    }
  }

  /** The configuration no longer has the resource, but says so. */
  private readRemoved({ attributes, file, line }: FileBlock, prefix: string): void {
    const from = textOf(attributes.get("from"));
    const place = this.placeIn(file, line);
    if (from !== undefined && place && !this.found.places.has(prefix + from))
      this.found.places.set(prefix + from, place);
  }

  private placeOf(block: FileBlock | undefined, folder: string): Place | undefined {
    if (!block) return undefined;
    return this.originOf(block, folder) ?? this.placeIn(block.file, block.line);
  }

  /** The position in a CDK program, relative to the folder that has cdktf.out, or to the working directory. */
  private originOf({ origin = "" }: FileBlock, folder: string): Place | undefined {
    const [, file, line] = /^(.+):([1-9]\d{0,6})$/s.exec(origin) ?? [];
    if (file === undefined || path.isAbsolute(file) || file.split(/[/\\]/).includes("..")) return undefined;
    const project = path.resolve(folder, "../../..");
    const found = [project, this.directory].map((one) => path.join(one, file)).find(isFile);
    return found === undefined ? undefined : this.placeIn(found, Number(line));
  }

  private placeIn(file: string, line: number): Place | undefined {
    const shown = shownFile(file, this.directory);
    return shown && { ...shown, line };
  }
}

/** Leaves out what two files declare, because only one of them may be the one that was planned. */
function declaredOnce(blocks: readonly FileBlock[]): Map<string, FileBlock> {
  const found = new Map<string, FileBlock>();
  const several = new Set<string>();
  for (const block of blocks.filter(({ isOverride }) => !isOverride)) {
    const key = keyOf(block);
    if (found.has(key)) several.add(key);
    found.set(key, block);
  }
  for (const key of several) found.delete(key);
  return found;
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
