/** Reads HCL: blocks, attributes and the values that are written out. */
import { depthOf, isSign, Scanner, type Token } from "./tokens";
import { deepest, Unreadable, type Block, type Body, type Value } from "./tree";

/** Throws `Unreadable`. */
export const readHcl = (source: string): Body => new Reader(source).body(undefined);

/** The values that are words. */
const words: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const number = /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads from the first token to the last one, without going back. */
class Reader {
  private readonly scanner: Scanner;
  private peeked: Token | undefined;
  /** Brackets that are open. */
  private open = 0;
  /** Blocks, lists and objects that are open. */
  private depth = 0;
  /** The end of the last token that is no line end. */
  private last = 0;

  constructor(private readonly source: string) {
    this.scanner = new Scanner(source);
  }

  /** Up to the end of a block, or of the file. */
  body(block: Token | undefined): Body {
    const attributes = new Map<string, Value>();
    const blocks: Block[] = [];
    for (let token = this.next(); ; token = this.next()) {
      const isEnd = block ? isSign(token, "}") : token.kind === "end";
      if (isEnd) return { attributes, blocks };
      if (token.kind === "end")
        throw new Unreadable(block!.line, `the block "${block!.text}" has no end. Write a closing brace.`);
      if (token.kind !== "name") throw new Unreadable(token.line, "a block or an attribute must be here.");
      if (!isSign(this.peek(), "=")) {
        blocks.push(this.block(token));
        continue;
      }
      this.take();
      if (attributes.has(token.text)) throw new Unreadable(token.line, `${token.text} is there twice. Remove one.`);
      attributes.set(token.text, this.value("newline"));
    }
  }

  private block(type: Token): Block {
    const labels: string[] = [];
    for (;;) {
      const token = this.take();
      if (isSign(token, "{")) break;
      if ((token.kind !== "name" && token.kind !== "text") || token.isTemplate)
        throw new Unreadable(
          type.line,
          `"${type.text}" needs "=" and a value, or an opening brace of a block on the same line.`,
        );
      labels.push(token.text);
    }
    const body = this.deeper(type, () => this.body(type));
    return { type: type.text, labels, line: type.line, ...body };
  }

  /** A newline ends a value, except in a list. */
  private value(end: "newline" | "list"): Value {
    const { line, start } = this.peek();
    if (this.isEnd()) throw new Unreadable(line, "a value must be here.");
    const { open } = this;
    const found = this.literal();
    if (end === "list" && this.open === open) this.skipNewlines();
    if (found && this.isEnd()) return found;
    while (this.open > open || !this.isEnd()) {
      if (this.peek().kind === "end") throw new Unreadable(line, "a bracket has no end. Close it.");
      this.take();
      if (end === "list" && this.open === open) this.skipNewlines();
    }
    const text = this.source.slice(start, this.last).replace(/\s*\n\s*/g, " ");
    return { kind: "expression", line, text };
  }

  private isEnd(): boolean {
    const token = this.peek();
    return token.kind === "newline" || token.kind === "end" || isSign(token, ",") || depthOf(token) < 0;
  }

  /** undefined: an expression. */
  private literal(): Value | undefined {
    const token = this.take();
    const { kind, text, line } = token;
    if (kind === "text" && !token.isTemplate) return { kind: "constant", line, value: text };
    if (isSign(token, "[")) return this.deeper(token, () => this.list(line));
    if (isSign(token, "{")) return this.deeper(token, () => this.object(line));
    if (kind === "name") {
      const value = words.get(text);
      return value === undefined ? undefined : { kind: "constant", line, value };
    }
    const isNegative = isSign(token, "-");
    const digits = isNegative ? this.peek() : token;
    if (digits.kind !== "sign" || !number.test(digits.text)) return undefined;
    if (isNegative) this.take();
    return { kind: "constant", line, value: Number(digits.text) * (isNegative ? -1 : 1) };
  }

  private list(line: number): Value | undefined {
    const items: Value[] = [];
    for (;;) {
      this.skipNewlines();
      if (isSign(this.peek(), "]")) break;
      if (this.peek().text === "for" && this.peek().kind === "name") return undefined;
      items.push(this.value("list"));
      if (!isSign(this.peek(), ",")) break;
      this.take();
    }
    return isSign(this.take(), "]") ? { kind: "list", line, items } : undefined;
  }

  /** undefined: a key is an expression, or a `for` makes the object. */
  private object(line: number): Value | undefined {
    const fields = new Map<string, Value>();
    for (let token = this.next(); !isSign(token, "}"); token = this.next()) {
      const isKey = token.kind === "name" || (token.kind === "text" && !token.isTemplate);
      if (!isKey) return undefined;
      const sign = this.take();
      if (!(isSign(sign, "=") || isSign(sign, ":"))) return undefined;
      fields.set(token.text, this.value("newline"));
      if (isSign(this.peek(), ",")) this.take();
    }
    return { kind: "object", line, fields };
  }

  private deeper<Found>({ line }: Token, read: () => Found): Found {
    if (++this.depth > deepest) throw new Unreadable(line, `it is nested more than ${deepest} levels deep.`);
    const found = read();
    this.depth--;
    return found;
  }

  /** The next token that is no line end. */
  private next(): Token {
    this.skipNewlines();
    return this.take();
  }

  private skipNewlines(): void {
    while (this.peek().kind === "newline") this.take();
  }

  private peek(): Token {
    return (this.peeked ??= this.scanner.token());
  }

  private take(): Token {
    const token = this.peek();
    this.peeked = undefined;
    this.open += depthOf(token);
    if (token.kind !== "newline") this.last = token.end;
    return token;
  }
}
