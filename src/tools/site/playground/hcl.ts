/** Reads the resource blocks of an HCL file whose values are literals. */
import { quoted } from "../../../access/access";
import { readHcl } from "../../../hcl/hcl";
import { plainOf, Unreadable, type Body } from "../../../hcl/tree";
import type { Values } from "../../../impact/model";
import { topBlocks } from "../../../review/places/statements";

export interface ResourceBlock {
  readonly type: string;
  readonly name: string;
  readonly line: number;
  /** A block is a list of its contents, because it may repeat. */
  readonly values: Values;
}

/** Arguments of every resource, which do not change the object. */
const ignored: ReadonlySet<string> = new Set(["depends_on", "lifecycle", "provider"]);

/** The resource blocks of these types. Other blocks of a configuration are skipped. Throws `Unreadable`. */
export function resourceBlocks(source: string, types: readonly string[]): ResourceBlock[] {
  const { attributes, blocks } = readHcl(source);
  const others = blocks.map(({ type, line }) => [type, line] as const).filter(([type]) => !topBlocks.has(type));
  const [stray] = [...[...attributes].map(([name, { line }]) => [name, line] as const), ...others];
  if (stray)
    throw new Unreadable(
      stray[1],
      `${quoted(stray[0])} is not known here. Write blocks such as \`resource "tenant_network_acl" "name" {\`.`,
    );
  return blocks.flatMap(({ type: word, labels: [type = "", name = ""], line, ...body }) =>
    word === "resource" && types.includes(type) ? [{ type, name, line, values: valuesOf(body, ignored) }] : [],
  );
}

function valuesOf({ attributes, blocks }: Body, skipped: ReadonlySet<string> = new Set()): Values {
  const found = new Map<string, unknown>();
  for (const [name, value] of attributes) {
    if (skipped.has(name)) continue;
    const read = plainOf(value, ({ line }) => {
      throw new Unreadable(
        line,
        `${name} is an expression, and the playground evaluates none. Write the value itself, or paste a plan as JSON.`,
      );
    });
    found.set(name, read);
  }
  for (const { type, labels, line, ...body } of blocks) {
    if (skipped.has(type)) continue;
    if (labels.length > 0)
      throw new Unreadable(line, `${quoted(type)} has a label. Write each block itself, without \`dynamic\`.`);
    if (attributes.has(type)) throw new Unreadable(line, `${type} is there twice. Remove one.`);
    found.set(type, [...((found.get(type) ?? []) as unknown[]), valuesOf(body)]);
  }
  return Object.fromEntries(found);
}
