/** Adds known values and examples to the generated classes, because Terraform's schema does not have them. */
import type * as z from "zod";
import { camelCase, inCamelCase, pascalCase } from "../../constructs/naming";
import { attributesOf, type Attribute, type Shape } from "../../provider/sdk/schema";

/** A longer list of values gets a name, because an editor cannot show it well. */
const few = 12;

/** Adds to each property of the configuration: a description with the constructs' names, an example, and a union of the known values. */
export function annotated(source: string, config: z.ZodObject): string {
  const [, interfaceName = ""] = /^export interface (\w+Config) /m.exec(source) ?? [];
  const attributes = attributesOf(config);
  const lists = new Map<string, readonly string[]>();
  const prefix = interfaceName.replace(/Config$/, "");
  const text = annotate(source, { prefix, interfaceName, attributes, names: namesIn(attributes), lists });
  const named = [...lists].map(([name, values]) => `export type ${name} = ${union(values)};\n`).join("");
  return text.replace(/^\/\/ Configuration\n\n/m, (heading) => `${heading}${named}${named && "\n"}`);
}

interface Place {
  readonly prefix: string;
  readonly interfaceName: string;
  readonly attributes: readonly Attribute[];
  /** All names of the configuration. Only these have another name in the constructs. */
  readonly names: readonly string[];
  /** Receives the lists that get a name. */
  readonly lists: Map<string, readonly string[]>;
}

const namesIn = (attributes: readonly Attribute[]): string[] =>
  attributes.flatMap(({ name, shape }) => [name, ...namesIn(objectIn(shape) ?? [])]);

function annotate(source: string, place: Place): string {
  const { prefix, interfaceName, attributes } = place;
  const own = source.replace(new RegExp(`^export interface ${interfaceName} [^]*?^}`, "m"), (body) =>
    attributes.reduce((text, attribute) => annotateProperty(text, attribute, place), body),
  );
  return attributes.reduce((text, { name, shape }) => {
    const inner = objectIn(shape);
    if (!inner) return text;
    const nested = prefix + pascalCase(name);
    return annotate(text, { ...place, prefix: nested, interfaceName: nested, attributes: inner });
  }, own);
}

function annotateProperty(body: string, attribute: Attribute, { names, lists }: Place): string {
  const name = camelCase(attribute.name);
  const property = new RegExp(`  /\\*\\*\n  \\* .*\n  \\*/\n  readonly ${name}(\\??): (.*);`);
  if (!property.test(body)) throw new Error(`the bindings have no ${name} with a description`);
  return body.replace(property, (_all, optional: string, type: string) => {
    const lines = [words(attribute, names), ...exampleOf(attribute)].map((line) => `  * ${line}`).join("\n");
    return `  /**\n${lines}\n  */\n  readonly ${name}${optional}: ${withValues(type, attribute, lists)};`;
  });
}

/** A name inside a value, such as `client_id:<id>`, stays. */
const words = ({ description }: Attribute, names: readonly string[]) =>
  inCamelCase(
    description,
    names.filter((name) => description.includes(`\`${name}\``)),
  );

function exampleOf({ name, example, shape }: Attribute): string[] {
  const key = shape.kind === "map" ? JSON.stringify : camelCase;
  return example === undefined ? [] : ["@example", `${camelCase(name)}: ${literal(example, key)}`];
}

/** The value as TypeScript, with the constructs' names. Keys that users choose stay. */
function literal(value: unknown, key: (name: string) => string = camelCase): string {
  if (Array.isArray(value)) return `[${value.map((element) => literal(element)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${key(name)}: ${literal(inner)}`)
    .join(", ")} }`;
}

function withValues(type: string, attribute: Attribute, lists: Map<string, readonly string[]>): string {
  const { name, values } = attribute;
  if (!values) return type;
  let known = union(values);
  if (values.length > few) {
    known = `Known${pascalCase(name.replace(/s$/, ""))}`;
    lists.set(known, values);
  }
  // A plain `string` would absorb the known values, so editors would not complete them.
  return type.replace("string", type === "string" ? `${known} | (string & {})` : `(${known} | (string & {}))`);
}

function union(values: readonly string[]): string {
  return values
    .map((value) => (/<\w+>/.test(value) ? `\`${value.replace(/<\w+>/g, "${string}")}\`` : `"${value}"`))
    .join(" | ");
}

function objectIn(shape: Shape): readonly Attribute[] | undefined {
  if (shape.kind === "primitive") return undefined;
  return shape.kind === "object" ? shape.attributes : objectIn(shape.element);
}
