/** Splits HCL into tokens, so that text in comments, strings and heredocs never looks like a block. */
import { deepest, Unreadable } from "./tree";

export interface Token {
  readonly kind: "name" | "text" | "sign" | "newline" | "end";
  /** A sign, a name, or the content of a string. */
  readonly text: string;
  readonly line: number;
  /** Its place in the source. */
  readonly start: number;
  readonly end: number;
  /** The text has a template or is a heredoc, so its value is not constant. */
  readonly isTemplate: boolean;
}

const blank = /[ \t]+/y;
const comment = /(?:#|\/\/)([^\n]*)/y;
const heredoc = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;
const name = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const number = /[\d.]+(?:[eE][+-]?\d+)?/y;
const plainText = /(?:[^"\\\n$%]+|\\[^\n]|\$\$\{|%%\{|[$%](?!\{))+/y;
const plainLine = /(?:[^\n$%]+|\$\$\{|%%\{|[$%](?!\{))+/y;

interface Comment {
  readonly line: number;
  readonly text: string;
}

/** The texts of adjoining line comments, without the signs, and the line of the first. Throws `Unreadable`. */
export function commentsOf(source: string): Comment[] {
  const scanner = new Scanner(source);
  while (scanner.token().kind !== "end");
  return scanner.comments.map(({ line, lines }) => ({ line, text: lines.join("\n") }));
}

/** Returns one token after the other, and then always the end. */
export class Scanner {
  readonly comments: { readonly line: number; readonly lines: string[] }[] = [];
  private at = 0;
  private line = 1;
  private depth = 0;

  constructor(private readonly source: string) {
    if (source.startsWith("\uFEFF")) this.at = 1;
  }

  token(): Token {
    for (;;) {
      const { line, at: start, source } = this;
      const sign = source[start];
      switch (sign) {
        case undefined:
          return this.of("end", "", start, line);
        case " ":
        case "\t":
          this.take(blank);
          continue;
        case "\r":
        case "\n":
          if (sign === "\r" && source[start + 1] !== "\n") break;
          this.at += sign === "\r" ? 2 : 1;
          this.line++;
          return this.of("newline", "\n", start, line);
        case '"': {
          const text = this.string();
          return this.of("text", text ?? "", start, line, text === undefined);
        }
        case "#":
        case "/":
          if (this.lineComment() || this.longComment()) continue;
          break;
        case "<": {
          const marker = this.match(heredoc)?.[1];
          if (marker === undefined) break;
          this.line++;
          this.heredocUntil(marker, line);
          return this.of("text", "", start, line, true);
        }
      }
      const word = this.take(name);
      return word === undefined
        ? this.of("sign", this.take(number) ?? source[this.at++]!, start, line)
        : this.of("name", word, start, line);
    }
  }

  private of(kind: Token["kind"], text: string, start: number, line: number, isTemplate = false): Token {
    return { kind, text, line, start, end: this.at, isTemplate };
  }

  private lineComment(): boolean {
    const text = this.match(comment)?.[1];
    if (text === undefined) return false;
    const last = this.comments.at(-1);
    const own = text.replace(/\r$/, "");
    if (last && last.line + last.lines.length === this.line) last.lines.push(own);
    else this.comments.push({ line: this.line, lines: [own] });
    return true;
  }

  private longComment(): boolean {
    if (!this.source.startsWith("/*", this.at)) return false;
    const end = this.source.indexOf("*/", this.at + 2);
    if (end < 0) throw new Unreadable(this.line, "a comment has no end. Write */ after it.");
    for (let at = this.source.indexOf("\n", this.at); at >= 0 && at < end; at = this.source.indexOf("\n", at + 1))
      this.line++;
    this.at = end + 2;
    return true;
  }

  /** undefined: it has a template. */
  private string(): string | undefined {
    const { line } = this;
    this.at++;
    const parts: string[] = [];
    let isTemplate = false;
    for (;;) {
      parts.push(this.take(plainText) ?? "");
      const sign = this.source[this.at++];
      if (sign === '"') return isTemplate ? undefined : unescaped(parts.join(""));
      if (sign !== "$" && sign !== "%") throw new Unreadable(line, "a string has no end. Write a quotation mark.");
      isTemplate = true;
      this.template();
    }
  }

  /** A line with nothing but the marker ends the heredoc, unless a template is on that line. */
  private heredocUntil(marker: string, line: number): void {
    let isWhole = true;
    while (this.at < this.source.length) {
      const text = this.take(plainLine) ?? "";
      const end = this.source[this.at];
      // The newline after the marker ends the statement.
      if (isWhole && (end === "\n" || end === undefined) && text.trim() === marker) return;
      if (end === "\n") {
        this.at++;
        this.line++;
        isWhole = true;
      } else if (end !== undefined) {
        this.at++;
        this.template();
        isWhole = false;
      }
    }
    throw new Unreadable(line, `a heredoc has no end. Write a line with ${marker}.`);
  }

  /** Skips `{…}` after the sign of a template. */
  private template(): void {
    const { line } = this;
    if (++this.depth > deepest) throw new Unreadable(line, `it is nested more than ${deepest} levels deep.`);
    this.at++;
    for (let open = 1; open > 0;) {
      const { kind, text } = this.token();
      if (kind === "end") throw new Unreadable(line, "a template has no end. Write a closing brace.");
      if (kind === "sign") open += text === "{" ? 1 : text === "}" ? -1 : 0;
    }
    this.depth--;
  }

  private take(pattern: RegExp): string | undefined {
    return this.match(pattern)?.[0];
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (!found) return undefined;
    this.at = pattern.lastIndex;
    return found;
  }
}

const escapes = /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))|([$%])\4\{/g;

const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unescaped(text: string): string {
  return text.replace(escapes, (whole, short?: string, long?: string, sign?: string, template?: string) => {
    if (template !== undefined) return `${template}{`;
    const code = short ?? long;
    if (code === undefined) return controls[sign!] ?? sign!;
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

const opening: ReadonlySet<string> = new Set(["{", "[", "("]);
const closing: ReadonlySet<string> = new Set(["}", "]", ")"]);

export const isSign = ({ kind, text }: Token, sign: string): boolean => kind === "sign" && text === sign;

/** How much deeper in brackets the next token is. */
export const depthOf = ({ kind, text }: Token): number =>
  kind !== "sign" ? 0 : opening.has(text) ? 1 : closing.has(text) ? -1 : 0;
