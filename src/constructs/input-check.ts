/**
 * Reads what an author gave to a construct. A generated class silently drops names that it does not know, and fails on values of another
 * form, such as a text in place of a list. It gets neither, and synth reports both. The checks of the provider say the rest.
 */
import { Token } from "cdktf";
import { Construct } from "constructs";
import { nounOf } from "../provider/sdk/check";
import type { Attribute, Shape } from "../provider/sdk/schema";
import { isLiteral, isMetaArgument, isReference, problemsOfMetaArgument, shown, unknownName } from "./meta-arguments";
import { propertyName } from "./naming";
import type { Plain } from "./written-config";

export interface InputErrors {
  readonly errors: string[];
  /** Attributes of the construct that the file lacks because an error reports them, in Terraform's names. */
  readonly refused: string[];
}

/** The part of the configuration that the generated class accepts. */
export const wellFormed = <C extends object>(attributes: readonly Attribute[], config: C): C =>
  checkConfig(config as Literal, attributes, noErrors()) as C;

/** What the author gave and the file of the stack does not show. */
export function checkInput(written: object, attributes: readonly Attribute[]): InputErrors {
  const found = noErrors();
  checkConfig(written as Literal, attributes, found);
  return found;
}

const noErrors = (): InputErrors => ({ errors: [], refused: [] });

type Literal = Readonly<Record<string, unknown>>;

function checkConfig(config: Literal, attributes: readonly Attribute[], found: InputErrors): Literal {
  const known = attributesIn(attributes);
  return mapped(config, (value, name) => {
    const attribute = known.get(name);
    if (!attribute) {
      if (value !== undefined && !isMetaArgument(name)) found.errors.push(unknownAttribute(name, "", attributes));
      const problems = problemsOfMetaArgument(value, name);
      found.errors.push(...problems);
      return problems.length > 0 ? undefined : value;
    }
    const before = found.errors.length;
    const accepted = acceptedPart(value, attribute, name, found.errors);
    const isReported = found.errors.length > before && (accepted === undefined || attribute.shape.kind === "object");
    if (isReported) found.refused.push(attribute.name);
    return accepted;
  });
}

type Asked = Pick<Attribute, "shape" | "sensitive">;

/** Returns the same value if all of it is fit, because authors may change their lists later. */
function acceptedPart(value: unknown, { shape, sensitive }: Asked, place: string, errors: string[]): unknown {
  if (value === undefined || value === null) return undefined;
  if (Construct.isConstruct(value)) {
    errors.push(`\`${place}\` is ${shown(value)}: give one of its attributes, such as its \`id\`.`);
    return undefined;
  }
  if (!isFit(value, shape)) {
    errors.push(`\`${place}\` is ${shown(value, sensitive)}: give ${nounOf(shape)}.`);
    return undefined;
  }
  // The generated class would read the methods of the text as attributes.
  if (shape.kind === "object" && typeof value === "string") return Token.asAny(value);
  if (shape.kind === "object" && isLiteral(value)) {
    const known = attributesIn(shape.attributes);
    return mapped(value, (inner, name) => {
      const attribute = known.get(name);
      if (attribute) return acceptedPart(inner, attribute, `${place}.${name}`, errors);
      if (inner !== undefined) errors.push(unknownAttribute(name, `${place}.`, shape.attributes));
      return inner;
    });
  }
  /** The generated class would drop an element that is undefined. */
  const present = (inner: unknown, element: Shape, at: string) => {
    if (inner === undefined) errors.push(`\`${at}\` is undefined and would be dropped: give a value, or remove it.`);
    return inner === null ? inner : acceptedPart(inner, { shape: element, sensitive }, at, errors);
  };
  if (shape.kind === "map" && isLiteral(value)) {
    return mapped(value, (inner, key) => present(inner, shape.element, `${place}[${JSON.stringify(key)}]`));
  }
  if ((shape.kind === "list" || shape.kind === "set") && Array.isArray(value)) {
    // The list may have holes, which only a loop over the indexes visits.
    const accepted = Array.from(value, (inner, index) => present(inner, shape.element, `${place}[${index}]`));
    return accepted.every((inner, index) => inner === value[index])
      ? value
      : accepted.filter((one) => one !== undefined);
  }
  return value;
}

/** Whether the generated class can take the value. */
function isFit(value: unknown, { kind }: Shape): boolean {
  if (typeof value === "function" || [Promise, Set, Map].some((type) => value instanceof type)) return false;
  if (isReference(value)) return true;
  if (kind === "primitive") return !isLiteral(value) && !Array.isArray(value);
  if (typeof value !== "object") return false;
  return kind === "list" || kind === "set" ? !isLiteral(value) : !Array.isArray(value);
}

/** Names in the file that come from overrides, which nothing else checks. Terraform's own arguments are no attributes. */
export function unknownInFile(inFile: Plain, attributes: readonly Attribute[], above = ""): string[] {
  return Object.entries(inFile).flatMap(([name, value]) => {
    const attribute = attributes.find((one) => one.name === name);
    if (!attribute) return above === "" && isInEveryBlock(name) ? [] : [unknownAttribute(name, above, attributes)];
    const { shape } = attribute;
    const inner = "element" in shape ? shape.element : shape;
    if (inner.kind !== "object") return [];
    const parts = (Array.isArray(value) ? value : [value]).filter(isLiteral);
    return parts.flatMap((part) => unknownInFile(part, inner.attributes, `${above}${propertyName(name)}.`));
  });
}

const isInEveryBlock = (name: string) =>
  isMetaArgument(propertyName(name)) || ["//", "dynamic", "provisioner"].includes(name);

function unknownAttribute(name: string, above: string, attributes: readonly Attribute[]): string {
  const holder = attributes.find(
    ({ shape }) => shape.kind === "object" && attributesIn(shape.attributes).has(propertyName(name)),
  );
  const inner = holder && `${propertyName(holder.name)}.${propertyName(name)}`;
  return unknownName(name, above, [...attributesIn(attributes).keys()], inner);
}

function mapped(value: Literal, of: (inner: unknown, name: string) => unknown): Literal {
  const entries = Object.entries(value).map(([name, inner]) => [name, of(inner, name)] as const);
  return entries.every(([name, inner]) => inner === value[name]) ? value : Object.fromEntries(entries);
}

const byName = new WeakMap<readonly Attribute[], ReadonlyMap<string, Attribute>>();

/** By the names of the constructs; computed once. */
function attributesIn(attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> {
  const found =
    byName.get(attributes) ?? new Map(attributes.map((attribute) => [propertyName(attribute.name), attribute]));
  byName.set(attributes, found);
  return found;
}
