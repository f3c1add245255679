/** What is in the directory already: what it declares, so that nothing is declared twice, and what of that is gone. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { readerFor } from "./configuration";
import { isThere } from "./files";

export interface Present {
  /** By name, of those that are of a configuration. */
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
  /** What was noted before as gone. */
  readonly noted: readonly string[];
}

export interface Imported {
  /** Of the resource. */
  readonly type: string;
  readonly id: string;
  /** `network_acls.tf:12`. */
  readonly place: string;
}

const skipped = new Set(["node_modules", "cdktf.out", ".terraform", "terraform.d", ".git"]);

/** `stated`: ids that a state elsewhere holds. */
export function present(directory: string, stated: Iterable<string> = []): Present {
  const files = existsSync(directory) ? filesIn(directory) : [];
  const textOf = (file: string) => readFileSync(path.join(directory, file), "utf8");
  const stem = (file: string) => path.posix.parse(file).name;
  const sources = new Set(files.filter((file) => /\.[cm]?ts$/.test(file)).map(stem));
  // Perhaps long ago, and it may stand in another folder.
  const isCompiled = (file: string) => /\.[cm]?js$/.test(file) && sources.has(stem(file));
  const texts = new Map<string, string>();
  const names = new Map<string, Set<string>>();
  const locals = new Set<string>();
  const imported: Imported[] = [];
  const declaring: string[] = [];
  const importing: string[] = [];
  for (const file of files) {
    const read = readerFor(file);
    if (!read || isCompiled(file)) continue;
    const text = textOf(file);
    texts.set(file, text);
    const reading = read(text);
    for (const [type, name] of reading.names) names.set(type, (names.get(type) ?? new Set()).add(name));
    for (const name of reading.locals) locals.add(name);
    for (const { line, ...one } of reading.imports) imported.push({ ...one, place: `${file}:${line}` });
    declaring.push(reading.declaring);
    importing.push(reading.importing);
  }
  const known = new Set([
    ...stated,
    ...files.filter((file) => /^[^/]*\.tfstate$/.test(file)).flatMap((file) => statedIds(textOf(file))),
  ]);
  const all = declaring.join("\n");
  const ofKeys = importing.join("\n");
  return {
    has: (file) => isThere(path.join(directory, file)),
    text: (file) => texts.get(file),
    knows(id) {
      const text = id.startsWith("key_") ? ofKeys : all;
      const written = [`"${id}"`, `"${id}:`, `\`${id}:`, `'${id}'`, `'${id}:`];
      return known.has(id) || written.some((one) => text.includes(one));
    },
    noted: files.filter((file) => /^gone(-\d+)?\.md$/.test(file)).map(textOf),
    texts,
    names,
    locals,
    imported,
  };
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
