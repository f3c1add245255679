/**
 * Reads what an author gave to a construct. A generated class silently drops names that it does not know, and fails on values of another
 * form, such as a text in place of a list. It gets neither, and synth reports both. The checks of the provider say the rest.
 */
import { TerraformCount, Token } from "cdktf";
import { Construct } from "constructs";
import { nounOf, show } from "../provider/sdk/check";
import type { Attribute, Shape } from "../provider/sdk/schema";
import { nearest } from "../formats/text/nearest";
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

const isLiteral = (value: unknown): value is Literal =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

export const isReference = (value: unknown): boolean =>
  Token.isUnresolved(value) || (typeof value === "string" && value.includes("${"));

function checkConfig(config: Literal, attributes: readonly Attribute[], found: InputErrors): Literal {
  const known = attributesIn(attributes);
  return mapped(config, (value, name) => {
    const attribute = known.get(name);
    if (!attribute) {
      if (value !== undefined && !inEveryProgram.has(name)) found.errors.push(unknownName(name, "", attributes));
      found.errors.push(...problemsOfMetaArgument(name, value));
      return value;
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
    errors.push(`\`${place}\` is the construct ${value.node.path}: give one of its attributes, such as its \`id\`.`);
    return undefined;
  }
  if (!isFit(value, shape)) {
    errors.push(`\`${place}\` is ${show(value, sensitive)}: give ${nounOf(shape)}.`);
    return undefined;
  }
  // The generated class would read the methods of the text as attributes.
  if (shape.kind === "object" && typeof value === "string") return Token.asAny(value);
  if (shape.kind === "object" && isLiteral(value)) {
    const known = attributesIn(shape.attributes);
    return mapped(value, (inner, name) => {
      const attribute = known.get(name);
      if (attribute) return acceptedPart(inner, attribute, `${place}.${name}`, errors);
      if (inner !== undefined) errors.push(unknownName(name, `${place}.`, shape.attributes));
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
  if (kind === "primitive" || isReference(value)) return true;
  if (typeof value !== "object") return false;
  return kind === "list" || kind === "set" ? !isLiteral(value) : !Array.isArray(value);
}

/** Names in the file that come from overrides, which nothing else checks. Terraform's own arguments are no attributes. */
export function unknownInFile(inFile: Plain, attributes: readonly Attribute[], above = ""): string[] {
  return Object.entries(inFile).flatMap(([name, value]) => {
    const attribute = attributes.find((one) => one.name === name);
    if (!attribute) return above === "" && inEveryBlock.includes(name) ? [] : [unknownName(name, above, attributes)];
    const { shape } = attribute;
    const inner = "element" in shape ? shape.element : shape;
    if (inner.kind !== "object") return [];
    const parts = (Array.isArray(value) ? value : [value]).filter(isLiteral);
    return parts.flatMap((part) => unknownInFile(part, inner.attributes, `${above}${propertyName(name)}.`));
  });
}

const metaArguments = ["alias", "connection", "count", "depends_on", "for_each", "lifecycle", "provider"];
const inEveryBlock = [...metaArguments, "//", "dynamic", "provisioner"];
const inEveryProgram = new Set([...metaArguments.map(propertyName), "provisioners"]);

const lifecycle = [
  "createBeforeDestroy",
  "ignoreChanges",
  "postcondition",
  "precondition",
  "preventDestroy",
  "replaceTriggeredBy",
];

const isCount = (value: unknown) =>
  typeof value === "number" ? Number.isInteger(value) && value >= 0 : TerraformCount.isTerraformCount(value);

/** The library writes a name of `lifecycle` that it does not know, and Terraform refuses the file without its place in the program. */
function problemsOfMetaArgument(name: string, value: unknown): string[] {
  if (value === undefined || value === null || isReference(value)) return [];
  if (name === "count" && !isCount(value)) {
    return [`\`count\` is ${show(value, false)}: give a whole number from 0, or a TerraformCount.`];
  }
  if (name !== "lifecycle") return [];
  if (!isLiteral(value)) return [`\`lifecycle\` is ${show(value, false)}: give an object.`];
  return Object.keys(value)
    .filter((one) => !lifecycle.includes(one))
    .map((one) => unknownWords(one, "lifecycle.", lifecycle));
}

function unknownName(name: string, above: string, attributes: readonly Attribute[]): string {
  const holder = attributes.find(
    ({ shape }) => shape.kind === "object" && attributesIn(shape.attributes).has(propertyName(name)),
  );
  const inner = holder && `${propertyName(holder.name)}.${propertyName(name)}`;
  return unknownWords(name, above, [...attributesIn(attributes).keys()], inner);
}

/** `other`: what may be meant if no known name is near. */
function unknownWords(name: string, above: string, names: readonly string[], other?: string): string {
  const meant = nearest(propertyName(name), names) ?? other;
  const hint = meant === undefined ? "" : `; \`${above}${meant}\` is probably meant`;
  return `\`${above}${name}\` is unknown. Known are ${names.join(", ")}${hint}.`;
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
