/** Parses JSON and keeps the line of every member, which `JSON.parse` drops. */
import { Unreadable } from "./block";

export interface Node {
  readonly members?: readonly Member[];
  readonly items?: readonly Node[];
  readonly text?: string;
}

export interface Member {
  readonly key: string;
  /** From 1. */
  readonly line: number;
  readonly value: Node;
}

const space = /[ \t\r\n]+/y;
const literal = /[-+.\w]+/y;

export function parseJson(source: string): Node {
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
