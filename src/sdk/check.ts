/** Early validation: everything wrong with what is known of a configuration, holes stepped over. */
import type * as z from "zod";
import type { Path } from "../cty/path";
import { formatPath } from "../cty/path";
import { isList, isObject, unknown } from "../cty/value";
import type { Fault, Rule } from "./attribute";
import type { Attribute, Shape } from "./schema";

/** What may be checked: a resource, a data source, the provider block. */
export interface Checkable {
  readonly config: z.ZodObject;
  /** Those of the config, from `attributesOf`; others may stand among them. */
  readonly attributes: readonly Attribute[];
  readonly rules?: readonly Rule[];
}

/**
 * Faults of a plain configuration in which any part may be `unknown`. Each names the attribute in full, shows the value
 * unless it is sensitive, and says the remedy.
 */
export function check({ config, attributes, rules = [] }: Checkable, plain: unknown): Fault[] {
  const shape: Shape = { kind: "object", attributes };
  return [...schemaFaults(config, shape, plain), ...ruleFaults(shape, rules, plain, [], false)];
}

function schemaFaults(config: z.ZodObject, shape: Shape, plain: unknown): Fault[] {
  const parsed = config.safeParse(plain, { reportInput: false });
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => {
    const { path, value, sensitive, passesHole } = locate(shape, plain, issue.path);
    if (passesHole) return [];
    const subject = formatPath(path) || "the configuration";
    const missing = value === undefined ? `\`${subject}\` is missing` : undefined;
    return [
      {
        path,
        severity: "error" as const,
        summary: value === undefined ? `Missing ${subject}` : `Invalid ${subject}`,
        detail: `${missing ?? `\`${subject}\` is ${show(value, sensitive)}`}: ${issue.message}.`,
      },
    ];
  });
}

interface Place {
  readonly path: Path;
  readonly value: unknown;
  readonly sensitive: boolean;
  /** The value, or something that it stands in, is unknown. */
  readonly passesHole: boolean;
}

/** Follows zod's keys through shape and value; the path ends at a set, whose elements have no address. */
function locate(shape: Shape, plain: unknown, keys: readonly PropertyKey[]): Place {
  const path: Path[number][] = [];
  let current: Shape | undefined = shape;
  let value = plain;
  let sensitive = false;
  let addressable = true;
  for (const key of keys) {
    if (value === unknown) break;
    value = (value as { [key: PropertyKey]: unknown } | undefined)?.[key];
    if (current?.kind === "object") {
      const attribute: Attribute | undefined = current.attributes.find(({ name }) => name === key);
      if (addressable) path.push({ attribute: String(key) });
      sensitive ||= attribute?.sensitive ?? false;
      current = attribute?.shape;
    } else if (current && current.kind !== "primitive") {
      addressable &&= current.kind !== "set";
      if (addressable) path.push(current.kind === "map" ? { key: String(key) } : { index: Number(key) });
      current = current.element;
    }
  }
  return { path, value, sensitive, passesHole: value === unknown };
}

function ruleFaults(shape: Shape, rules: readonly Rule[], value: unknown, path: Path, inSet: boolean): Fault[] {
  if (value === unknown || value === undefined) return [];
  const faults: Fault[] = [];
  for (const rule of rules) {
    rule(value, (detail, at = [], severity = "error") => {
      const where = inSet ? path : [...path, ...at];
      const summary = `${severity === "error" ? "Invalid" : "Doubtful"} ${formatPath(where) || "configuration"}`;
      faults.push({ path: where, severity, summary, detail });
    });
  }
  if (shape.kind === "object" && isObject(value)) {
    for (const { name, shape: inner, rules: innerRules = [] } of shape.attributes) {
      faults.push(...ruleFaults(inner, innerRules, value[name], inSet ? path : [...path, { attribute: name }], inSet));
    }
  } else if ((shape.kind === "list" || shape.kind === "set") && isList(value)) {
    value.forEach((element, index) => {
      const intoSet = inSet || shape.kind === "set";
      faults.push(...ruleFaults(shape.element, [], element, intoSet ? path : [...path, { index }], intoSet));
    });
  }
  return faults;
}

const longest = 120;

/** A value as it would be written in a configuration, cut where it is long. */
export function show(value: unknown, sensitive = false): string {
  if (sensitive) return "(sensitive)";
  const text = JSON.stringify(value, (_key, inner: unknown) => (inner === unknown ? "(known after apply)" : inner));
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}…${typeof value === "string" ? ` (${value.length} characters)` : ""}`;
}
