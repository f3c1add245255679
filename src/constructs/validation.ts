/** What the provider would refuse at plan, said at synth: by the same definitions and rules, all at once. */
import { Annotations, type TerraformElement } from "cdktf";
import type * as z from "zod";
import { formatPath } from "../cty/path";
import type { Rule } from "../sdk/attribute";
import { check } from "../sdk/check";
import type { Attribute, Shape } from "../sdk/schema";
import { addCheck } from "./checks";
import { described } from "./described";
import { exposed } from "./exposure";
import { demandSameHost } from "./host";
import { camelCase, inCamelCase } from "./naming";
import { takeWritten, withUnknowns } from "./plain";

export interface Definition {
  readonly config: z.ZodObject;
  readonly rules?: readonly Rule[];
}

/**
 * Adds the definition's checks to the construct. `written` is what the author gave: only there can be seen what the
 * generated class does not know and silently drops. Everything else is judged as it will stand in the stack's file, so
 * that setters and overrides count.
 */
export function checkAtSynth(construct: TerraformElement, definition: Definition, written: object): void {
  demandSameHost(construct);
  const { attributes, names } = described(definition.config);
  const warned = new Set<string>();
  addCheck(construct, () => {
    const inFile = takeWritten(construct);
    if (!inFile) return [];
    const plain = withUnknowns(inFile);
    const diagnostics = check({ ...definition, attributes }, plain);
    const said = diagnostics.map(({ severity, path, detail }) => {
      const subject = formatPath(path);
      const text = detail.includes(subject) ? detail : `\`${subject}\`: ${detail}`;
      return { severity, text: inCamelCase(text, names) };
    });
    const warnings = said.filter(({ severity }) => severity === "warning").map(({ text }) => text);
    for (const text of [...warnings, ...exposed(construct, inFile, attributes)]) {
      // Stack and app each ask for the validations.
      if (!warned.has(text)) Annotations.of(construct).addWarning(text);
      warned.add(text);
    }
    const errors = said.filter(({ severity }) => severity === "error").map(({ text }) => text);
    return [...errors, ...strangers(written, attributes, metaArguments)];
  });
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
  const known = shapesOf(attributes);
  return Object.entries(written).flatMap(([name, value]: [string, unknown]) => {
    if (others.includes(name) || value === undefined) return [];
    const shape = known.get(name);
    const complaint = `\`${path}${name}\` is unknown: there are ${[...known.keys()].join(", ")}.`;
    return shape ? strangersIn(value, shape, `${path}${name}`) : [complaint];
  });
}

const shapes = new WeakMap<readonly Attribute[], ReadonlyMap<string, Shape>>();

/** By the names of the constructs; worked out once. */
function shapesOf(attributes: readonly Attribute[]): ReadonlyMap<string, Shape> {
  const found = shapes.get(attributes) ?? new Map(attributes.map(({ name, shape }) => [camelCase(name), shape]));
  shapes.set(attributes, found);
  return found;
}

function strangersIn(value: unknown, shape: Shape, path: string): string[] {
  if (Array.isArray(value) && shape.kind !== "primitive" && shape.kind !== "object") {
    const place = (index: number) => (shape.kind === "list" ? `${path}[${index}]` : path);
    return value.flatMap((element, index) => strangersIn(element, shape.element, place(index)));
  }
  const isLiteral = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isLiteral && shape.kind === "object" ? strangers(value, shape.attributes, [], `${path}.`) : [];
}
