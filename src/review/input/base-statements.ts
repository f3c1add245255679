/**
 * Reads the `expectation` blocks of an HCL file, and the statements of its provider blocks. Their values must be literals, because nothing
 * evaluates expressions here.
 */
import { quoted } from "../../judge/access/access";
import { readHcl } from "../../formats/hcl/hcl";
import { plainOf, Unreadable, type Block, type Value } from "../../formats/hcl/tree";
import type { Values } from "../../judge/impact/model";

export interface LiteralBlocks {
  /** The `expectation` blocks outside of other blocks. */
  readonly own: readonly Values[];
  /** The provider "tenant" blocks. */
  readonly providers: readonly ProviderStatements[];
}

/** What a provider "tenant" block says about the future. */
export interface ProviderStatements {
  readonly expectations: readonly Values[];
  readonly protected_request: readonly Values[];
  readonly lockout_guard?: unknown;
}

interface Wanted {
  /** The file may have nothing but blocks of a configuration. */
  readonly isStrict?: boolean;
  /** Otherwise, the values of guards need not be literals. */
  readonly withGuards: boolean;
}

/** Throws `Unreadable` with the line and a remedy. */
export function blocksIn(source: string, { isStrict = false, withGuards }: Wanted): LiteralBlocks {
  const { attributes, blocks } = readHcl(source);
  const [stray] = attributes.values();
  if (isStrict && stray) throw new Unreadable(stray.line, "a block such as `expectation {` must be here.");
  const strange = blocks.find(({ type }) => type !== "expectation" && !topBlocks.has(type));
  if (isStrict && strange)
    throw new Unreadable(strange.line, `the block "${strange.type}" is not known. Name it "expectation".`);
  return {
    own: blocks.filter(({ type }) => type === "expectation").map(expectationIn),
    providers: blocks.filter(isTenant).map((block) => statementsIn(block, withGuards)),
  };
}

function statementsIn(block: Block, withGuards: boolean): ProviderStatements {
  const expectations = namedBlocks(block, "expectation").map(expectationIn);
  if (!withGuards) return { expectations, protected_request: [] };
  const guard = block.attributes.get("lockout_guard");
  return {
    expectations,
    protected_request: namedBlocks(block, "protected_request").map((one) => contentOf(one, {})),
    ...(guard && { lockout_guard: literalOf("lockout_guard", guard) }),
  };
}

/** A configuration may give the provider another name. No other provider has such blocks. */
const isTenant = ({ type, labels: [name], blocks }: Block) =>
  type === "provider" && (name === "tenant" || blocks.some((inner) => isOwn(inner.type) || isOwn(inner.labels[0])));

/** Whether only the provider "tenant" has a block of this name. */
export const isOwn = (block: string | undefined) => block === "expectation" || block === "protected_request";

/** The blocks at the top of a configuration. */
const topBlocks: ReadonlySet<string> = new Set(
  "check data ephemeral import locals module moved output provider removed resource terraform variable".split(" "),
);

/** Inner block -> whether it may repeat. */
const innerBlocks: Readonly<Record<string, boolean>> = { request: true, except: true, policy: false, members: false };

function namedBlocks({ blocks }: Block, name: string): Block[] {
  const dynamic = blocks.find(({ type, labels: [label] }) => type === "dynamic" && label === name);
  if (dynamic) throw new Unreadable(dynamic.line, `the block is dynamic. Write each ${name} as a block of its own.`);
  return blocks.filter(({ type }) => type === name);
}

function expectationIn(block: Block): Values {
  const [label] = block.labels;
  if (label === undefined) return contentOf(block, innerBlocks);
  const name = quoted(label);
  throw new Unreadable(
    block.line,
    `an expectation block has no label. Write \`expectation {\` and \`name = ${name}\`.`,
  );
}

/** The content of an `expectation` block, or of a block inside it. */
function contentOf({ attributes, blocks }: Block, inner: typeof innerBlocks): Values {
  const found = new Map<string, unknown>();
  for (const [name, value] of attributes) found.set(name, literalOf(name, value));
  for (const block of blocks) {
    const { type, labels, line } = block;
    if (type === "dynamic")
      throw new Unreadable(line, `the block is dynamic. Write each \`${labels[0] ?? "request"}\` block.`);
    if (!Object.hasOwn(inner, type)) {
      const known = Object.keys(innerBlocks).join(", ");
      throw new Unreadable(line, `${type} is not a block of an expectation. The blocks are ${known}.`);
    }
    if (labels.length > 0) throw new Unreadable(line, `a ${type} block has no label. Write \`${type} {\`.`);
    const isRepeated = inner[type] === true;
    if (found.has(type) && !isRepeated) throw new Unreadable(line, `${type} is there twice. Remove one.`);
    const content = contentOf(block, {});
    found.set(type, isRepeated ? [...((found.get(type) ?? []) as unknown[]), content] : content);
  }
  return Object.fromEntries(found);
}

function literalOf(name: string, value: Value): unknown {
  const { kind, line } = value;
  if (kind === "object" && Object.hasOwn(innerBlocks, name))
    throw new Unreadable(line, `${name} is a block. Write \`${name} {\` without "=".`);
  const refuse = (at: number): never => {
    throw new Unreadable(
      at,
      `${name} is not a literal value. Write the values themselves, or give a plan of this configuration, as JSON.`,
    );
  };
  return kind === "object" ? refuse(line) : plainOf(value, (expression) => refuse(expression.line));
}
