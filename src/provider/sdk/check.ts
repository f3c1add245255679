/** Validates the known parts of a configuration early. */
import type * as z from "zod";
import { formatPath, type Path } from "../../formats/cty/path";
import { isList, isObject, unknown, type Value } from "../../formats/cty/value";
import { rows } from "../../judge/codes/codes";
import type { Rule } from "./attribute";
import { blanksAsAbsent } from "./values";
import type { Diagnostic } from "./diagnostic";
import type { Attribute, Shape } from "./schema";

/** A resource, a data source or the provider block. */
interface Checkable {
  readonly config: z.ZodObject;
  /** The attributes of the config, from `attributesOf`, and possibly others. */
  readonly attributes: readonly Attribute[];
  readonly rules?: readonly Rule[];
}

/**
 * Finds the mistakes in a plain configuration; any part may be `unknown`. Each diagnostic names the attribute in full,
 * shows the value unless it is sensitive, and gives the remedy.
 */
export function check({ config, attributes, rules = [] }: Checkable, given: unknown): Diagnostic[] {
  const plain = blanksAsAbsent(attributes, given);
  const shape: Shape = { kind: "object", attributes };
  const doubtful = ruleDiagnostics(shape, rules, plain, [], false);
  const found = [...schemaDiagnostics(config, shape, plain), ...onePerAttribute(shape, plain, doubtful)];
  return found.map((one) => ({ ...one, path: shownPath(shape, one.path) }));
}

/** Terraform prints the line of the attribute, and with it a secret that is written there: the path ends above the secret. */
function shownPath(shape: Shape, path: Path): Path {
  const [first, ...rest] = path;
  if (first === undefined) return path;
  if (!("attribute" in first)) return "element" in shape ? [first, ...shownPath(shape.element, rest)] : path;
  const found = shape.kind === "object" ? shape.attributes.find(({ name }) => name === first.attribute) : undefined;
  if (found?.sensitive) return [];
  return found ? [first, ...shownPath(found.shape, rest)] : path;
}

/**
 * One diagnostic for all entries of an attribute. Terraform shows only the first of several warnings with one summary, so the summary of a
 * warning has the value.
 */
function onePerAttribute(shape: Shape, plain: unknown, all: readonly Diagnostic[]): Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const one of all) {
    const key = JSON.stringify([one.severity, one.path]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => {
    const first = group[0]!;
    const details = group.map(({ detail }) => detail);
    const detail = details.length === 1 ? first.detail : details.map((one) => `- ${one}`).join("\n");
    if (first.severity === "error") return { ...first, detail };
    const keys = first.path.map((step) =>
      "attribute" in step ? step.attribute : "key" in step ? step.key : step.index,
    );
    const { value, sensitive } = locate(shape, plain, keys);
    const shown = value === undefined || sensitive ? "" : ` ${show(value)}`;
    return { ...first, code: ["TNF-DOUBTFUL-VALUE", `${formatPath(first.path) || "configuration"}${shown}`], detail };
  });
}

function schemaDiagnostics(config: z.ZodObject, shape: Shape, plain: unknown): Diagnostic[] {
  const parsed = config.safeParse(plain);
  if (parsed.success) return [];
  return firstOfEach(parsed.error.issues).flatMap((issue) => {
    const { path, value, sensitive } = locate(shape, plain, issue.path);
    const severity = "error" as const;
    if (issue.code === "invalid_key") {
      const [{ message } = issue] = issue.issues;
      const subject = formatPath(path.slice(0, -1));
      const key = show(String(issue.path.at(-1)), sensitive);
      return [
        {
          path,
          severity,
          code: ["TNF-INVALID-VALUE", subject],
          detail: `\`${subject}\` has the key ${key}: ${message}.`,
        },
      ];
    }
    if (value === unknown) return [];
    const subject = formatPath(path) || "the configuration";
    const isMissing = value === undefined;
    const isEntry = isMissing && typeof issue.path.at(-1) === "number";
    const isNull = "attribute" in (path.at(-1) ?? {}) ? "has an entry that is null" : "is null";
    const problem = isEntry ? isNull : isMissing ? "is missing" : `is ${show(value, sensitive)}`;
    return [
      {
        path,
        severity,
        code: [isMissing && !isEntry ? "TNF-MISSING-VALUE" : "TNF-INVALID-VALUE", subject],
        detail: `\`${subject}\` ${problem}: ${remedyIn(issue)}${isEntry ? " in its place, or leave it out" : ""}.`,
      },
    ];
  });
}

/** What to give, by the names of zod and of shapes. */
const nouns: Readonly<Record<string, string>> = {
  boolean: "true or false",
  bool: "true or false",
  object: "an object",
  array: "a list",
  list: "a list",
  set: "a list",
  record: "a map",
  int: "a whole number",
};

/** What to give for a shape. */
export function nounOf(shape: Shape): string {
  const kind = shape.kind === "primitive" ? shape.type : shape.kind;
  return nouns[kind] ?? `a ${kind}`;
}

/** Replaces zod's own message for a wrong type, which uses zod's names and `undefined`. */
function remedyIn(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) return issue.message;
  return `give ${nouns[issue.expected] ?? `a ${issue.expected}`}`;
}

/** Reports one problem for each value, although an empty text is both too short and of the wrong form. */
function firstOfEach(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const byPlace = new Map(issues.toReversed().map((issue) => [JSON.stringify(issue.path), issue]));
  return issues.filter((issue) => byPlace.get(JSON.stringify(issue.path)) === issue);
}

interface Place {
  readonly path: Path;
  readonly value: unknown;
  readonly sensitive: boolean;
}

/** Follows zod's keys through shape and value; the path ends at a set, whose elements have no address. */
function locate(shape: Shape, plain: unknown, keys: readonly PropertyKey[]): Place {
  const path: Path[number][] = [];
  let current: Shape | undefined = shape;
  let value = plain;
  let sensitive = false;
  let addressable = true;
  for (const key of keys) {
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
  return { path, value, sensitive };
}

function ruleDiagnostics(
  shape: Shape,
  rules: readonly Rule[],
  value: unknown,
  path: Path,
  inSet: boolean,
): Diagnostic[] {
  if (value === unknown || value === undefined || !isOfShape(value, shape)) return [];
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) {
    rule(value, (detail, at = [], severity = "error") => {
      const where = inSet ? path : [...path, ...at];
      const code = severity === "error" ? "TNF-INVALID-VALUE" : "TNF-DOUBTFUL-VALUE";
      diagnostics.push({ path: where, severity, code: [code, formatPath(where) || "configuration"], detail });
    });
  }
  if (shape.kind === "object" && isObject(value)) {
    for (const { name, shape: inner, rules: innerRules = [] } of shape.attributes) {
      diagnostics.push(
        ...ruleDiagnostics(inner, innerRules, value[name], inSet ? path : [...path, { attribute: name }], inSet),
      );
    }
  } else if ((shape.kind === "list" || shape.kind === "set") && isList(value)) {
    value.forEach((element, index) => {
      const intoSet = inSet || shape.kind === "set";
      diagnostics.push(...ruleDiagnostics(shape.element, [], element, intoSet ? path : [...path, { index }], intoSet));
    });
  }
  return diagnostics;
}

/** Rules expect values of the right form. A value of another form is refused already. */
function isOfShape(value: unknown, shape: Shape): boolean {
  if (value === unknown) return true;
  if (shape.kind === "primitive") return (shape.type === "string") === (typeof value === "string");
  if (shape.kind === "object") return isObject(value);
  const elements = shape.kind === "map" ? isObject(value) && Object.values(value) : isList(value) && value;
  return elements !== false && elements.every((element) => isOfShape(element, shape.element));
}

const longest = 120;

/** A value as it would be written in a configuration, cut where it is long. */
export function show(value: unknown, sensitive = false): string {
  if (sensitive) return "(sensitive)";
  // JSON knows neither of them.
  if (typeof value === "number" || value === undefined) return String(value);
  if (typeof value === "function") return "a function";
  if (value instanceof Map || value instanceof Set || value instanceof Promise) return `a ${value.constructor.name}`;
  const text = JSON.stringify(value, (_key, inner: unknown) => (inner === unknown ? "(known after apply)" : inner));
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}…${typeof value === "string" ? ` (${value.length} characters)` : ""}`;
}

/* Parts of an object that the service returns and that this version does not know. An update would remove them. */

/** `rule.match.new_signal = ["x"]`. Values beside the attributes of the object itself are no parts: no update sends them. */
export function strangeParts(shape: Shape, value: Value | undefined, path = ""): string[] {
  if (isList(value) && "element" in shape) return value.flatMap((one) => strangeParts(shape.element, one, path));
  if (shape.kind !== "object" || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const attribute = shape.attributes.find((one) => one.name === name);
    if (attribute) return strangeParts(attribute.shape, part, path === "" ? name : `${path}.${name}`);
    return path === "" || part === null ? [] : [`\`${path}.${name}\` = ${show(part)}`];
  });
}

export function strangeReport(severity: Diagnostic["severity"], title: string, parts: readonly string[]): Diagnostic {
  const lead = severity === "error" ? "The planned update would remove what" : "Terraform does not show what";
  return {
    severity,
    code: ["TNF-UNKNOWN-PART", title],
    detail: `${lead} this version of the provider does not know: ${parts.join(", ")}. ${rows["TNF-UNKNOWN-PART"].remedy}`,
    path: [],
  };
}
