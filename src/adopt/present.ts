/** What is in the directory already: what it declares, so that nothing is declared twice, and what of that is gone. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isThere } from "./files";

export interface Present {
  /** By name, of those that declare something. */
  readonly texts: ReadonlyMap<string, string>;
  has(file: string): boolean;
  text(file: string): string | undefined;
  /** Whether some file or state names the object already. */
  knows(id: string): boolean;
  /** Names that are taken, by resource type. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of local values. */
  readonly locals: ReadonlySet<string>;
  /** What is imported by its id, and where. */
  readonly imported: readonly Imported[];
}

export interface Imported {
  readonly id: string;
  /** `network_acls.tf:12`. */
  readonly place: string;
}

const skipped = new Set(["node_modules", "cdktf.out", ".terraform", "terraform.d", ".git"]);

/** `stated`: ids that a state elsewhere holds. */
export function present(directory: string, stated: Iterable<string> = []): Present {
  const files = existsSync(directory) ? filesIn(directory) : [];
  const texts = new Map<string, string>();
  for (const file of files)
    if (/\.(tf|tofu|ts|json|md)$/.test(file)) texts.set(file, readFileSync(path.join(directory, file), "utf8"));
  const names = new Map<string, Set<string>>();
  const note = (type: string, name: string) => names.set(type, (names.get(type) ?? new Set()).add(name));
  const locals = new Set<string>();
  const imported: Imported[] = [];
  for (const [file, text] of texts) {
    for (const [, type, name] of text.matchAll(/^\s*resource\s+"(\w+)"\s+"([\w-]+)"/gm)) note(type!, name!);
    for (const [, construct, name] of text.matchAll(/\bnew (\w+)\(\s*\w+,\s*"([\w-]+)"/g))
      note(typeOf(construct!), name!);
    if (!/\.(tf|tofu|ts)$/.test(file)) continue;
    for (const [, name] of text.matchAll(/^\s+(\w+)\s+= /gm)) locals.add(name!);
    text.split("\n").forEach((line, index) => {
      const [, id] =
        /^\s*id\s*=\s*"([^"]+)"\s*$/.exec(line) ?? /^(?!\s*\/\/).*\.importFrom\("([^"]+)"/.exec(line) ?? [];
      if (id !== undefined) imported.push({ id: id.replace(/:.*$/s, ""), place: `${file}:${index + 1}` });
    });
  }
  const known = new Set([
    ...stated,
    ...files.filter((file) => /^[^/]*\.tfstate$/.test(file)).flatMap((file) => idsIn(directory, file)),
  ]);
  const declaring = [...texts].map(([file, text]) => (/\.(tf|tofu)$/.test(file) ? ownBlocks(text) : text)).join("\n");
  const imports = (declaring.match(/^(# )?import \{[^]*?^\1\}|importFrom\([^)]*\)/gm) ?? []).join("\n");
  return {
    has: (file) => isThere(path.join(directory, file)),
    text: (file) => texts.get(file),
    knows(id) {
      // A rule names keys without declaring them.
      const text = id.startsWith("key_") ? imports : declaring;
      return known.has(id) || [`"${id}"`, `"${id}:`, `\`${id}:`].some((written) => text.includes(written));
    },
    texts,
    names,
    locals,
    imported,
  };
}

/** Imports and resources of ours, as comments too. */
function ownBlocks(text: string): string {
  const blocks = text.match(/^(# )?(import|resource\s+"tenant_\w+"\s+"[\w-]+") \{[^]*?^\1\}/gm) ?? [];
  return [...blocks, ...(text.match(/^# .*"(acl|rlp|org)_.*$/gm) ?? [])].join("\n");
}

function filesIn(directory: string): string[] {
  const found: string[] = [];
  const enter = (below: string) => {
    for (const entry of readdirSync(path.join(directory, below), { withFileTypes: true })) {
      const file = path.posix.join(below, entry.name);
      if (entry.isDirectory() && !skipped.has(entry.name)) enter(file);
      if (entry.isFile()) found.push(file);
    }
  };
  enter("");
  return found;
}

/** NetworkAcl -> tenant_network_acl. */
function typeOf(construct: string): string {
  return `tenant${construct.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

function idsIn(directory: string, file: string): string[] {
  return statedIds(readFileSync(path.join(directory, file), "utf8"));
}

interface State {
  readonly resources?: readonly {
    readonly type: string;
    readonly instances: readonly {
      readonly attributes?: { readonly id?: string; readonly organization_id?: string };
    }[];
  }[];
}

/** The objects that a state holds; none where it cannot be read. */
export function statedIds(state: string): string[] {
  try {
    const { resources = [] } = JSON.parse(state) as State;
    return resources
      .filter(({ type }) => type.startsWith("tenant_"))
      .flatMap(({ instances }) =>
        instances.flatMap(({ attributes: { id, organization_id } = {} }) => id ?? organization_id ?? []),
      );
  } catch {
    return [];
  }
}
