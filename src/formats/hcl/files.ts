/** Reads the configuration files of a folder, within limits: the folder may come from somebody else. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import path from "node:path";
import { readHcl } from "./hcl";
import { type Block, deepest, Unreadable, type Value } from "./tree";

export interface FileBlock extends Block {
  /** The path of its file. */
  readonly file: string;
  /** Terraform merges the block into one of another file. */
  readonly isOverride: boolean;
}

/** A file that a person writes is far smaller. Programs write JSON. */
const mostInHcl = 2 * 1024 * 1024;

/** How much is read for one plan, in about eight seconds at worst. */
const mostInAll = 8 * 1024 * 1024;

/** Reads each folder once. */
export class Files {
  private left = mostInAll;
  private readonly known = new Map<string, readonly FileBlock[]>();

  /** The blocks of all files that Terraform or OpenTofu may read. A file that cannot be read counts as empty. */
  blocksOf(folder: string): readonly FileBlock[] {
    const known = this.known.get(folder);
    if (known) return known;
    const found = namesIn(folder).flatMap((name) => this.blocksIn(path.join(folder, name)));
    this.known.set(folder, found);
    return found;
  }

  private blocksIn(file: string): FileBlock[] {
    const isJson = file.endsWith(".json");
    const bytes = readRegular(file, isJson ? this.left : Math.min(this.left, mostInHcl));
    if (!bytes) return [];
    this.left -= bytes.length;
    try {
      const text = bytes.toString("utf8");
      return blocksIn(text, file).map((block) => ({
        ...block,
        file,
        isOverride: isOverride(file),
      }));
    } catch {
      // A file of another form is not what Terraform planned.
      return [];
    }
  }
}

/** The blocks of a file, in JSON if its name says so. Throws `Unreadable`. */
export const blocksIn = (text: string, file: string): readonly Block[] =>
  file.endsWith(".json") ? readJson(text) : readHcl(text).blocks;

/** Terraform merges the blocks of such a file into those of other files. */
const isOverride = (file: string): boolean => /^(?:.*_)?override\.(?:tf|tofu)(?:\.json)?$/s.test(path.basename(file));

/** The names of the files that Terraform or OpenTofu may read. */
const configurationFiles = (names: readonly string[]): string[] =>
  names.filter((name) => /\.(?:tf|tofu)(?:\.json)?$/.test(name) && !name.startsWith(".")).toSorted();

function namesIn(folder: string): string[] {
  try {
    return configurationFiles(readdirSync(folder));
  } catch {
    return [];
  }
}

/** undefined: not a regular file, too large, or not readable. A pipe must not block the review. */
function readRegular(file: string, most: number): Buffer | undefined {
  let handle: number | undefined;
  try {
    // Windows has no O_NONBLOCK.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size > most) return undefined;
    const bytes = Buffer.alloc(stats.size);
    return bytes.subarray(0, readSync(handle, bytes));
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

// Reads a file in Terraform's JSON syntax, with its lines.

/** Block type -> how many labels it has. Other types are not read. */
const labelled: ReadonlyMap<string, number> = new Map([
  ["resource", 2],
  ["module", 1],
  ["provider", 1],
  ["terraform", 0],
  ["removed", 0],
  ["import", 0],
  ["locals", 0],
]);

/** The blocks of the file. Throws `Unreadable`. */
export function readJson(source: string): Block[] {
  return membersOf(parseJson(source)).flatMap(([type, value]) => {
    const count = labelled.get(type);
    return count === undefined ? [] : jsonBlocksIn(type, value, count, [], value.line);
  });
}

/** Terraform reads a list of objects like one object, and a list of bodies as several blocks. */
function jsonBlocksIn(type: string, node: Value, count: number, labels: readonly string[], line: number): Block[] {
  if (count > 0) {
    return membersOf(node).flatMap(([name, value]) =>
      jsonBlocksIn(type, value, count - 1, [...labels, name], value.line),
    );
  }
  return bodiesIn(node).map((body) => blockOf(type, labels, line, body));
}

const bodiesIn = (node: Value) => (node.kind === "list" ? node.items : [node]);

function blockOf(type: string, labels: readonly string[], line: number, body: Value): Block {
  const members = membersOf(body);
  const origin = originOf(body);
  const blocks = members.flatMap(([name, value]) => {
    if (name === "dynamic") return membersOf(value).map(([own, inner]) => blockOf(name, [own], inner.line, inner));
    const isBody =
      value.kind === "object" || (value.kind === "list" && value.items.some(({ kind }) => kind === "object"));
    return isBody ? bodiesIn(value).map((one) => blockOf(name, [], value.line, one)) : [];
  });
  return { type, labels, line, attributes: new Map(members), blocks, ...(origin !== undefined && { origin }) };
}

function membersOf(node: Value): [string, Value][] {
  const all = bodiesIn(node).flatMap((one) => (one.kind === "object" ? [...one.fields] : []));
  return all.filter(([name]) => name !== "//");
}

function originOf(body: Value): string | undefined {
  let found: Value | undefined = body;
  for (const name of ["//", "tenantform", "at"]) found = found?.kind === "object" ? found.fields.get(name) : undefined;
  return found?.kind === "constant" && typeof found.value === "string" ? found.value : undefined;
}

const space = /[ \t\r\n]+/y;
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A text with `$${` counts too, because its value is another one. */
const template = /[$%]\{/;

function parseJson(source: string): Value {
  const parser = new Parser(source.replace(/^\uFEFF/, ""));
  const node = parser.value();
  parser.end();
  return node;
}

class Parser {
  private at = 0;
  private line = 1;
  private depth = 0;

  constructor(private readonly source: string) {}

  value(): Value {
    const first = this.peek();
    const { line } = this;
    if (first === "{") return { kind: "object", line, fields: new Map(this.list("{", "}", () => this.member())) };
    if (first === "[") return { kind: "list", line, items: this.list("[", "]", () => this.value()) };
    if (first !== '"') return { kind: "constant", line, value: JSON.parse(this.literal()) as number | boolean | null };
    const text = this.string();
    return template.test(text) ? { kind: "expression", line, text } : { kind: "constant", line, value: text };
  }

  end(): void {
    if (this.peek() !== undefined) throw new Unreadable(this.line, "text after the end of the JSON.");
  }

  private member(): [string, Value] {
    this.peek();
    const { line } = this;
    const name = this.string();
    this.sign(":");
    return [name, { ...this.value(), line }];
  }

  private list<One>(first: string, last: string, one: () => One): One[] {
    this.sign(first);
    if (++this.depth > deepest) throw new Unreadable(this.line, `it is nested more than ${deepest} levels deep.`);
    const found: One[] = [];
    if (this.peek() !== last) {
      do found.push(one());
      while (this.peek() === "," && this.sign(","));
    }
    this.sign(last);
    this.depth--;
    return found;
  }

  /** Without a regular expression, because a string that never ends would make it slow. */
  private string(): string {
    const start = this.at;
    if (this.source[start] !== '"') throw new Unreadable(this.line, "a string must be here.");
    let end = this.source.indexOf('"', start + 1);
    while (end >= 0 && this.isEscaped(end)) end = this.source.indexOf('"', end + 1);
    if (end < 0) throw new Unreadable(this.line, "a string has no end.");
    this.at = end + 1;
    try {
      return JSON.parse(this.source.slice(start, this.at)) as string;
    } catch {
      throw new Unreadable(this.line, "a string has a character or an escape that JSON does not allow.");
    }
  }

  private isEscaped(at: number): boolean {
    let first = at;
    while (this.source[first - 1] === "\\") first--;
    return (at - first) % 2 === 1;
  }

  private sign(sign: string): true {
    if (this.peek() !== sign) throw new Unreadable(this.line, `${sign} must be here.`);
    this.at++;
    return true;
  }

  /** The next character that is no white space. */
  private peek(): string | undefined {
    space.lastIndex = this.at;
    const skipped = space.exec(this.source)?.[0] ?? "";
    this.at += skipped.length;
    for (let end = skipped.indexOf("\n"); end >= 0; end = skipped.indexOf("\n", end + 1)) this.line++;
    return this.source[this.at];
  }

  private literal(): string {
    literal.lastIndex = this.at;
    const found = literal.exec(this.source)?.[0];
    if (found === undefined) throw new Unreadable(this.line, "a value must be here.");
    this.at += found.length;
    return found;
  }
}
