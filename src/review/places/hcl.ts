/** Reads the blocks of an HCL file, with their lines. */
import { Unreadable, type Block } from "./block";
import { depthOf, isSign, type Token, TokenCursor, tokensOf } from "./hcl-tokens";

export function hclBlocks(source: string): Block[] {
  const reader = new Reader(tokensOf(source));
  return reader.body("end").blocks;
}

interface Body {
  readonly texts: Map<string, string>;
  readonly blocks: Block[];
}

class Reader extends TokenCursor {
  /** The attributes and blocks up to the end of a block or of the file. */
  body(end: "}" | "end"): Body {
    const body: Body = { texts: new Map(), blocks: [] };
    for (;;) {
      const token = this.take();
      if (token.kind === "newline") continue;
      if (token.kind === "end" && end === "end") return body;
      if (isSign(token, "}") && end === "}") return body;
      if (token.kind !== "name") throw new Unreadable(`line ${token.line} is neither a block nor an attribute`);
      if (isSign(this.peek(), "=")) this.attribute(token.text, body);
      else body.blocks.push(this.block(token));
    }
  }

  private block({ text: type, line }: Token): Block {
    const labels: string[] = [];
    for (;;) {
      const token = this.take();
      if (isSign(token, "{")) return { type, labels, line, ...this.body("}") };
      if (token.kind !== "name" && token.kind !== "text") throw new Unreadable(`the block in line ${line} has no body`);
      labels.push(token.text);
    }
  }

  private attribute(name: string, { texts }: Body): void {
    this.take();
    const value = this.expression();
    const [only, ...others] = value;
    if (only?.kind === "text" && !only.isTemplate && others.length === 0) texts.set(name, only.text);
    // An address, such as that of a `removed` block.
    else if (value.every((token) => token.kind === "name" || isSign(token, ".")))
      texts.set(name, value.map(({ text }) => text).join(""));
  }

  /** The tokens of an expression: a newline ends it, except inside brackets. */
  private expression(): Token[] {
    const found: Token[] = [];
    let depth = 0;
    for (;;) {
      const token = this.peek();
      if (token.kind === "end") {
        if (depth > 0) throw new Unreadable("a bracket has no end");
        return found;
      }
      if (depth === 0 && (token.kind === "newline" || isSign(token, "}"))) return found;
      depth += depthOf(token);
      found.push(this.take());
    }
  }
}
