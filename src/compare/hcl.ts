/**
 * Reads one side of a comparison from HCL files, as `tenantform adopt` writes them: literals, lists of the folder's JSON files, and locals with
 * such values. Everything else is unknown, and files that are not read are named.
 */
import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { notKnown } from "../access/access";
import { configurationFiles, isOverride, readRegular } from "../hcl/files";
import { readHcl } from "../hcl/hcl";
import { plainOf, textOf, Unreadable, type Block, type Body, type Expression, type Value } from "../hcl/tree";
import type { Values } from "../impact/model";
import { kindOf } from "../kinds/kinds";
import { ReviewError } from "../review/error";

export interface HclResource {
  readonly type: string;
  readonly address: string;
  /** A value that was not read is a symbol. */
  readonly values: Values;
  /** `tenant`, or `tenant.other`. */
  readonly provider: string;
}

export interface HclFolder {
  /** All resources, also those of kinds that this version does not know. */
  readonly resources: readonly HclResource[];
  /** Why the folder may have other objects, in clauses. */
  readonly unread: readonly string[];
}

const isHcl = (name: string) => /\.(?:tf|tofu)$/.test(name);

/** A file, or a folder of files without a synthesized stack or a plan. undefined: the name is something else. */
export function hclIn(name: string): HclFolder | undefined {
  if (isHcl(name)) return contentOf([name], []);
  if (statSync(name, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const names = readdirSync(name);
  if (["plan", "plan.json", "cdk.tf.json", "manifest.json"].some((file) => names.includes(file))) return undefined;
  const all = configurationFiles(names);
  const read = all.filter((file) => isHcl(file) && !isOverride(file) && !isTwin(file, all));
  if (!all.some(isHcl)) return undefined;
  return contentOf(
    read.map((file) => path.join(name, file)),
    all.filter((file) => !read.includes(file)),
  );
}

/** OpenTofu reads it in place of the file of the same name that Terraform reads. */
const isTwin = (file: string, all: readonly string[]) =>
  file.endsWith(".tofu") && all.includes(file.replace(/tofu$/, "tf"));

interface FileBlock extends Block {
  readonly file: string;
}

function contentOf(files: readonly string[], skipped: readonly string[]): HclFolder {
  const blocks = files.flatMap((file) => bodyOf(file).blocks.map((block): FileBlock => ({ ...block, file })));
  const folder = new Folder(blocks.filter(({ type }) => type === "locals"));
  const resources = blocks.filter(({ type }) => type === "resource").map((block) => folder.resource(block));
  const ours = resources.filter(({ type }) => kindOf(type));
  const isRepeated = ({ values }: HclResource) => ["count", "for_each"].some((one) => values[one] !== undefined);
  const providers = new Set(ours.map(({ provider }) => provider));
  const isElsewhere = ({ provider }: HclResource) => providers.size > 1 && provider.includes(".");
  return {
    resources: resources.filter((one) => !ours.includes(one) || !(isRepeated(one) || isElsewhere(one))),
    unread: [
      ...skipped.map((file) => `${file} is not read`),
      ...blocks.flatMap(({ type, labels: [name] }) => (type === "module" ? [`module.${name} is not read`] : [])),
      ...ours.filter(isRepeated).map(({ address }) => `only a plan shows the objects of ${address}`),
      ...ours.filter(isElsewhere).map(({ address, provider }) => `${address} is of the provider ${provider}`),
    ],
  };
}

function bodyOf(file: string): Body {
  try {
    return readHcl(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof Unreadable) throw new ReviewError(`${file}, ${error.message}`);
    throw new ReviewError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Evaluates what the folder itself has: its locals and JSON files. */
class Folder {
  private readonly locals = new Map<string, { readonly value: Value; readonly file: string }>();
  /** Locals that are being evaluated: one may name itself. */
  private readonly open = new Set<string>();

  constructor(locals: readonly FileBlock[]) {
    for (const { attributes, file } of locals)
      for (const [name, value] of attributes) this.locals.set(name, { value, file });
  }

  resource({ labels: [type = "", name = ""], file, ...body }: FileBlock): HclResource {
    const address = `${type}.${name}`;
    if (!kindOf(type)) return { type, address, values: {}, provider: "" };
    const { provider: _provider, ...values } = this.values(body, address, file);
    const named = body.attributes.get("provider");
    const provider = (named?.kind === "expression" && textOf(named)) || type.split("_")[0]!;
    return { type, address, values, provider };
  }

  private values({ attributes, blocks }: Body, address: string, file: string): Values {
    const found = new Map([...attributes].map(([name, value]) => [name, this.value(value, address, file)]));
    for (const block of blocks) {
      const isDynamic = block.type === "dynamic";
      const name = isDynamic ? (block.labels[0] ?? "dynamic") : block.type;
      const isOpen = isDynamic || found.has(name);
      found.set(name, isOpen ? notKnown(`the blocks ${name} in ${address}`) : this.values(block, address, file));
    }
    return Object.fromEntries(found);
  }

  /** A symbol with the text of the expression stands for a value that was not read. */
  private value(value: Value, address: string, file: string): unknown {
    return plainOf(value, (one) => this.read(one, file) ?? notKnown(`${one.text.slice(0, 60)} in ${address}`));
  }

  /** `local.name`, and `jsondecode(file("${path.module}/name.json"))`. */
  private read({ text }: Expression, file: string): unknown {
    const [, name] = /^local\.([\w-]+)$/.exec(text) ?? [];
    const [, json] = /^jsondecode\(\s*file\(\s*"\$\{path\.module\}\/([^"\\$%]+)"\s*\)\s*\)$/.exec(text) ?? [];
    if (json !== undefined) return jsonAt(file, json);
    const local = name === undefined || this.open.has(name) ? undefined : this.locals.get(name);
    if (!local) return undefined;
    this.open.add(name!);
    try {
      return this.value(local.value, "locals", local.file);
    } finally {
      this.open.delete(name!);
    }
  }
}

/** The largest list of members has some megabytes. */
const mostInList = 32 * 1024 * 1024;

/** The value of a JSON file in the folder of the HCL file or below. undefined: it cannot be read. */
function jsonAt(hcl: string, name: string): unknown {
  try {
    const folder = realpathSync(path.dirname(hcl));
    const file = realpathSync(path.join(folder, name));
    const bytes = file.startsWith(folder + path.sep) ? readRegular(file, mostInList) : undefined;
    return bytes && (JSON.parse(bytes.toString("utf8")) as unknown);
  } catch {
    return undefined;
  }
}
