/** Looks up one object in the list of a data source, by an attribute that people know. */
import { Fn, Op, ref, Token, type IResolvable, type TerraformDataSource } from "cdktf";
import type { Kind } from "../judge/kinds/kind";
import { shown } from "./input-check";

interface ObjectList<O> {
  get(index: number): O;
}

/** Reads the one object of which the attribute has the value. Terraform finds its index, and refuses a value that no object has, or several. */
export function firstWith<O>(
  source: TerraformDataSource,
  { noun, plural, dataSource: { objects: list } }: Kind,
  objects: ObjectList<O>,
  attribute: string,
  value: string,
): O {
  if (typeof value !== "string") {
    throw new Error(`[${source.node.path}] \`find\` got ${shown(value)}: give the \`${attribute}\` as a text.`);
  }
  // The library does not escape quotes.
  const quoted = Token.isUnresolved(value) ? value : Fn.rawString(value.replace(/%(?=\{)/g, "%%"));
  const values = (of: string) => ref(`${of}.${list}[*].${attribute}`) as IResolvable & unknown[];
  const shownValue = Token.isUnresolved(value) ? value : value.replace(/[$%](?=\{)/g, "$&$&");
  const missing = `The tenant has no ${noun} whose \`${attribute}\` is "${shownValue}". Check the value.`;
  const several = `The tenant has several ${plural} whose \`${attribute}\` is "${shownValue}". Give them different ones, or use \`get\`.`;
  const own = values("self");
  const has = Fn.contains(own, quoted);
  // The first one from the front is the first one from the back.
  const place = Op.add(Fn.index(own, quoted), Fn.index(Fn.reverse(own), quoted));
  const isOne = Fn.conditional(has, Op.eq(place, Op.sub(Fn.lengthOf(own), 1)), true);
  source.lifecycle = {
    ...source.lifecycle,
    postcondition: [
      ...(source.lifecycle?.postcondition ?? []),
      { condition: has, errorMessage: missing },
      { condition: isOne, errorMessage: several },
    ],
  };
  const index = Fn.index(
    source.interpolationForAttribute(`${list}[*].${attribute}`) as IResolvable & unknown[],
    quoted,
  );
  // A token for a number would not survive in the address of an attribute.
  return objects.get(Token.asString(index) as unknown as number);
}
