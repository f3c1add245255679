/** Walks through the tokens of an HCL file. */
import type { Token } from "./hcl-tokens";

const opening: ReadonlySet<string> = new Set(["{", "[", "("]);
const closing: ReadonlySet<string> = new Set(["}", "]", ")"]);

export const isSign = ({ kind, text }: Token, sign: string): boolean => kind === "sign" && text === sign;

/** The words of HCL that are values. */
export const literalWords: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

/** How much deeper in brackets the next token is. */
export const depthOf = ({ kind, text }: Token): number =>
  kind !== "sign" ? 0 : opening.has(text) ? 1 : closing.has(text) ? -1 : 0;

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
