/**
 * Reads what an author gave to a construct. A generated class silently drops names that it does not know, and fails on values of another
 * form, such as a text in place of a list. It gets neither: synth reports unknown names here, and gives the values of another form to the
 * checks of the provider.
 */
import { TerraformProvider, TerraformStack, Token, type TerraformElement } from "cdktf";
import { Construct } from "constructs";
import { withUnknowns } from "../cty/template";
import { unknown } from "../cty/value";
import { show } from "../sdk/check";
import type { Attribute, Shape } from "../sdk/schema";
import { nearest } from "../text/nearest";
import { camelCase, pascalCase } from "./naming";
import type { Plain } from "./plain";

export interface Heard {
  readonly errors: string[];
  readonly warnings: string[];
  /** Attributes that the file lacks, in Terraform's names and as they were given; `unknown` if an error already reports them. */
  readonly unfit: { [attribute: string]: unknown };
}

/** The part of the configuration that the generated class accepts. Throws if there is no configuration or no id. */
export function wellFormed<C extends object>(
  name: string,
  attributes: readonly Attribute[],
  id: unknown,
  config: C | undefined,
): C {
  if (typeof id !== "string" || typeof config !== "object" || config === null || Array.isArray(config)) {
    const construct = pascalCase(name);
    const required = attributes.filter((attribute) => attribute.required).map((one) => `${camelCase(one.name)}: …`);
    throw new Error(
      `${construct} takes the stack, an id and an object: new ${construct}(stack, "id", { ${[...required, "…"].join(", ")} }).`,
    );
  }
  const known = siftConfig(config as Literal, attributes, silently()) as C;
  const { forEach } = known as { readonly forEach?: unknown };
  return forEach === undefined || isIterator(forEach) ? known : { ...known, forEach: undefined };
}

/** What the author gave and the file of the stack does not show. */
export function hear(construct: TerraformElement, written: object, attributes: readonly Attribute[]): Heard {
  const heard = silently();
  siftConfig(written as Literal, attributes, heard);
  heard.errors.push(...metaArgumentErrors(construct, written, attributes));
  return heard;
}

const silently = (): Heard => ({ errors: [], warnings: [], unfit: {} });

const metaArguments = ["alias", "connection", "count", "dependsOn", "forEach", "lifecycle", "provider", "provisioners"];

type Literal = Readonly<Record<string, unknown>>;

const isLiteral = (value: unknown): value is Literal =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

export const isReference = (value: unknown): boolean =>
  Token.isUnresolved(value) || (typeof value === "string" && value.includes("${"));

function siftConfig(config: Literal, attributes: readonly Attribute[], heard: Heard): Literal {
  const known = attributesIn(attributes);
  return mapped(config, (value, name) => {
    const attribute = known.get(name);
    if (!attribute) {
      if (value !== undefined && !metaArguments.includes(name)) heard.errors.push(unknownName(name, "", attributes));
      return value;
    }
    const inside: Heard & { misfits?: true } = silently();
    const sifted = sift(value, attribute.shape, name, inside);
    heard.errors.push(...inside.errors);
    heard.warnings.push(...inside.warnings);
    const isReported = inside.errors.length > 0 && (sifted === undefined || attribute.shape.kind === "object");
    if (isReported) heard.unfit[attribute.name] = unknown;
    else if (inside.misfits) heard.unfit[attribute.name] = inTerraform(value, attribute.shape);
    return sifted;
  });
}

/** Returns the same value if all of it is fit, because authors may change their lists later. */
function sift(value: unknown, shape: Shape, place: string, heard: Heard & { misfits?: true }): unknown {
  if (value === undefined || value === null) return undefined;
  if (Construct.isConstruct(value)) {
    const use = `give one of its values, such as its \`${valueOf(value, shape)}\``;
    heard.errors.push(`\`${place}\` is the construct ${value.node.path}: ${use}.`);
    return undefined;
  }
  if (!isFit(value, shape)) {
    heard.misfits = true;
    return undefined;
  }
  // The message shows only the end of the value, because the rest may be a secret.
  const [nothing] = (typeof value === "string" && /(?<=^|[:|/])(undefined|null|NaN)$|\[object \w+\]/.exec(value)) || [];
  if (nothing !== undefined) {
    heard.warnings.push(`\`${place}\` contains "${nothing}". The program probably built it from a missing value.`);
  }
  // The generated class would read the methods of the text as attributes.
  if (shape.kind === "object" && typeof value === "string") return Token.asAny(value);
  if (shape.kind === "object" && isLiteral(value)) {
    const known = attributesIn(shape.attributes);
    return mapped(value, (inner, name) => {
      const attribute = known.get(name);
      if (attribute) return sift(inner, attribute.shape, `${place}.${name}`, heard);
      if (inner !== undefined) heard.errors.push(unknownName(name, `${place}.`, shape.attributes));
      return inner;
    });
  }
  if (shape.kind === "map" && isLiteral(value)) {
    return mapped(value, (inner, key) => present(inner, shape.element, `${place}[${JSON.stringify(key)}]`, heard));
  }
  if ((shape.kind === "list" || shape.kind === "set") && Array.isArray(value)) {
    // The list may have holes, which only a loop over the indexes visits.
    const sifted = Array.from(value, (inner, index) => present(inner, shape.element, `${place}[${index}]`, heard));
    return sifted.every((inner, index) => inner === value[index]) ? value : sifted.filter((one) => one !== undefined);
  }
  return value;
}

/** The generated class would drop an element that is undefined. */
function present(value: unknown, element: Shape, place: string, heard: Heard): unknown {
  if (value === undefined)
    heard.errors.push(`\`${place}\` is undefined and would be dropped: give a value, or remove it.`);
  return value === null ? value : sift(value, element, place, heard);
}

/** Whether the generated class can take the value. */
function isFit(value: unknown, { kind }: Shape): boolean {
  if (typeof value === "function" || [Promise, Set, Map].some((type) => value instanceof type)) return false;
  if (kind === "primitive" || isReference(value)) return true;
  if (typeof value !== "object") return false;
  return kind === "list" || kind === "set" ? !isLiteral(value) : !Array.isArray(value);
}

/** The value as the checks of the provider read it. */
function inTerraform(value: unknown, shape: Shape): unknown {
  if (Token.isUnresolved(value)) return unknown;
  if (Array.isArray(value)) return value.map((one) => inTerraform(one, "element" in shape ? shape.element : shape));
  if (!isLiteral(value)) return typeof value === "string" ? withUnknowns(value) : value;
  if (shape.kind !== "object") return withUnknowns(value);
  const known = attributesIn(shape.attributes);
  const parts = Object.entries(value).flatMap(([name, inner]) => {
    const attribute = known.get(name);
    return attribute && inner !== undefined ? [[attribute.name, inTerraform(inner, attribute.shape)] as const] : [];
  });
  return Object.fromEntries(parts);
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
    return parts.flatMap((part) => unknownInFile(part, inner.attributes, `${above}${camelCase(name)}.`));
  });
}

const inEveryBlock = [
  "//",
  "alias",
  "connection",
  "count",
  "depends_on",
  "dynamic",
  "for_each",
  "lifecycle",
  "provider",
  "provisioner",
];

function unknownName(name: string, above: string, attributes: readonly Attribute[]): string {
  const names = [...attributesIn(attributes).keys()];
  const holder = attributes.find(
    ({ shape }) => shape.kind === "object" && attributesIn(shape.attributes).has(camelCase(name)),
  );
  const meant = nearest(camelCase(name), names) ?? (holder && `${camelCase(holder.name)}.${camelCase(name)}`);
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
    byName.get(attributes) ?? new Map(attributes.map((attribute) => [camelCase(attribute.name), attribute]));
  byName.set(attributes, found);
  return found;
}

function valueOf(construct: object, shape: Shape): string {
  const wanted = shape.kind === "list" || shape.kind === "set" ? "listValue" : "stringValue";
  const type = shape.kind === "primitive" ? shape.type : undefined;
  const inVariables = type === "number" ? "numberValue" : type === "bool" ? "booleanValue" : wanted;
  const inLocals = { listValue: "asList", stringValue: "asString", numberValue: "asNumber", booleanValue: "asBoolean" };
  if (inVariables in construct) return inVariables;
  return inLocals[inVariables] in construct ? inLocals[inVariables] : "id";
}

const isIterator = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "_getForEachExpression" in value;

function metaArgumentErrors(
  construct: TerraformElement,
  written: {
    readonly provider?: unknown;
    readonly forEach?: unknown;
    readonly dependsOn?: unknown;
    readonly lifecycle?: unknown;
  },
  attributes: readonly Attribute[],
): string[] {
  const { provider, forEach, dependsOn = [], lifecycle } = written;
  const errors: string[] = [];
  if (provider !== undefined && !TerraformProvider.isTerraformProvider(provider)) {
    errors.push(`\`provider\` is ${show(provider)}: give the construct itself, a TenantProvider of this stack.`);
  } else if (provider !== undefined && TerraformStack.of(provider) !== TerraformStack.of(construct)) {
    errors.push(`\`provider\` is ${provider.node.path} of another stack: give a TenantProvider of this stack.`);
  }
  if (forEach !== undefined && !isIterator(forEach)) {
    errors.push(`\`forEach\` is ${show(forEach)}: give TerraformIterator.fromList(…) or TerraformIterator.fromMap(…).`);
  }
  const isConstruct = (one: unknown) => typeof (one as { fqn?: unknown } | null)?.fqn === "string";
  const strange = Array.isArray(dependsOn) ? (dependsOn as unknown[]).filter((one) => !isConstruct(one)) : [dependsOn];
  if (strange.length > 0) errors.push(`\`dependsOn\` contains ${show(strange[0])}: give a list of constructs.`);
  const { ignoreChanges } = (lifecycle ?? {}) as { readonly ignoreChanges?: unknown };
  const names = attributes.map((attribute) => attribute.name);
  for (const ignored of Array.isArray(ignoreChanges) ? (ignoreChanges as unknown[]) : []) {
    if (names.includes(/^\w+/.exec(String(ignored))?.[0] ?? "") || Token.isUnresolved(ignored)) continue;
    errors.push(
      `\`lifecycle.ignoreChanges\` contains ${show(ignored)}. Known are, in Terraform's names, ${names.join(", ")}.`,
    );
  }
  return errors;
}
