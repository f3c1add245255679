/** Finds out what the directory already declares, so that adopt declares no object twice. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Kind } from "../kinds/kind";
import { readComments, readHcl, readJson, ownKind, type Configuration, type Declared } from "./configuration";
import type { FoundObject } from "./draft";
import { isThere } from "./files";

export interface Existing {
  /** Files of HCL and JSON, by name. */
  readonly texts: ReadonlyMap<string, string>;
  has(file: string): boolean;
  text(file: string): string | undefined;
  /** Whether a configuration or a state has the object. */
  declares(object: Pick<FoundObject, "kind" | "id" | "content">): boolean;
  /** Names of resources, by type. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of local values. */
  readonly locals: ReadonlySet<string>;
  /** Imports by id, with the place of each. */
  readonly imported: readonly { readonly kind: Kind; readonly id: string; readonly place: string }[];
  /** Texts of earlier notes on objects that are gone. */
  readonly goneNotes: readonly string[];
}

const skipped = new Set(["node_modules", "cdktf.out", ".terraform", "terraform.d", ".git"]);

/** `states`: texts of states that are stored elsewhere. */
export function readExisting(directory: string, states: readonly string[] = []): Existing {
  const files = existsSync(directory) ? filesIn(directory) : [];
  const textOf = (file: string) => readFileSync(path.join(directory, file), "utf8");
  const texts = new Map(
    files.filter((file) => /\.(tf|tofu)(\.json)?$/.test(file)).map((file) => [file, textOf(file)] as const),
  );
  const configurations: Configuration[] = [
    ...[...texts].map(([file, text]) => (file.endsWith(".json") ? readJson(text, file) : readHcl(text, file))),
    ...synthesizedIn(directory).map((text) => readJson(text)),
  ];
  const programs = files.filter((file) => /(?<!\.d)\.[cm]?[jt]s$/.test(file));
  const declared: Declared[] = [
    ...configurations.flatMap((one) => one.declared),
    ...programs.flatMap((file) => readComments(textOf(file))),
    ...[...states, ...files.filter((file) => /^[^/]*\.tfstate$/.test(file)).map(textOf)].flatMap(managedIn),
  ];
  const known = new Set(declared.map(({ kind, id }) => `${kind.type} ${id}`));
  const names = new Map<string, Set<string>>();
  for (const [type, name] of configurations.flatMap((one) => one.names)) {
    names.set(type, (names.get(type) ?? new Set()).add(name));
  }
  return {
    texts,
    has: (file) => isThere(path.join(directory, file)),
    text: (file) => (files.includes(file) ? textOf(file) : undefined),
    declares({ kind, id, content }) {
      const keys = [id, ...kind.uniqueKey.map((name) => `${name}:${String(content[name])}`)];
      return keys.some((key) => known.has(`${kind.type} ${key}`));
    },
    names,
    locals: new Set(configurations.flatMap((one) => one.locals)),
    imported: declared.flatMap(({ importedAt: place, kind, id }) => (place === undefined ? [] : [{ kind, id, place }])),
    goneNotes: files.filter((file) => /^gone(-\d+)?\.md$/.test(file)).map(textOf),
  };
}

/** The addresses that the programs of the directory declared in their last run. */
function synthesizedIn(directory: string): string[] {
  const stacks = path.join(directory, "cdktf.out/stacks");
  if (!existsSync(stacks)) return [];
  return readdirSync(stacks)
    .map((stack) => path.join(stacks, stack, "cdk.tf.json"))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"));
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
    readonly instances: readonly { readonly attributes?: Readonly<Record<string, unknown>> }[];
  }[];
}

/** The objects that a state manages; none if the text is not a state. */
function managedIn(state: string): Declared[] {
  try {
    const { resources = [] } = JSON.parse(state) as State;
    return resources.flatMap(({ type, instances }) => {
      const kind = ownKind(type);
      return instances.flatMap(({ attributes }) => {
        const id = kind && attributes?.[kind.identity.attribute];
        return kind && typeof id === "string" ? [{ kind, id }] : [];
      });
    });
  } catch {
    return [];
  }
}
