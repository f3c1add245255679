/** Reads what a configuration declares: JSON exactly, HCL as far as names, import blocks and identities. */
import type { Kind } from "../kinds/kind";
import { kindOf, kinds } from "../kinds/kinds";
import { terraformText } from "./quoted";
import { isFields } from "./state";

/** An object that a configuration names. */
export interface Declared {
  readonly kind: Kind;
  /** An id, or another import key such as `priority:10`. */
  readonly id: string;
  /** Where the object is imported: a line or an address. Left out for a resource, and for a block in a comment. */
  readonly importedAt?: string;
}

export interface Configuration {
  readonly declared: readonly Declared[];
  /** Types and names of resources. */
  readonly names: readonly (readonly [type: string, name: string])[];
  /** Names of local values. */
  readonly locals: readonly string[];
}

/** A kind only if the type is this provider's. */
export function ownKind(type: string): Kind | undefined {
  const kind = kindOf(type);
  return kind?.type === type ? kind : undefined;
}

/** The kind of an address, which may be in a module. */
const kindAt = (address: string) => ownKind(/^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*(\w+)\./.exec(address)?.[1] ?? "");

/** The attribute with the id, if people write it: the organization of a member set. */
const writtenIdentity = ({ identity: { attribute }, attributes }: Kind) =>
  attributes.includes(attribute) ? attribute : undefined;

/** The import id of a list may name entries after the id. */
const bareId = ({ list }: Kind, id: string) => (list ? id.replace(/:.*$/s, "") : id);

/**
 * Blocks of HCL, also blocks in comments, because adopt writes refused objects as comments. Each pattern starts at a line, and no
 * quoted string contains a line end, so a description cannot imitate a block.
 */
const importBlock = /^([ \t]*(?:# ?)?)import[ \t]*\{[ \t]*\n([^]*?)^\1\}/gm;
const resourceBlock = /^([ \t]*)resource[ \t]+"(\w+)"[ \t]+"([\w-]+)"[ \t]*\{([^]*?)^\1\}/gm;

export function readHcl(text: string, file: string): Configuration {
  const imports = [...text.matchAll(importBlock)].flatMap(({ 0: block, 1: indent = "", 2: body = "", index }) => {
    const kind = kindAt(/^[\s#]*to\s*=\s*(.*)/m.exec(body)?.[1] ?? "");
    const found = /^[\s#]*(?:id|organization_id)\s*=\s*"([^"$]+)/m.exec(body);
    if (!kind || !found) return [];
    const before = index + block.indexOf(found[0]) + found[0].length;
    const importedAt = `${file}:${text.slice(0, before).split("\n").length}`;
    return [{ kind, id: bareId(kind, found[1]!), ...(!indent.includes("#") && { importedAt }) }];
  });
  const resources = [...text.matchAll(resourceBlock)];
  const identified = resources.flatMap(([, , type = "", , body = ""]) => {
    const kind = ownKind(type);
    const attribute = kind && writtenIdentity(kind);
    const id = attribute && new RegExp(`^\\s*${attribute}\\s*=\\s*"([^"$]+)`, "m").exec(body)?.[1];
    return kind && id !== undefined ? [{ kind, id }] : [];
  });
  return {
    declared: [...imports, ...identified],
    names: resources.map(([, , type = "", name = ""]) => [type, name]),
    locals: [...text.matchAll(/^\s+(\w+)\s+= /gm)].map(([, name = ""]) => name),
  };
}

interface JsonConfiguration {
  readonly resource?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly import?: ImportEntry | readonly ImportEntry[];
  readonly locals?: object;
}

interface ImportEntry {
  readonly to?: unknown;
  readonly id?: unknown;
  readonly identity?: Readonly<Record<string, unknown>>;
}

/** Leave out `file` for JSON that a program wrote, because its users know only the addresses. */
export function readJson(text: string, file?: string): Configuration {
  const { resource = {}, import: entries = [], locals = {} } = parsed(text);
  const lines = text.split("\n");
  const imports = [entries].flat().flatMap(({ to, id: importId, identity }) => {
    const kind = kindAt(String(to));
    const key = importId ?? Object.values(identity ?? {})[0];
    if (!kind || typeof key !== "string") return [];
    const line = lines.findIndex((one) => one.includes(JSON.stringify(key))) + 1;
    const id = bareId(kind, terraformText(key));
    return [{ kind, id, importedAt: file === undefined ? String(to) : `${file}:${line}` }];
  });
  const resources = Object.entries(resource).flatMap(([type, named]) =>
    Object.entries(named).map(([name, body]) => ({ type, name, body })),
  );
  const identified = resources.flatMap(({ type, body }) => {
    const kind = ownKind(type);
    const attribute = kind && writtenIdentity(kind);
    const id = attribute && isFields(body) && body[attribute];
    return kind && typeof id === "string" ? [{ kind, id: terraformText(id) }] : [];
  });
  return {
    declared: [...imports, ...identified],
    names: resources.map(({ type, name }) => [type, name] as const),
    locals: Object.keys(locals),
  };
}

function parsed(text: string): JsonConfiguration {
  try {
    const read: unknown = JSON.parse(text);
    return isFields(read) ? read : {};
  } catch {
    return {};
  }
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
