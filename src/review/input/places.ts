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
  const places = new Map<string, Place>();
  const providers = new Map<string, FileBlock[]>();
  read(root, { address: "", folder });
  return { ...plan, places, provider_blocks: providers };

  function read(module: ConfigModule, { address, folder: here, call }: Home): void {
    const blocks = here === undefined ? [] : files.blocksOf(here);
    const declared = declaredOnce(blocks);
    const placeOf = (key: string) => (here === undefined ? call : placeOfBlock(declared.get(key), here, directory));
    const prefix = address === "" ? "" : `${address}.`;
    for (const { address: own } of module.resources ?? []) {
      const place = placeOf(own);
      if (place && isManaged(own)) places.set(prefix + own, place);
    }
    for (const { type, attributes, file, line } of blocks) {
      // The configuration no longer has the resource, but says so.
      const from = type === "removed" ? textOf(attributes.get("from")) : undefined;
      const place = from === undefined ? undefined : placeIn(file, line, directory);
      if (place && !places.has(prefix + from)) places.set(prefix + from, place);
    }
    for (const block of blocks.filter(({ type }) => type === "provider")) {
      const own = keyOf(block).replace("provider.", "");
      const key = address === "" ? own : `${address}:${own}`;
      providers.set(key, [...(providers.get(key) ?? []), block]);
    }
    for (const [name, { source, module: below = {} }] of Object.entries(module.module_calls ?? {})) {
      const isLocal = here !== undefined && typeof source === "string" && /^\.\.?[/\\]/.test(source);
      const home = isLocal ? { folder: path.resolve(here, source) } : { call: placeOf(`module.${name}`) };
      read(below, { address: `${prefix}module.${name}`, ...home });
    }
  }
}

interface Home {
  readonly address: string;
  /** Left out: the module was downloaded. */
  readonly folder?: string;
  /** The place of the call of a downloaded module, which is the part that people can change. */
  readonly call?: Place | undefined;
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

/** In a CDK program, the position there, relative to the folder that has cdktf.out, or to the working directory. */
function placeOfBlock(block: FileBlock | undefined, folder: string, directory: string): Place | undefined {
  if (!block) return undefined;
  const [, file, line] = /^(.+):([1-9]\d{0,6})$/s.exec(block.origin ?? "") ?? [];
  const isBelow = file !== undefined && !path.isAbsolute(file) && !file.split(/[/\\]/).includes("..");
  const project = path.resolve(folder, "../../..");
  const found = isBelow ? [project, directory].map((one) => path.join(one, file)).find(isFile) : undefined;
  return found === undefined ? placeIn(block.file, block.line, directory) : placeIn(found, Number(line), directory);
}

function placeIn(file: string, line: number, directory: string): Place | undefined {
  const shown = shownFile(file, directory);
  return shown && { ...shown, line };
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
