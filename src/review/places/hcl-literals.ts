/**
 * Reads the `expectation` blocks of an HCL file, and the statements of its provider blocks. Their values must be literals, because nothing
 * evaluates expressions here.
 */
import type { Values } from "../../impact/model";
import { quoted } from "../../access/access";
import { Unreadable } from "./block";
import { depthOf, isSign, literalWords, type Token, TokenCursor, tokensOf } from "./hcl-tokens";

export interface LiteralBlocks {
  /** The `expectation` blocks outside of other blocks. */
  readonly own: readonly Values[];
  /** The `expectation` blocks of each provider "tenant" block that has some. */
  readonly providers: readonly (readonly Values[])[];
}

/** What a provider "tenant" block says about the future. */
export interface ProviderStatements {
  readonly expectations: readonly Values[];
  readonly protected_request: readonly Values[];
  readonly lockout_guard?: unknown;
}

/** Throws `Unreadable` with the line and a remedy. */
export function expectationBlocks(source: string): LiteralBlocks {
  const { own, providers } = new Reader(tokensOf(source)).file(false);
  return {
    own,
    providers: providers.map(({ expectations }) => expectations).filter(({ length }) => length > 0),
  };
}

/** The provider "tenant" blocks of one file of a configuration. Throws `Unreadable` with the line and a remedy. */
export function providerStatements(source: string): readonly ProviderStatements[] {
  return new Reader(tokensOf(source)).file(true).providers;
}

/** Blocks at the top of a configuration that hold no expectations. */
const others: ReadonlySet<string> = new Set(
  "check data ephemeral import locals module moved output provider removed resource terraform variable".split(" "),
);

/** Inner block -> whether it may repeat. */
const innerBlocks: Readonly<Record<string, boolean>> = { request: true, except: true, policy: false, members: false };

const evaluated = "Write the values themselves, or give a plan of this configuration, as JSON.";

class Reader extends TokenCursor {
  /** `isConfiguration`: reads the guard too, and skips blocks that it does not know. */
  file(isConfiguration: boolean): { readonly own: Values[]; readonly providers: ProviderStatements[] } {
    const own: Values[] = [];
    const providers: ProviderStatements[] = [];
    for (let token = this.next(); token.kind !== "end"; token = this.next()) {
      const labels = this.labels(token);
      if (token.text === "provider" && labels[0] === "tenant") providers.push(this.provider(isConfiguration));
      else if (isConfiguration || others.has(token.text)) this.skipTo("}");
      else if (token.text === "expectation") own.push(this.expectation(token, labels));
      else throw new Unreadable(`line ${token.line}: the block "${token.text}" is not known. Name it "expectation".`);
    }
    return { own, providers };
  }

  /** Reads up to the brace that opens the block. */
  private labels({ kind, line }: Token): string[] {
    const labels: string[] = [];
    for (;;) {
      const token = this.take();
      if (kind === "name" && isSign(token, "{")) return labels;
      if (kind !== "name" || (token.kind !== "name" && token.kind !== "text"))
        throw new Unreadable(`line ${line}: a block such as \`expectation {\` must be here.`);
      labels.push(token.text);
    }
  }

  private provider(hasGuard: boolean): ProviderStatements {
    const expectations: Values[] = [];
    const requests: Values[] = [];
    let guard: { readonly lockout_guard?: unknown } = {};
    for (let token = this.next(); !isSign(token, "}"); token = this.next()) {
      if (isSign(this.peek(), "=")) {
        if (hasGuard && token.text === "lockout_guard") guard = { lockout_guard: this.attribute(token.text) };
        else this.skipTo("newline");
        continue;
      }
      const labels = this.labels(token);
      const kind = token.text === "dynamic" ? labels[0] : token.text;
      const isRead = kind === "expectation" || (hasGuard && kind === "protected_request");
      if (isRead && token.text === "dynamic")
        throw new Unreadable(`line ${token.line}: the block is dynamic. Write each ${kind} as a block of its own.`);
      if (!isRead) this.skipTo("}");
      else if (kind === "expectation") expectations.push(this.expectation(token, labels));
      else requests.push(this.block(token, {}));
    }
    return { expectations, protected_request: requests, ...guard };
  }

  private expectation(token: Token, [label]: readonly string[]): Values {
    if (label === undefined) return this.block(token);
    const name = quoted(label);
    throw new Unreadable(
      `line ${token.line}: an expectation block has no label. Write \`expectation {\` and \`name = ${name}\`.`,
    );
  }

  /** The content of an `expectation` block, or of a block inside it. */
  private block({ line }: Token, inner = innerBlocks): Values {
    const found = new Map<string, unknown>();
    for (let token = this.next(); !isSign(token, "}"); token = this.next()) {
      const { text: name, line: at } = token;
      if (token.kind !== "name") throw new Unreadable(`line ${at}: the block of line ${line} needs a closing brace.`);
      const isValue = isSign(this.peek(), "=");
      const given = isValue ? this.attribute(name) : this.inner(token, inner);
      const isRepeated = !isValue && inner[name] === true;
      if (found.has(name) && !isRepeated) throw new Unreadable(`line ${at}: ${name} is there twice. Remove one.`);
      found.set(name, isRepeated ? [...((found.get(name) ?? []) as unknown[]), given] : given);
    }
    return Object.fromEntries(found);
  }

  private inner(token: Token, inner: typeof innerBlocks): Values {
    const labels = this.labels(token);
    if (token.text === "dynamic")
      throw new Unreadable(`line ${token.line}: the block is dynamic. Write each \`${labels[0] ?? "request"}\` block.`);
    const isKnown = Object.hasOwn(inner, token.text);
    if (isKnown && labels.length > 0)
      throw new Unreadable(`line ${token.line}: a ${token.text} block has no label. Write \`${token.text} {\`.`);
    if (!isKnown)
      throw new Unreadable(
        `line ${token.line}: ${token.text} is not a block of an expectation. The blocks are ${Object.keys(inner).join(", ")}.`,
      );
    return this.block(token, {});
  }

  private attribute(name: string): unknown {
    const { line } = this.take();
    if (Object.hasOwn(innerBlocks, name) && isSign(this.peek(), "{"))
      throw new Unreadable(`line ${line}: ${name} is a block. Write \`${name} {\` without "=".`);
    const found = this.value(name);
    const end = this.peek();
    if (end.kind !== "newline" && end.kind !== "end" && !isSign(end, "}")) throw noLiteral(name, line);
    return found;
  }

  private value(name: string): unknown {
    const token = this.take();
    if (token.kind === "text" && !token.isTemplate) return token.text;
    if (isSign(token, "[")) return this.list(name);
    if (token.kind === "name" && Object.hasOwn(literalWords, token.text)) return literalWords[token.text];
    const isNegative = isSign(token, "-");
    const number = isNegative ? this.take() : token;
    if (number.kind === "sign" && /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number.text))
      return Number(number.text) * (isNegative ? -1 : 1);
    throw noLiteral(name, token.line);
  }

  private list(name: string): unknown[] {
    const found: unknown[] = [];
    for (;;) {
      this.skipNewlines();
      if (isSign(this.peek(), "]")) break;
      found.push(this.value(name));
      this.skipNewlines();
      if (!isSign(this.peek(), ",")) break;
      this.take();
    }
    const { line } = this.peek();
    if (!isSign(this.take(), "]")) throw noLiteral(name, line);
    return found;
  }

  /** Skips to the end of a block whose brace is open, or to the end of an attribute. */
  private skipTo(end: "}" | "newline"): void {
    for (let depth = 0; ; this.at++) {
      const token = this.peek();
      if (token.kind === "end") throw new Unreadable(`line ${token.line}: a bracket has no end. Close it.`);
      if (depth === 0 && end === "newline" && (token.kind === "newline" || isSign(token, "}"))) return;
      depth += depthOf(token);
      if (depth < 0) break;
    }
    this.at++;
  }
}

const noLiteral = (name: string, line: number) =>
  new Unreadable(`line ${line}: ${name} is not a literal value. ${evaluated}`);
