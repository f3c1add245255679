/** Finds out what the blocks of a configuration declare. */
import { commentsOf } from "../../formats/hcl/tokens";
import { textOf, type Block, type Value } from "../../formats/hcl/tree";
import { blocksIn } from "../../formats/hcl/files";
import type { Kind } from "../../judge/kinds/kind";
import { kindOf, kinds } from "../../judge/kinds/kinds";
import { terraformText } from "./escape";
import { source } from "../install/product";
import { UserError } from "../../formats/text/user-error";

/** An object that a configuration names. */
export interface Declared {
  readonly kind: Kind;
  /** An id, or another import key such as `priority:10`. */
  readonly id: string;
  /** Where the object is imported: a line or an address. Left out for a resource, and for a block in a comment. */
  readonly importedAt?: string;
}

export interface ConfigurationFile {
  readonly file: string;
  readonly blocks: readonly Block[];
  readonly declared: readonly Declared[];
}

/** A kind only if the type is this provider's. */
export function ownKind(type: string | undefined): Kind | undefined {
  const kind = kindOf(type ?? "");
  return kind?.type === type ? kind : undefined;
}

/** `isProgram`: a program wrote the file, so its users know only the addresses. Throws `Unreadable`. */
export function readConfiguration(text: string, file: string, isProgram = false): ConfigurationFile {
  const blocks = blocksIn(text, file);
  const isJson = file.endsWith(".json");
  const imports = blocks.flatMap((block) => {
    const found = importIn(block, isJson);
    if (!found) return [];
    const { kind, id, to, line } = found;
    return [{ kind, id, importedAt: isProgram ? to : `${file}:${line}` }];
  });
  const commented = isJson ? [] : commentsOf(text).flatMap(({ text: comment }) => importsInComment(comment));
  return { file, blocks, declared: [...imports, ...commented, ...blocks.flatMap((one) => identified(one, isJson))] };
}

interface Import {
  readonly kind: Kind;
  readonly id: string;
  readonly to: string;
  readonly line: number;
}

function importIn({ type, attributes }: Block, isJson: boolean): Import | undefined {
  if (type !== "import") return undefined;
  const to = textOf(attributes.get("to")) ?? addressIn(attributes.get("to"));
  // The address may be in a module.
  const kind = ownKind(/^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*(\w+)\./.exec(to)?.[1]);
  const identity = attributes.get("identity");
  const key = attributes.get("id") ?? (identity?.kind === "object" ? [...identity.fields.values()][0] : undefined);
  const id = key && idIn(key, isJson);
  if (!kind || !key || id === undefined) return undefined;
  return { kind, id: idOf(kind, id), to, line: key.line };
}

/** The id of a list may be followed by its entries. */
const idOf = ({ list }: Kind, id: string) => (list ? id.replace(/:.*$/s, "") : id);

/** An address with an index is an expression for the reader. */
const addressIn = (value: Value | undefined) => (value?.kind === "expression" ? value.text : "");

/** The constant beginning of a text. undefined: it has none. */
function idIn(value: Value, isJson: boolean): string | undefined {
  if (value.kind === "constant") return typeof value.value === "string" ? value.value : undefined;
  if (value.kind !== "expression") return undefined;
  return isJson ? terraformText(value.text) : /^"([^"$%\\]+)/.exec(value.text)?.[1];
}

/** adopt writes refused objects as comments, each line of code in a line of its own. */
const importsInComment = (comment: string): Declared[] =>
  [...comment.matchAll(/^\s*import \{\n\s*to = (\w+)\..*\n\s*id = "([^"$%\\]+)"/gm)].flatMap(([, type, id]) => {
    const kind = ownKind(type);
    return kind ? [{ kind, id: idOf(kind, id!) }] : [];
  });

/** A resource whose id people write: the organization of a member set. */
function identified({ type, labels: [name], attributes }: Block, isJson: boolean): Declared[] {
  const kind = type === "resource" ? ownKind(name) : undefined;
  const value = kind?.attributes.includes(kind.identity.attribute) && attributes.get(kind.identity.attribute);
  const id = value ? idIn(value, isJson) : undefined;
  return kind && id !== undefined ? [{ kind, id }] : [];
}

/** Imports in comments of a program, where adopt writes refused objects. A quoted string in a comment has its quotation marks escaped. */
export function readComments(program: string): Declared[] {
  return [...program.matchAll(/^\s*\/\/\s*(?:\}\)|\w+)\.importFrom\(["']((?:[\w.~-]|\$\{"e"\})+)/gm)].flatMap(
    ([, text = ""]) => {
      const id = terraformText(text);
      const kind = kinds.find(({ identity }) => id.startsWith(identity.prefix));
      return kind ? [{ kind, id }] : [];
    },
  );
}

/**
 * Whether the files of one folder have this provider, or a list of providers that lacks it. undefined: neither. Throws an UserError if the
 * local name of the provider differs, or is that of another one.
 */
export function providerIn(blocks: readonly Block[]): "declared" | "required" | undefined {
  const required = blocks
    .filter(({ type }) => type === "terraform")
    .flatMap((one) => one.blocks.filter(({ type }) => type === "required_providers"));
  const sources = required
    .flatMap(({ attributes }) => [...attributes])
    .flatMap(([name, one]) => {
      const of = one.kind === "object" ? textOf(one.fields.get("source")) : undefined;
      return of === undefined ? [] : [{ name, of, isOurs: of.endsWith("tenantform/tenant") }];
    });
  const other = sources.find(({ name, isOurs }) => isOurs !== (name === "tenant"));
  if (other)
    throw new UserError(
      `The configuration calls the provider ${JSON.stringify(other.of)} ${JSON.stringify(other.name)}, and adopt writes resources of ` +
        `${source} under the name "tenant": give ${other.isOurs ? "it that name" : "that provider another name"}, or name another folder. ` +
        "Nothing was written.",
    );
  const isDeclared =
    blocks.some(({ type, labels: [name] }) => type === "provider" && name === "tenant") ||
    sources.some(({ isOurs }) => isOurs);
  return isDeclared ? "declared" : required.length > 0 ? "required" : undefined;
}
