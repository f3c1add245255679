/** Splits HCL into tokens, so that text in comments, strings and heredocs never looks like a block, and walks through them. */
import { Unreadable } from "./block";

export interface Token {
  readonly kind: "name" | "text" | "sign" | "newline" | "end";
  /** A sign, a name, or the content of a string. */
  readonly text: string;
  readonly line: number;
  /** The text has a template or is a heredoc, so its value is not constant. */
  readonly isTemplate?: boolean;
  /** A string as written, with its quotes. */
  readonly source?: string;
}

const blank = /[ \t]+/y;
const newline = /\r?\n/y;
const comment = /(?:#|\/\/)[^\n]*/y;
const heredoc = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;
const name = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const number = /[\d.]+(?:[eE][+-]?\d+)?/y;
const plainText = /(?:[^"\\\n$%]+|\\[^\n]|\$\$\{|%%\{|[$%](?!\{))+/y;
const plainLine = /(?:[^\n$%]+|\$\$\{|%%\{|[$%](?!\{))+/y;

export function tokensOf(source: string): Token[] {
  return new Scanner(source.replace(/^\uFEFF/, "")).tokens();
}

class Scanner {
  private at = 0;
  private line = 1;

  constructor(private readonly source: string) {}

  tokens(): Token[] {
    const found = this.until(undefined);
    return [...found, { kind: "end", text: "", line: this.line }];
  }

  /** The tokens up to the brace that closes a template, or up to the end of the file. */
  private until(closing: "}" | undefined): Token[] {
    const found: Token[] = [];
    let depth = 0;
    while (this.at < this.source.length) {
      const token = this.next();
      if (!token) continue;
      if (token.text === "{" && token.kind === "sign") depth++;
      if (token.text === "}" && token.kind === "sign" && depth-- === 0 && closing) return found;
      found.push(token);
    }
    if (closing) throw new Unreadable("a template has no end");
    return found;
  }

  /** undefined: something without a meaning, such as a comment. */
  private next(): Token | undefined {
    const { line } = this;
    if (this.take(newline) !== undefined) return { kind: "newline", text: "\n", line };
    if ((this.take(blank) ?? this.take(comment)) !== undefined || this.skippedComment()) return undefined;
    const marker = this.match(heredoc)?.[1];
    if (marker !== undefined) return this.heredocUntil(marker, line);
    const word = this.take(name);
    if (word !== undefined) return { kind: "name", text: word, line };
    if (this.source[this.at] === '"') return this.string(line);
    return { kind: "sign", text: this.take(number) ?? this.source[this.at++]!, line };
  }

  private skippedComment(): boolean {
    if (!this.source.startsWith("/*", this.at)) return false;
    const end = this.source.indexOf("*/", this.at + 2);
    if (end < 0) throw new Unreadable("a comment has no end");
    this.advance(this.source.slice(this.at, end + 2));
    return true;
  }

  private string(line: number): Token {
    const start = this.at++;
    let text = "";
    let isTemplate = false;
    for (;;) {
      text += this.take(plainText) ?? "";
      const sign = this.source[this.at++];
      if (sign === '"') {
        return { kind: "text", text: unescaped(text), line, isTemplate, source: this.source.slice(start, this.at) };
      }
      if (sign !== "$" && sign !== "%") throw new Unreadable("a string has no end");
      isTemplate = true;
      this.template();
    }
  }

  /** A line with nothing but the marker ends the heredoc, unless a template is on that line. */
  private heredocUntil(marker: string, line: number): Token {
    let isWhole = true;
    while (this.at < this.source.length) {
      const text = this.take(plainLine) ?? "";
      const end = this.source[this.at];
      if (end === "\n") {
        // The newline after the marker ends the statement.
        if (isWhole && text.trim() === marker) return { kind: "text", text: "", line, isTemplate: true };
        this.at++;
        this.line++;
        isWhole = true;
      } else if (end !== undefined) {
        this.at++;
        this.template();
        isWhole = false;
      } else if (isWhole && text.trim() === marker) {
        return { kind: "text", text: "", line, isTemplate: true };
      }
    }
    throw new Unreadable("a heredoc has no end");
  }

  /** Skips `{…}` after the sign of a template. */
  private template(): void {
    this.at++;
    this.until("}");
  }

  private take(pattern: RegExp): string | undefined {
    return this.match(pattern)?.[0];
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (!found) return undefined;
    this.advance(found[0]);
    return found;
  }

  private advance(text: string): void {
    this.at += text.length;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) this.line++;
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

/** The words of HCL that are values. */
export const literalWords: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

/** How much deeper in brackets the next token is. */
export const depthOf = ({ kind, text }: Token): number =>
  kind !== "sign" ? 0 : opening.has(text) ? 1 : closing.has(text) ? -1 : 0;

/** Walks through the tokens of a file. */
export class TokenCursor {
  protected at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  /** The next token that is no line end. */
  protected next(): Token {
    this.skipNewlines();
    return this.take();
  }

  protected skipNewlines(): void {
    while (this.peek().kind === "newline") this.at++;
  }

  protected peek(): Token {
    return this.tokens[this.at] ?? this.tokens.at(-1)!;
  }

  protected take(): Token {
    const token = this.peek();
    this.at++;
    return token;
  }
}
