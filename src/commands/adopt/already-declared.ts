/** Finds out what the directory already declares, so that adopt declares no object twice. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Kind } from "../../judge/kinds/kind";
import { Unreadable } from "../../formats/hcl/tree";
import { readComments, readConfiguration, ownKind, type ConfigurationFile, type Declared } from "./configuration";
import { isOfOrganization, type FoundObject } from "./to-declaration";
import { UserError } from "../../formats/text/user-error";
import { isThere } from "./files";
import { kinds } from "../../judge/kinds/kinds";
import { instancesIn } from "./state";
import type { Survey, Wanted } from "./read-tenant";

export interface Existing {
  /** Files of HCL and JSON. */
  readonly configurations: readonly ConfigurationFile[];
  has(file: string): boolean;
  text(file: string): string | undefined;
  /** Whether a configuration or a state has the object. */
  declares(object: Pick<FoundObject, "kind" | "id" | "content">): boolean;
  /** Names of resources, by type. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** Imports by id, with the place of each. */
  readonly imported: readonly { readonly kind: Kind; readonly id: string; readonly place: string }[];
}

const skipped = new Set(["node_modules", "cdktf.out", ".terraform", "terraform.d", ".git"]);

/** `states`: texts of states that are stored elsewhere. Throws an UserError for a configuration that Terraform cannot read either. */
export function readExisting(directory: string, states: readonly string[] = []): Existing {
  const files = existsSync(directory) ? filesIn(directory) : [];
  const textOf = (file: string) => readFileSync(path.join(directory, file), "utf8");
  const configurations = files
    .filter((file) => /\.(tf|tofu)(\.json)?$/.test(file))
    .map((file) => configurationAt(directory, file));
  const all = [
    ...configurations,
    ...stacksIn(directory).map((stack) => configurationAt(directory, `${stack}/cdk.tf.json`, true)),
  ];
  const programs = files.filter((file) => /(?<!\.d)\.[cm]?[jt]s$/.test(file));
  const declared: Declared[] = [
    ...all.flatMap((one) => one.declared),
    ...programs.flatMap((file) => readComments(textOf(file))),
    ...[...states, ...files.filter((file) => /^[^/]*\.tfstate$/.test(file)).map(textOf)].flatMap(managedIn),
  ];
  const known = new Set(declared.map(({ kind, id }) => `${kind.type} ${id}`));
  const names = new Map<string, Set<string>>();
  const blocks = all.flatMap((one) => one.blocks);
  for (const {
    type,
    labels: [own = "", name = ""],
  } of blocks) {
    if (type === "resource") names.set(own, (names.get(own) ?? new Set()).add(name));
  }
  return {
    configurations,
    has: (file) => isThere(path.join(directory, file)),
    text: (file) => (files.includes(file) ? textOf(file) : undefined),
    declares({ kind, id, content }) {
      const keys = [id, ...kind.uniqueKey.map((name) => `${name}:${String(content[name])}`)];
      return keys.some((key) => known.has(`${kind.type} ${key}`));
    },
    names,
    imported: declared.flatMap(({ importedAt: place, kind, id }) => (place === undefined ? [] : [{ kind, id, place }])),
  };
}

function configurationAt(directory: string, file: string, isProgram = false): ConfigurationFile {
  try {
    return readConfiguration(readFileSync(path.join(directory, file), "utf8"), file, isProgram);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new UserError(
      `${file} cannot be read, so its declarations are not known (${error.message.replace(/\.$/, "")}). Correct it and run adopt again. ` +
        "Nothing was written.",
    );
  }
}

/** The folders of the stacks that the programs of the directory declared in their last run. */
export function stacksIn(directory: string): string[] {
  const stacks = "cdktf.out/stacks";
  if (!existsSync(path.join(directory, stacks))) return [];
  return readdirSync(path.join(directory, stacks))
    .map((stack) => path.posix.join(stacks, stack))
    .filter((stack) => existsSync(path.join(directory, stack, "cdk.tf.json")));
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

/** The objects that a state manages; none if the text is not a state. */
function managedIn(state: string): Declared[] {
  try {
    return instancesIn(
      state,
      "state",
      kinds.map(({ type }) => type),
    ).flatMap(({ type, attributes }) => {
      const kind = ownKind(type)!;
      const id = attributes[kind.identity.attribute];
      return typeof id === "string" ? [{ kind, id }] : [];
    });
  } catch {
    return [];
  }
}

/** A line for each object that the directory imports, and the tenant no longer has. */
export function goneFrom(
  { imported }: Existing,
  { read, ids }: Pick<Survey, "read" | "ids">,
  { organizations }: Pick<Wanted, "organizations">,
): string[] {
  const lost = imported.filter(({ kind, id }) => {
    if (!read.has(kind) || !id.startsWith(kind.identity.prefix) || ids.has(id)) return false;
    return !isOfOrganization(kind) || organizations.length === 0 || organizations.includes(id);
  });
  const remedy = "Remove its declaration together with the import, or only the import to create it again";
  return lost.map(({ id, place }) => `${place}: ${id} is gone from the tenant. ${remedy}.`);
}
