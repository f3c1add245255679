/** Reads the resources of HCL files whose values are literals, as `tenantform adopt` writes them. */
import { notKnown } from "../access/access";
import type { Values } from "../impact/model";
import { kindOf } from "../kinds/kinds";
import { tokensOf, type Token } from "../review/places/hcl-tokens";
import { depthOf, isSign, literalWords, TokenCursor } from "../review/places/token-cursor";
import { Unreadable } from "../review/places/block";

export interface HclResource {
  readonly type: string;
  readonly address: string;
  /** A value that is no literal is a symbol. */
  readonly values: Values;
}

/** All resources, also those of kinds that this version does not know. Throws `Unreadable`. */
export function resourcesIn(source: string): HclResource[] {
  const reader = new Reader(tokensOf(source));
  return reader.file();
}

class Reader extends TokenCursor {
  private address = "";

  file(): HclResource[] {
    const found: HclResource[] = [];
    for (let token = this.next(); token.kind !== "end"; token = this.next()) {
      const labels = this.labels(token);
      const [type = "", name = ""] = labels;
      if (token.text !== "resource" || !kindOf(type)) {
        this.skip("}");
        if (token.text === "resource") found.push({ type, address: `${type}.${name}`, values: {} });
        if (token.text === "module") found.push({ type: "module", address: `module.${type}`, values: {} });
        continue;
      }
      this.address = `${type}.${name}`;
      found.push({ type, address: this.address, values: this.block() });
    }
    return found;
  }

  private labels({ kind, line }: Token): string[] {
    const labels: string[] = [];
    for (;;) {
      const token = this.take();
      if (kind === "name" && isSign(token, "{")) return labels;
      if (kind !== "name" || (token.kind !== "name" && token.kind !== "text"))
        throw new Unreadable(`line ${line}: a block must be here.`);
      labels.push(token.text);
    }
  }

  private block(): Values {
    const found: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (let token = this.next(); !isSign(token, "}"); token = this.next()) {
      if (token.kind !== "name" && token.kind !== "text")
        throw new Unreadable(`line ${token.line}: a name must be here.`);
      if (isSign(this.peek(), "=") || isSign(this.peek(), ":")) {
        this.take();
        found[token.text] = this.value();
        if (isSign(this.peek(), ",")) this.take();
        continue;
      }
      const labels = this.labels(token);
      const inner = this.block();
      const name = token.text === "dynamic" ? (labels[0] ?? "dynamic") : token.text;
      found[name] = token.text === "dynamic" || found[name] !== undefined ? this.unknown() : inner;
    }
    return { ...found };
  }

  /** A literal up to the end of the expression; otherwise a symbol. */
  private value(): unknown {
    const start = this.at;
    const found = this.literal();
    const end = this.peek();
    const isWhole = end.kind === "newline" || end.kind === "end" || ["}", "]", ","].some((sign) => isSign(end, sign));
    if (found !== undefined && isWhole) return found;
    this.at = start;
    this.skip("value");
    return this.unknown();
  }

  private literal(): unknown {
    const token = this.take();
    if (token.kind === "text") return token.isTemplate ? undefined : token.text;
    if (isSign(token, "[")) return this.list();
    if (isSign(token, "{")) return this.block();
    if (token.kind === "name") return Object.hasOwn(literalWords, token.text) ? literalWords[token.text] : undefined;
    const isNegative = isSign(token, "-");
    const { text } = isNegative ? this.take() : token;
    return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * (isNegative ? -1 : 1) : undefined;
  }

  private list(): unknown[] {
    const found: unknown[] = [];
    for (;;) {
      while (this.peek().kind === "newline" || isSign(this.peek(), ",")) this.at++;
      if (isSign(this.peek(), "]")) break;
      if (this.peek().kind === "end") throw new Unreadable("a list has no end.");
      found.push(this.value());
    }
    this.take();
    return found;
  }

  private unknown = () => notKnown(`the unknown part of ${this.address}`);

  /** Skips a block whose brace is open, or an expression. */
  private skip(end: "}" | "value"): void {
    for (let depth = 0; ; this.at++) {
      const token = this.peek();
      if (token.kind === "end") {
        if (end === "value") return;
        throw new Unreadable(`line ${token.line}: a bracket has no end. Close it.`);
      }
      const closes = depthOf(token) < 0;
      if (depth === 0 && end === "value" && (token.kind === "newline" || closes || isSign(token, ","))) return;
      if (closes && depth === 0) break;
      depth += depthOf(token);
    }
    this.at++;
  }
}
