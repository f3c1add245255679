/** Reads a file in Terraform's JSON syntax, with its lines. */
import { deepest, Unreadable, type Block, type Value } from "./tree";

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
    return count === undefined ? [] : blocksIn(type, value, count, [], value.line);
  });
}

/** Terraform reads a list of objects like one object, and a list of bodies as several blocks. */
function blocksIn(type: string, node: Value, count: number, labels: readonly string[], line: number): Block[] {
  if (count > 0) {
    return membersOf(node).flatMap(([name, value]) => blocksIn(type, value, count - 1, [...labels, name], value.line));
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
