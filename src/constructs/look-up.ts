/** Looks up one object in the list of a data source, by an attribute that people know. */
import { Fn, ref, Token, type IResolvable, type TerraformDataSource } from "cdktf";
import type { Kind } from "../judge/kinds/kind";
import { shown } from "./input-check";

interface ObjectList<O> {
  get(index: number): O;
}

/** Reads the first object of which the attribute has the value. Terraform finds its index, and says which value no object has. */
export function firstWith<O>(
  source: TerraformDataSource,
  { noun, dataSource: { objects: list } }: Kind,
  objects: ObjectList<O>,
  attribute: string,
  value: string,
): O {
  if (typeof value !== "string") {
    throw new Error(`[${source.node.path}] \`find\` got ${shown(value)}: give the \`${attribute}\` as a text.`);
  }
  // The library does not escape quotes.
  const quoted = Token.isUnresolved(value) ? value : Fn.rawString(value);
  const values = (of: string) => ref(`${of}.${list}[*].${attribute}`) as IResolvable & unknown[];
  const shownValue = Token.isUnresolved(value) ? value : value.replace(/[$%](?=\{)/g, "$&$&");
  const missing = `The tenant has no ${noun} whose \`${attribute}\` is "${shownValue}". Check the value.`;
  const condition = Fn.contains(values("self"), quoted);
  source.lifecycle = {
    ...source.lifecycle,
    postcondition: [...(source.lifecycle?.postcondition ?? []), { condition, errorMessage: missing }],
  };
  const index = Fn.index(
    source.interpolationForAttribute(`${list}[*].${attribute}`) as IResolvable & unknown[],
    quoted,
  );
  // A token for a number would not survive in the address of an attribute.
  return objects.get(Token.asString(index) as unknown as number);
}
