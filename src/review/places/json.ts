/** Reads the blocks of a file in Terraform's JSON syntax, with their lines. */
import { type Block, Unreadable } from "./block";

/** Block type -> how many labels it has. */
const labelled: Readonly<Record<string, number>> = { resource: 2, module: 1, provider: 1, removed: 0 };

export function jsonBlocks(source: string): Block[] {
  return membersOf(parseJson(source)).flatMap(({ key: type, value, line }) => {
    const count = Object.hasOwn(labelled, type) ? labelled[type]! : undefined;
    return count === undefined ? [] : blocksIn(type, value, count, [], line);
  });
}

/** The blocks of a provider block whose expressions the review reads. */
const expectationParts: ReadonlySet<string> = new Set(["expectation", "request", "except", "policy", "members"]);

/** An attribute may have the name of a block. */
const isBody = ({ members, items = [] }: Node) =>
  members !== undefined || items.some((one) => one.members !== undefined);

/** Terraform reads a list of objects like one object, and a list of bodies as several blocks. */
function blocksIn(type: string, node: Node, count: number, labels: readonly string[], line: number): Block[] {
  if (count > 0) {
    return membersOf(node).flatMap((one) => blocksIn(type, one.value, count - 1, [...labels, one.key], one.line));
  }
  return (node.items ?? [node]).map((body) => blockOf(type, labels, line, body));
}

function blockOf(type: string, labels: readonly string[], line: number, body: Node): Block {
  const members = membersOf(body);
  const texts = members.flatMap(({ key, value }): [string, string][] =>
    value.text === undefined || /\$\{|%\{/.test(value.text) ? [] : [[key, value.text]],
  );
  const dynamic = members.filter(({ key }) => key === "dynamic").flatMap(({ value }) => membersOf(value));
  const inner = members.filter(({ key, value }) => expectationParts.has(key) && isBody(value));
  const origin = textAt(body, ["//", "tenantform", "at"]);
  return {
    type,
    labels,
    line,
    texts: new Map(texts),
    blocks: [
      ...dynamic.map(({ key, line: own, value }) => blockOf("dynamic", [key], own, value)),
      ...inner.flatMap(({ key, value, line: own }) =>
        (value.items ?? [value]).map((one) => blockOf(key, [], own, one)),
      ),
    ],
    ...(origin !== undefined && { origin }),
  };
}

function membersOf(node: Node): Member[] {
  const all = node.members ?? (node.items ?? []).flatMap(({ members = [] }) => members);
  return all.filter(({ key }) => key !== "//");
}

function textAt({ members = [], text }: Node, path: readonly string[]): string | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return text;
  const found = members.find(({ key }) => key === first);
  return found && textAt(found.value, rest);
}

interface Node {
  readonly members?: readonly Member[];
  readonly items?: readonly Node[];
  readonly text?: string;
}

interface Member {
  readonly key: string;
  /** From 1. */
  readonly line: number;
  readonly value: Node;
}

const space = /[ \t\r\n]+/y;
const literal = /[-+.\w]+/y;

function parseJson(source: string): Node {
  const parser = new Parser(source.replace(/^\uFEFF/, ""));
  const node = parser.value();
  parser.end();
  return node;
}

class Parser {
  private at = 0;
  private line = 1;

  constructor(private readonly source: string) {}

  value(): Node {
    switch (this.peek()) {
      case "{":
        return { members: this.list("{", "}", () => this.member()) };
      case "[":
        return { items: this.list("[", "]", () => this.value()) };
      case '"':
        return { text: this.string() };
      default:
        this.take(literal);
        return {};
    }
  }

  end(): void {
    if (this.peek() !== undefined) throw new Unreadable("text after the end of the JSON");
  }

  private member(): Member {
    this.peek();
    const { line } = this;
    const key = this.string();
    this.sign(":");
    return { key, line, value: this.value() };
  }

  private list<One>(first: string, last: string, one: () => One): One[] {
    this.sign(first);
    const found: One[] = [];
    if (this.peek() !== last) {
      do found.push(one());
      while (this.peek() === "," && this.sign(","));
    }
    this.sign(last);
    return found;
  }

  /** Without a regular expression, because a string that never ends would make it slow. */
  private string(): string {
    const start = this.at;
    if (this.source[start] !== '"') throw new Unreadable(`line ${this.line} has no string`);
    let end = this.source.indexOf('"', start + 1);
    while (end >= 0 && this.isEscaped(end)) end = this.source.indexOf('"', end + 1);
    if (end < 0) throw new Unreadable("a string has no end");
    this.at = end + 1;
    return JSON.parse(this.source.slice(start, this.at)) as string;
  }

  private isEscaped(at: number): boolean {
    let first = at;
    while (this.source[first - 1] === "\\") first--;
    return (at - first) % 2 === 1;
  }

  private sign(sign: string): true {
    if (this.peek() !== sign) throw new Unreadable(`line ${this.line} has no ${sign}`);
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

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    if (found === undefined) throw new Unreadable(`line ${this.line} is not JSON`);
    this.at += found.length;
    return found;
  }
}
