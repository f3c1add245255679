/** Reads application/x-www-form-urlencoded with nested names: rule[match][asns][0]=64496, members[]=auth0|a. */
import { isObject, type Schema } from "../schema/schema";

type Branch = Map<string, unknown>;

const deepest = 20;

/** The steps of `rule[match][asns][]`. An unclosed bracket belongs to the name. */
function steps(name: string): string[] {
  const parts = /^([^[]*)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!parts || (parts[1] === "" && parts[2] === "")) return [name];
  const inner = [...parts[2]!.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1]!);
  return [parts[1]!, ...inner].slice(0, deepest);
}

function insert(branch: Branch, [step, ...rest]: string[], value: string): void {
  const key = step === "" ? String(branch.size) : step!;
  const present = branch.get(key);
  if (rest.length === 0) {
    // A repeated name makes a list: members=a&members=b.
    if (present === undefined) branch.set(key, value);
    else if (present instanceof Map) present.set(String(present.size), value);
    else branch.set(key, new Map([["0", present]]).set("1", value));
    return;
  }
  const next: Branch = present instanceof Map ? present : new Map();
  branch.set(key, next);
  insert(next, rest, value);
}

/** A branch with the names 0, 1, 2… becomes a list, any other an object. */
function toValue(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const names = [...value.keys()];
  if (names.length > 0 && names.every((name) => /^\d{1,6}$/.test(name))) {
    return names.toSorted((a, b) => Number(a) - Number(b)).map((name) => toValue(value.get(name)));
  }
  return Object.fromEntries([...value].map(([name, entry]) => [name, toValue(entry)]));
}

export function parseForm(text: string): unknown {
  const root: Branch = new Map();
  for (const [name, value] of new URLSearchParams(text)) insert(root, steps(name), value);
  return Object.fromEntries([...root].map(([name, value]) => [name, toValue(value)]));
}

/** Turns the texts of a form into the numbers, booleans and lists that the schema describes. */
export function fromForm(schema: Schema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => fromForm(schema?.items, item));
  if (isObject(value)) {
    const alternatives = schema?.oneOf ?? [];
    const properties: Record<string, Schema> = Object.assign(
      {},
      ...alternatives.map((alternative) => alternative.properties),
      schema?.properties,
    );
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, fromForm(properties[name], entry)]));
  }
  if (schema?.type === "array") return [fromForm(schema.items, value)];
  if (schema?.type === "boolean" && (value === "true" || value === "false")) return value === "true";
  const isNumber = schema?.type === "number" || schema?.type === "integer";
  if (isNumber && typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value;
}
