/** Reads the resource blocks of an HCL file whose values are literals. */
import { quoted } from "../../../access/access";
import type { Values } from "../../../impact/model";
import { Unreadable } from "../../../review/places/block";
import { depthOf, isSign, literalWords, TokenCursor, tokensOf } from "../../../review/places/hcl-tokens";

export interface ResourceBlock {
  readonly type: string;
  readonly name: string;
  readonly line: number;
  /** A block is a list of its contents, because it may repeat. */
  readonly values: Values;
}

/** The resource blocks of these types. Other blocks of a configuration are skipped. Throws `Unreadable`. */
export function resourceBlocks(source: string, types: readonly string[]): ResourceBlock[] {
  return new Reader(tokensOf(source)).file(types);
}

const others: ReadonlySet<string> = new Set(
  "check data ephemeral import locals module moved output provider removed resource terraform variable".split(" "),
);
/** Arguments of every resource, which do not change the object. */
const ignored: ReadonlySet<string> = new Set(["depends_on", "lifecycle", "provider"]);
const deepest = 20;

class Reader extends TokenCursor {
  file(types: readonly string[]): ResourceBlock[] {
    const found: ResourceBlock[] = [];
    for (let token = this.next(); token.kind !== "end"; token = this.next()) {
      const { text: word, line } = token;
      if (token.kind !== "name" || !others.has(word)) {
        throw new Unreadable(
          `line ${line}: ${quoted(word)} is not known here. Write blocks such as \`resource "tenant_network_acl" "name" {\`.`,
        );
      }
      const [type = "", name = ""] = this.labels(line);
      if (word !== "resource" || !types.includes(type)) this.skip();
      else found.push({ type, name, line, values: this.body(line, 0, true) });
    }
    return found;
  }

  private labels(line: number): string[] {
    const labels: string[] = [];
    for (;;) {
      const token = this.take();
      if (isSign(token, "{")) return labels;
      if (token.kind !== "name" && token.kind !== "text")
        throw new Unreadable(`line ${line}: the block needs an opening brace on the same line.`);
      labels.push(token.text);
    }
  }

  private body(start: number, depth: number, isResource = false): Values {
    if (depth > deepest) throw new Unreadable(`line ${start}: the blocks are nested too deeply.`);
    const found = new Map<string, unknown>();
    for (let token = this.next(); !isSign(token, "}"); token = this.next()) {
      const { text: name, line } = token;
      if (token.kind === "end") throw new Unreadable(`line ${start}: the block needs a closing brace.`);
      if (token.kind !== "name" && token.kind !== "text")
        throw new Unreadable(`line ${line}: ${quoted(name)} is neither a block nor an attribute.`);
      if (isResource && ignored.has(name)) this.skipArgument();
      else if (isSign(this.peek(), "=") || isSign(this.peek(), ":")) {
        this.take();
        if (found.has(name)) throw new Unreadable(`line ${line}: ${name} is there twice. Remove one.`);
        found.set(name, this.value(name, depth));
        if (isSign(this.peek(), ",")) this.take();
      } else {
        if (this.labels(line).length > 0)
          throw new Unreadable(
            `line ${line}: ${quoted(name)} has a label. Write each block itself, without \`dynamic\`.`,
          );
        found.set(name, [...((found.get(name) ?? []) as unknown[]), this.body(line, depth + 1)]);
      }
    }
    return Object.fromEntries(found);
  }

  private value(name: string, depth: number): unknown {
    const token = this.take();
    const { line } = token;
    if (token.kind === "text" && !token.isTemplate) return token.text;
    if (isSign(token, "{")) return this.body(line, depth + 1);
    if (isSign(token, "[")) return this.list(name, line, depth);
    if (token.kind === "name" && Object.hasOwn(literalWords, token.text)) return literalWords[token.text];
    const isNegative = isSign(token, "-");
    const number = isNegative ? this.take() : token;
    if (number.kind === "sign" && /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number.text))
      return Number(number.text) * (isNegative ? -1 : 1);
    throw new Unreadable(
      `line ${line}: ${name} is an expression, and the playground evaluates none. Write the value itself, or paste a plan as JSON.`,
    );
  }

  private list(name: string, line: number, depth: number): unknown[] {
    const found: unknown[] = [];
    if (depth > deepest) throw new Unreadable(`line ${line}: the lists are nested too deeply.`);
    for (;;) {
      this.skipNewlines();
      if (isSign(this.peek(), "]")) break;
      found.push(this.value(name, depth + 1));
      this.skipNewlines();
      if (!isSign(this.peek(), ",")) break;
      this.take();
    }
    if (!isSign(this.take(), "]"))
      throw new Unreadable(
        `line ${line}: the list ${name} is not complete. Write commas between values, and end it with "]".`,
      );
    return found;
  }

  /** Skips the rest of an attribute or a block. */
  private skipArgument(): void {
    if (!isSign(this.peek(), "=")) {
      this.labels(this.peek().line);
      this.skip();
      return;
    }
    for (let depth = 0; ; this.at++) {
      const token = this.peek();
      if (token.kind === "end" || (depth === 0 && (token.kind === "newline" || isSign(token, "}")))) return;
      depth += depthOf(token);
    }
  }

  /** Skips to the end of a block whose brace is open. */
  private skip(): void {
    for (let depth = 1; depth > 0; this.at++) {
      const token = this.peek();
      if (token.kind === "end") throw new Unreadable(`line ${token.line}: a bracket has no end. Close it.`);
      depth += depthOf(token);
    }
  }
}
