/** What the provider would refuse at plan, said at synth: by the same definitions and rules, all at once. */
import { Annotations, Tokenization, DefaultTokenResolver, StringConcat, type TerraformElement } from "cdktf";
import type * as z from "zod";
import { formatPath } from "../cty/path";
import { isObject, unknown } from "../cty/value";
import type { Rule } from "../sdk/attribute";
import { check } from "../sdk/check";
import { attributesOf, type Attribute, type Shape } from "../sdk/schema";

export interface Definition {
  readonly config: z.ZodObject;
  readonly rules?: readonly Rule[];
}

/** A configuration in Terraform's names, in which any part may be `unknown` or absent. */
export type Plain = { readonly [attribute: string]: unknown };

/**
 * Adds the definition's checks to the construct. `written` is what the author gave: only there can be seen what the
 * generated class does not know and silently drops. Everything else is judged as it will stand in the stack's file, so
 * that setters and overrides count.
 */
export function checkAtSynth(construct: TerraformElement, definition: Definition, written: object): void {
  const attributes = attributesOf(definition.config);
  const names = namesIn(attributes);
  const warned = new Set<string>();
  construct.node.addValidation({
    validate() {
      const plain = plainOf(construct);
      if (!plain) return [];
      const faults = check({ ...definition, attributes }, plain);
      const said = faults.map(({ severity, path, detail }) => {
        const subject = formatPath(path);
        const text = detail.includes(subject) ? detail : `\`${subject}\`: ${detail}`;
        return { severity, text: inCamelCase(text, names) };
      });
      const warnings = said.filter(({ severity }) => severity === "warning").map(({ text }) => text);
      for (const text of [...warnings, ...exposed(plain, attributes)]) {
        // Stack and app each ask for the validations.
        if (!warned.has(text)) Annotations.of(construct).addWarning(text);
        warned.add(text);
      }
      const errors = said.filter(({ severity }) => severity === "error").map(({ text }) => text);
      return [...errors, ...strangers(written, attributes, metaArguments)];
    },
  });
}

/** The construct as it will stand in the stack's file; undefined where it will not, because it was moved. */
export function plainOf(construct: TerraformElement): Plain | undefined {
  const { resource, provider } = construct.toTerraform();
  const [written] = Object.values<object>(resource ?? provider ?? {}).flatMap((entry) => Object.values(entry));
  if (!written) return undefined;
  const resolver = new DefaultTokenResolver(new StringConcat());
  return holed(Tokenization.resolve(written, { scope: construct, resolver })) as Plain;
}

// Terraform takes any text in the file for a template, whoever wrote it: a token, or the author by hand.
const template = /(?<!\$)\$\{|(?<!%)%\{/;

function holed(value: unknown): unknown {
  if (typeof value === "string") {
    return template.test(value) ? unknown : value.replaceAll("$${", "${").replaceAll("%%{", "%{");
  }
  if (Array.isArray(value)) return value.map(holed);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(present.map(([name, inner]) => [name, holed(inner)]));
}

const metaArguments = [
  "alias",
  "connection",
  "count",
  "dependsOn",
  "forEach",
  "lifecycle",
  "provider",
  "provisioners",
] as const;

/** Complaints about what is written and means nothing: without them a misspelt signal of a rule would just not count. */
function strangers(
  written: object,
  attributes: readonly Attribute[],
  others: readonly string[] = [],
  path = "",
): string[] {
  const known = new Map(attributes.map(({ name, shape }) => [camelCase(name), shape]));
  return Object.entries(written).flatMap(([name, value]: [string, unknown]) => {
    if (others.includes(name) || value === undefined) return [];
    const shape = known.get(name);
    const complaint = `\`${path}${name}\` is unknown: there are ${[...known.keys()].join(", ")}.`;
    return shape ? strangersIn(value, shape, `${path}${name}`) : [complaint];
  });
}

function strangersIn(value: unknown, shape: Shape, path: string): string[] {
  if (Array.isArray(value) && shape.kind !== "primitive" && shape.kind !== "object") {
    const place = (index: number) => (shape.kind === "list" ? `${path}[${index}]` : path);
    return value.flatMap((element, index) => strangersIn(element, shape.element, place(index)));
  }
  const isLiteral = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isLiteral && shape.kind === "object" ? strangers(value, shape.attributes, [], `${path}.`) : [];
}

function exposed(plain: Plain, attributes: readonly Attribute[]): string[] {
  const open = attributes.filter(({ name, sensitive }) => sensitive && typeof plain[name] === "string");
  return open.map(
    ({ name }) =>
      `\`${camelCase(name)}\` is secret and will stand readable in the synthesized stack: leave it out and set ` +
      `TENANT_${name.toUpperCase()} in the environment, or give a sensitive TerraformVariable.`,
  );
}

function namesIn(attributes: readonly Attribute[]): string[] {
  return attributes.flatMap(({ name, shape }) => {
    let inner = shape;
    while (inner.kind !== "object" && inner.kind !== "primitive") inner = inner.element;
    return [name, ...(inner.kind === "object" ? namesIn(inner.attributes) : [])];
  });
}

/** The attribute as the generated classes call it. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

/** Attributes in the author's names; what stands in quotation marks is a value and stays. */
function inCamelCase(text: string, names: readonly string[]): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (found) =>
    names.includes(found) ? camelCase(found) : found,
  );
}
