/** Turns objects into declarations: the values to write, the name, and the reasons to write a comment only. */
import type { Kind } from "../../judge/kinds/kind";
import { check, show } from "../../provider/sdk/check";
import type { Definition } from "../../provider/sdk/definition";
import { attributesOf, type Attribute, type Shape } from "../../provider/sdk/schema";
import { excerpt } from "../../formats/text/printable";
import { UserError } from "../../formats/text/user-error";
import { distinctNames, keyOf, nameOf, snakeCase, wordsOf, type Candidate } from "./naming";
import { wellFormed } from "../../formats/cty/value";
import { Reference, type Declaration, type Origin, type Values, type Variable, type Written } from "./stack";
import { isRecord } from "../../formats/text/record";
import type { Fields } from "./state";

/** An object of the tenant, or of another provider's state. */
export interface FoundObject {
  readonly kind: Kind;
  readonly definition: Definition;
  readonly id: string;
  /** The attributes of the resource, as a state holds them. */
  readonly content: Fields;
  readonly candidate: Candidate;
  readonly origin?: Origin;
}

/** Whether the objects of the kind are the members of an organization. */
export const isOfOrganization = ({ identity }: Kind): boolean => identity.attribute === "organization_id";

export const entriesOf = (content: Fields, { attribute }: { readonly attribute: string }) =>
  (content[attribute] ?? []) as readonly string[];

/** Compares objects by the attribute that orders their kind, else by their titles. Without titles, their order stays. */
export function inOrderOf({ adoption: { order: attribute } }: Kind) {
  type Ordered = { readonly content: Fields; readonly title?: string };
  const key = ({ content, title = "" }: Ordered) => (attribute === undefined ? title : Number(content[attribute]));
  return (a: Ordered, b: Ordered) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}

/** Sorts lists of texts. Any other value stays, and is refused later. */
export function withSortedList({ list }: Kind, content: Fields): Fields {
  const entries = list && (content[list.attribute] ?? []);
  const isSortable = Array.isArray(entries) && entries.every((one) => typeof one === "string");
  return isSortable ? { ...content, [list!.attribute]: entries.toSorted() } : content;
}

/** A declaration before it has a name. */
export interface Draft extends Omit<Declaration, "name">, Candidate {
  /** Whether all values have the types of the definition. */
  readonly isTyped: boolean;
}

/** Checks the form of an id, because imports, comments and messages contain it. */
export function checkedId(id: unknown, place: string): string {
  if (typeof id === "string" && /^[\w.~-]{1,100}$/.test(id)) return id;
  throw new UserError(
    `${place} has the id ${excerpt(JSON.stringify(id) ?? "undefined", 200)}, which is not an id of the service: ids have at most ` +
      "100 characters, which are letters, digits, _ - . and ~ only. Check where the id comes from. Nothing was written.",
  );
}

export function candidateOf(kind: Kind, content: Fields, title: string): Candidate {
  const { texts, marks: differences, keepsCase } = kind.adoption.suggest(content, title);
  const text = texts.find((one) => wordsOf(one).length > 0) ?? "";
  const words = wordsOf(text);
  return {
    wanted: keepsCase ? words : nameOf(text, [kind.shortNoun]),
    marks: differences.map((difference) => wordsOf(difference).map((word) => word.toLowerCase())),
  };
}

export function draftOf({ kind, definition, id, content, candidate, origin }: FoundObject): Draft {
  const { config, rules } = definition;
  const attributes = attributesOf(config);
  const strange: Strange = { unknown: [], mistaken: [] };
  const values = valuesToWrite(attributes, withoutDerived(kind, content), [], strange);
  const refusals = kind.secret
    ? [secretReason(kind.noun, kind.secret.noun)]
    : check({ config, rules, attributes }, values)
        .filter(({ severity }) => severity === "error")
        .map(({ detail }) => detail);
  const notes = strange.unknown
    .filter((name) => name.includes("."))
    .map(
      (name) =>
        `The tenant has ${name} here, which this version does not know: a change of this object would remove it.`,
    );
  if (JSON.stringify(content).search(halves) >= 0) {
    notes.push("The tenant has half of a surrogate pair here. Terraform reads and writes it as U+FFFD.");
  }
  const refused = [...strange.mistaken, ...refusals];
  const isTyped = config.safeParse(values).success;
  return { ...candidate, kind, id, values, isTyped, notes, refused, ...(origin && { origin }) };
}

const secretReason = (noun: string, secret: string) =>
  `The service does not return the ${secret} of this ${noun}. If you have the ${secret}, remove the comment marks and set the ` +
  "variable: the plan then imports the object and changes nothing. Any other value plans a new object.";

/** As JSON writes half of a surrogate pair. */
const halves = /\\ud[89a-f][\da-f]{2}/;

/** Leaves out values that follow from another attribute. */
function withoutDerived({ derived = {} }: Kind, content: Fields): Fields {
  return Object.fromEntries(
    Object.entries(content).filter(([name]) => (content[derived[name] ?? ""] ?? undefined) === undefined),
  );
}

/** Differences from the definition. */
interface Strange {
  /** Attributes that the definition does not have. */
  readonly unknown: string[];
  /** Sentences on values of another type. */
  readonly mistaken: string[];
}

/** The attributes that people write, without secrets and defaults. The priority is always written. */
function valuesToWrite(
  attributes: readonly Attribute[],
  content: Fields,
  path: readonly string[],
  strange: Strange,
): Values {
  const values: Record<string, Written> = {};
  for (const { name, shape, default: usual, sensitive } of attributes) {
    const value = content[name];
    if (sensitive || value === undefined || value === null || (value === usual && name !== "priority")) continue;
    const own = inner(shape, value, [...path, name], strange);
    if (own !== undefined) values[name] = own;
  }
  const known = new Set(attributes.map(({ name }) => name));
  for (const [name, value] of Object.entries(content)) {
    if (!known.has(name) && value !== null) strange.unknown.push([...path, name].join("."));
  }
  return values;
}

const types = { string: "string", number: "number", bool: "boolean" } as const;

/** The value if it has the type of its attribute. */
function inner(shape: Shape, value: unknown, path: readonly string[], strange: Strange): Written | undefined {
  if (shape.kind === "object" && isRecord(value)) return valuesToWrite(shape.attributes, value, path, strange);
  if ((shape.kind === "list" || shape.kind === "set") && Array.isArray(value)) {
    return value.flatMap((element) => inner(shape.element, element, path, strange) ?? []);
  }
  if (shape.kind === "primitive" && typeof value === types[shape.type]) {
    return typeof value === "string" ? wellFormed(value) : (value as Written);
  }
  const wanted = shape.kind === "primitive" ? shape.type : shape.kind;
  strange.mistaken.push(`\`${path.join(".")}\` is ${show(value)}, which is no ${wanted}.`);
  return undefined;
}

export interface Names {
  /** Names that the directory has already, by resource type. */
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>;
  /** Given if all kinds share one set of names, as constructs of one stack do: names that no object may have. */
  readonly reserved?: readonly string[];
}

/** Gives each draft a name. */
export function declarationsOf(
  kinds: readonly Kind[],
  drafts: readonly Draft[],
  notes: ReadonlyMap<unknown, readonly string[]>,
  { taken, reserved }: Names,
): Declaration[] {
  const shared = new Set(reserved && [...reserved, ...[...taken.values()].flatMap((names) => [...names])].map(keyOf));
  return kinds.flatMap((kind) => {
    const alike = drafts
      .filter((one) => one.kind === kind)
      .map((one) =>
        shared.has(keyOf(snakeCase(one.wanted))) ? { ...one, wanted: [...one.wanted, kind.shortNoun] } : one,
      );
    const names = distinctNames(alike, [...(taken.get(kind.type) ?? []), ...shared]);
    if (reserved) for (const name of names) shared.add(keyOf(snakeCase(name)));
    return alike.map(({ wanted: _wanted, marks: _marks, isTyped: _isTyped, ...rest }, index): Declaration => {
      const name = names[index]!;
      return withSecret({ ...rest, name, notes: [...(notes.get(rest.id) ?? []), ...rest.notes] });
    });
  });
}

function withSecret(declaration: Declaration): Declaration {
  const { secret } = declaration.kind;
  if (!secret) return declaration;
  const variable: Variable = { kind: "variable", name: [...declaration.name, secret.noun] };
  return {
    ...declaration,
    variable,
    values: { ...declaration.values, [secret.attribute]: new Reference(variable) },
  };
}
