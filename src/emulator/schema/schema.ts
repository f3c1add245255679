/** A JSON Schema checker that complains in the service's words: one sentence, about the first thing wrong. */
import { formats, type Format } from "./format";

export interface Schema {
  type?: "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
  description?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean;
  minProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  enum?: readonly unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: Format | "date-time" | "rate-limit-policy-id";
  pattern?: string;
  default?: unknown;
  /** Secret: taken, and never shown again. */
  writeOnly?: boolean;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
}

export interface Issue {
  /** What is wrong. */
  problem: string;
  /** The property it is about: `rule.match.asns`; empty for the whole. */
  path: string;
  /** Why each of the possible schemas was not met. */
  inner?: string;
}

type Properties = Record<string, unknown>;

export const isObject = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

const hasType = (type: string, value: unknown) =>
  typeOf(value) === type || (type === "number" && typeof value === "number");

const within = (path: string, key: string | number) =>
  typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;

const same = (a: unknown, b: unknown) => a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));

function repeated(list: unknown[]): [number, number] | undefined {
  for (let second = 1; second < list.length; second++) {
    const first = list.findIndex((entry) => same(entry, list[second]));
    if (first < second) return [first, second];
  }
  return undefined;
}

function* listIssues(schema: Schema, list: unknown[], path: string): Generator<Issue> {
  const { minItems = 0, maxItems = Infinity, uniqueItems, items } = schema;
  if (list.length < minItems) yield { problem: `Array is too short (${list.length}), minimum ${minItems}`, path };
  if (list.length > maxItems) yield { problem: `Array is too long (${list.length}), maximum ${maxItems}`, path };
  const twice = uniqueItems ? repeated(list) : undefined;
  if (twice) yield { problem: `Array items are not unique (indexes ${twice[0]} and ${twice[1]})`, path };
  if (items) for (const [index, item] of list.entries()) yield* issues(items, item, within(path, index));
}

function* propertyIssues(schema: Schema, value: Properties, path: string): Generator<Issue> {
  const { properties = {}, required = [], additionalProperties = true, minProperties = 0 } = schema;
  for (const name of required) {
    if (!Object.hasOwn(value, name)) yield { problem: `Missing required property: ${name}`, path };
  }
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  if (!additionalProperties && unknown.length > 0) {
    yield { problem: `Additional properties not allowed: ${unknown.join(",")}`, path };
  }
  const count = Object.keys(value).length;
  if (count < minProperties) yield { problem: `Too few properties defined (${count}), minimum ${minProperties}`, path };
  for (const [name, entry] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) yield* issues(properties[name]!, entry, within(path, name));
  }
}

function* textIssues(schema: Schema, text: string, path: string): Generator<Issue> {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  const length = [...text].length;
  if (length < minLength) yield { problem: `String is too short (${length} chars), minimum ${minLength}`, path };
  if (length > maxLength) yield { problem: `String is too long (${length} chars), maximum ${maxLength}`, path };
  if (pattern && !new RegExp(pattern, "u").test(text)) {
    yield { problem: `String does not match pattern: ${pattern}`, path };
  }
  const check = format && (formats as Record<string, ((text: string) => boolean) | undefined>)[format];
  if (check && !check(text)) yield { problem: `Object didn't pass validation for format ${format}: ${text}`, path };
}

function* choiceIssues(schema: Schema, value: unknown, path: string): Generator<Issue> {
  const choices = schema.oneOf ?? schema.anyOf ?? [];
  const failures = choices.map((choice) => firstIssue(choice, value, path));
  const met = failures.filter((failure) => failure === undefined).length;
  if (met === 1 || (met > 1 && !schema.oneOf)) return;
  if (met > 1) yield { problem: "More than one of the valid schemas were met", path };
  else {
    const inner = failures.map((failure) => sentence(failure!)).join(", ");
    yield { problem: "None of the valid schemas were met", path, inner };
  }
}

function* issues(schema: Schema, value: unknown, path: string): Generator<Issue> {
  if (schema.type && !hasType(schema.type, value)) {
    yield { problem: `Expected type ${schema.type} but found type ${typeOf(value)}`, path };
    return;
  }
  if (schema.enum && !schema.enum.includes(value)) {
    yield { problem: `No enum match for: ${typeof value === "string" ? value : JSON.stringify(value)}`, path };
  }
  if (typeof value === "number") {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    if (value < minimum) yield { problem: `Value ${value} is less than minimum ${minimum}`, path };
    if (value > maximum) yield { problem: `Value ${value} is greater than maximum ${maximum}`, path };
  }
  if (typeof value === "string") yield* textIssues(schema, value, path);
  if (Array.isArray(value)) yield* listIssues(schema, value, path);
  if (isObject(value)) yield* propertyIssues(schema, value, path);
  if (schema.oneOf || schema.anyOf) yield* choiceIssues(schema, value, path);
}

/** The first thing wrong with a value, or undefined. */
export function firstIssue(schema: Schema, value: unknown, path = ""): Issue | undefined {
  const found = issues(schema, value, path).next();
  return found.done ? undefined : found.value;
}

const secret = "(secret)";

/** The value without what the schema calls secret; beside a secret, what the schema does not know may be one as well. */
export function blanked(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => blanked(schema.items ?? {}, item));
  const { properties = {} } = schema;
  const guarded = Object.values(properties).some(({ writeOnly }) => writeOnly);
  if (!isObject(value)) return guarded && value !== null ? secret : value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const isSecret = known ? known.writeOnly : guarded;
      return [name, isSecret ? secret : known ? blanked(known, entry) : entry];
    }),
  );
}

/** `'Array is too short (0), minimum 1' on property rule.match.asns.` */
export function sentence({ problem, path, inner }: Issue): string {
  const place = path && ` on property ${path}`;
  return `'${problem}'${place}.${inner ? ` Inner errors: [ ${inner} ].` : ""}`;
}
