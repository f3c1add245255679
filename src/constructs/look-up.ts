/** Looks up one object in the list of a data source, by an attribute that people know. */
import { Fn, Token, type IResolvable } from "cdktf";

interface DataSource {
  interpolationForAttribute(attribute: string): IResolvable;
}

interface ObjectList<O> {
  get(index: number): O;
}

/** Reads the first object of which the attribute has the value. Terraform finds its index, and fails if there is no such object. */
export function firstWith<O>(
  source: DataSource,
  list: string,
  objects: ObjectList<O>,
  attribute: string,
  value: string,
): O {
  const index = Fn.index(source.interpolationForAttribute(`${list}[*].${attribute}`) as unknown as unknown[], value);
  // A token for a number would not survive in the address of an attribute.
  return objects.get(Token.asString(index) as unknown as number);
}
