/** Checks the form of a construct's configuration, because the generated class drops or mishandles wrong forms. */
import { TerraformProvider, TerraformStack, Token, type TerraformElement } from "cdktf";
import { Construct } from "constructs";
import { isList, isObject, unknown } from "../cty/value";
import { show } from "../sdk/check";
import type { Attribute, Shape } from "../sdk/schema";
import { nearest } from "../text/nearest";
import { camelCase, pascalCase } from "./naming";
import type { Plain } from "./plain";

/** Problems of the configuration's form. Without them, a misspelled signal would silently have no effect. */
export interface Heard {
  readonly errors: string[];
  readonly warnings: string[];
  /** Paths of values that the file will lack, in Terraform names. `[]` is an element of a list. */
  readonly meant: (readonly string[])[];
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
    throw new Error(
      `${construct} takes the stack, an id and an object: new ${construct}(stack, "id", { ${required(attributes)} }).`,
    );
  }
  const known = sift(config, { kind: "object", attributes }, { text: "", steps: [] }, silently()) as C;
  const { forEach } = known as { readonly forEach?: unknown };
  return forEach === undefined || isIterator(forEach) ? known : { ...known, forEach: undefined };
}

function required(attributes: readonly Attribute[]): string {
  return [...attributes.filter((attribute) => attribute.required).map(({ name }) => `${camelCase(name)}: …`), "…"].join(
    ", ",
  );
}

export function hear(construct: TerraformElement, written: object, attributes: readonly Attribute[]): Heard {
  const heard = silently();
  sift(written, { kind: "object", attributes }, { text: "", steps: [] }, heard);
  hearMetaArguments(construct, written, attributes, heard);
  return heard;
}

/** Puts `unknown` at the path, so that no check reports the value as missing. */
export function withMeant(plain: Plain, [name, ...rest]: readonly string[]): Plain {
  if (name === undefined) return plain;
  const value = plain[name];
  if (value === undefined || (isList(value) && rest.length > 0)) return { ...plain, [name]: unknown };
  return isObject(value) ? { ...plain, [name]: withMeant(value, rest) } : plain;
}

function silently(): Heard {
  return { errors: [], warnings: [], meant: [] };
}

interface Place {
  /** In the names of the construct. */
  readonly text: string;
  readonly steps: readonly string[];
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

/** Returns the same value if all of it is valid, because authors may change their lists later. */
function sift(value: unknown, shape: Shape, place: Place, heard: Heard): unknown {
  if (value === undefined || value === null) return undefined;
  const problem = problemOf(value, shape);
  if (problem !== undefined) {
    heard.errors.push(`\`${place.text}\` is ${problem}.`);
    heard.meant.push(place.steps);
    return undefined;
  }
  // The message shows only the end of the value, because the rest may be a secret.
  const [nothing] = (typeof value === "string" && /(?<=^|[:|/])(undefined|null|NaN)$|\[object \w+\]/.exec(value)) || [];
  if (nothing !== undefined) {
    heard.warnings.push(`\`${place.text}\` contains "${nothing}". The program probably built it from a missing value.`);
  }
  // The generated class would read the methods of the text as attributes.
  if (shape.kind === "object" && typeof value === "string") return Token.asAny(value);
  if (shape.kind === "object") return isLiteral(value) ? siftObject(value, shape.attributes, place, heard) : value;
  if (shape.kind === "map") return isLiteral(value) ? siftMap(value, shape.element, place, heard) : value;
  return Array.isArray(value) && shape.kind !== "primitive" ? siftList(value, shape.element, place, heard) : value;
}

type Literal = Readonly<Record<string, unknown>>;

function isLiteral(value: unknown): value is Literal {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function siftObject(value: Literal, attributes: readonly Attribute[], place: Place, heard: Heard): Literal {
  const prefix = place.text === "" ? "" : `${place.text}.`;
  const known = attributesIn(attributes);
  return mapped(value, (inner, name) => {
    const attribute = known.get(name);
    if (attribute) {
      return sift(inner, attribute.shape, { text: prefix + name, steps: [...place.steps, attribute.name] }, heard);
    }
    if (inner === undefined || (prefix === "" && metaArguments.some((argument) => argument === name))) return inner;
    const names = [...known.keys()];
    const meant = suggestion(name, names, attributes);
    heard.errors.push(
      `\`${prefix}${name}\` is unknown. Known are ${names.join(", ")}${meant ? `; \`${prefix}${meant}\` is probably meant` : ""}.`,
    );
    if (!place.steps.includes("[]")) {
      heard.meant.push(place.steps, ...(meant ? [[...place.steps, ...stepsOf(meant, attributes)]] : []));
    }
    return inner;
  });
}

function stepsOf(meant: string, attributes: readonly Attribute[]): string[] {
  const [first] = meant.split(".");
  return attributes.filter(({ name }) => camelCase(name) === first).map(({ name }) => name);
}

/** The closest name, also in nested objects. */
function suggestion(name: string, names: readonly string[], attributes: readonly Attribute[]): string | undefined {
  const near = nearest(camelCase(name), names);
  if (near !== undefined) return near;
  const holder = attributes.find(
    ({ shape }) => shape.kind === "object" && attributesIn(shape.attributes).has(camelCase(name)),
  );
  return holder && `${camelCase(holder.name)}.${camelCase(name)}`;
}

function siftMap(value: Literal, element: Shape, place: Place, heard: Heard): Literal {
  return mapped(value, (inner, key) => {
    const text = `${place.text}[${JSON.stringify(key)}]`;
    if (inner === undefined || inner === null) {
      heard.errors.push(`\`${text}\` is ${inner} and would be dropped: give a text, which may be empty.`);
    }
    return sift(inner, element, { text, steps: place.steps }, heard);
  });
}

function siftList(value: readonly unknown[], element: Shape, place: Place, heard: Heard): readonly unknown[] {
  // The list may have holes, which only a loop over the indexes visits.
  const sifted = Array.from(value, (inner, index) => {
    const text = `${place.text}[${index}]`;
    if (inner === undefined) {
      heard.errors.push(
        `\`${text}\` is undefined and would be dropped: remove it, or give a value. Perhaps an environment variable is not set.`,
      );
    }
    return inner === null ? inner : sift(inner, element, { text, steps: [...place.steps, "[]"] }, heard);
  });
  return sifted.every((inner, index) => inner === value[index]) ? value : sifted.filter((inner) => inner !== undefined);
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

/** Describes the wrong form of a value and the remedy. */
function problemOf(value: unknown, shape: Shape): string | undefined {
  if (Construct.isConstruct(value)) {
    return `the construct ${value.node.path}: give one of its values, such as its \`${valueOf(value, shape)}\``;
  }
  if (typeof value === "function") return "a function: call it, with parentheses after its name";
  if (value instanceof Promise) return "a promise: await it first";
  if (value instanceof Set) return "a Set: give a list, [...set]";
  if (value instanceof Map) return "a Map: give an object, Object.fromEntries(map)";
  if (shape.kind === "primitive" || isReference(value)) return undefined;
  if (shape.kind === "list" || shape.kind === "set") {
    return typeof value !== "object" || isLiteral(value) ? `${show(value)}: give a list` : undefined;
  }
  const names = shape.kind === "object" ? ` with ${[...attributesIn(shape.attributes).keys()].join(", ")}` : "";
  if (Array.isArray(value)) return `a list: give an object${names}, without [ ]`;
  return typeof value === "object" ? undefined : `${show(value)}: give an object${names}`;
}

export function isReference(value: unknown): boolean {
  return Token.isUnresolved(value) || (typeof value === "string" && value.includes("${"));
}

function valueOf(construct: object, shape: Shape): string {
  const wanted = shape.kind === "list" || shape.kind === "set" ? "listValue" : "stringValue";
  const type = shape.kind === "primitive" ? shape.type : undefined;
  const inVariables = type === "number" ? "numberValue" : type === "bool" ? "booleanValue" : wanted;
  const inLocals = { listValue: "asList", stringValue: "asString", numberValue: "asNumber", booleanValue: "asBoolean" };
  if (inVariables in construct) return inVariables;
  return inLocals[inVariables] in construct ? inLocals[inVariables] : "id";
}

function isIterator(value: unknown): boolean {
  return typeof value === "object" && value !== null && "_getForEachExpression" in value;
}

function hearMetaArguments(
  construct: TerraformElement,
  written: {
    readonly provider?: unknown;
    readonly forEach?: unknown;
    readonly dependsOn?: unknown;
    readonly lifecycle?: unknown;
  },
  attributes: readonly Attribute[],
  { errors }: Heard,
): void {
  const { provider, forEach, dependsOn = [], lifecycle } = written;
  if (provider !== undefined && !TerraformProvider.isTerraformProvider(provider)) {
    errors.push(`\`provider\` is ${show(provider)}: give the construct itself, a TenantProvider of this stack.`);
  } else if (provider !== undefined && TerraformStack.of(provider) !== TerraformStack.of(construct)) {
    errors.push(`\`provider\` is ${provider.node.path} of another stack: give a TenantProvider of this stack.`);
  }
  if (forEach !== undefined && !isIterator(forEach)) {
    errors.push(`\`forEach\` is ${show(forEach)}: give TerraformIterator.fromList(…) or TerraformIterator.fromMap(…).`);
  }
  if (!Array.isArray(dependsOn)) errors.push("`dependsOn` is not a list: give a list of constructs.");
  else {
    const strange: unknown = dependsOn.find((one) => typeof (one as { fqn?: unknown } | null)?.fqn !== "string");
    if (strange !== undefined) errors.push(`\`dependsOn\` contains ${show(strange)}: give constructs.`);
  }
  const { ignoreChanges } = (lifecycle ?? {}) as { readonly ignoreChanges?: unknown };
  for (const ignored of Array.isArray(ignoreChanges) ? (ignoreChanges as unknown[]) : []) {
    const [name = ""] = /^\w+/.exec(String(ignored)) ?? [];
    if (attributes.some((attribute) => attribute.name === name) || Token.isUnresolved(ignored)) continue;
    const names = attributes.map((attribute) => attribute.name);
    errors.push(
      `\`lifecycle.ignoreChanges\` contains ${show(ignored)}. Known are, in Terraform's names, ${names.join(", ")}.`,
    );
  }
}
