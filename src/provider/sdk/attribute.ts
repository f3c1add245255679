/** Describes an attribute beyond its zod schema: its description, and its options for Terraform. */
import * as z from "zod";
import type { Path } from "../../formats/cty/path";
import type { Unknown } from "../../formats/cty/value";
import type { Diagnostic } from "./diagnostic";

// A process parses few objects: compiling the parser of each schema takes longer than it saves.
z.config({ jitless: true });

export interface AttributeOptions {
  /** Never shown by Terraform, never in our logs or messages. */
  readonly sensitive?: boolean;
  /** A change of it means a new object: the old one is destroyed. */
  readonly replace?: boolean;
  /** Computed, and new after every update (a time of last change); other computed attributes stay what they were. */
  readonly volatile?: boolean;
  /** Taken from the configuration alone, for create and update; in no plan and no state. At the top level; Terraform 1.11. */
  readonly writeOnly?: boolean;
  /** If nobody writes it, the definition's `derive` plans it, or the data source reads it. */
  readonly derived?: boolean;
  /** Written as a block. Terraform refuses unknown arguments in a block, and silently drops those in a nested attribute. */
  readonly block?: true;
  /**
   * Allows a list or set of objects that is no block to be written as blocks too, `keys { … }` for `keys = [{ … }]`. Terraform
   * then gets no descriptions of its parts, and requires every part of a list.
   */
  readonly alsoBlocks?: true;
  /** `false`, `""`, `[]`, and a block of such attributes mean that it is absent. Plan and state keep what is written, as Terraform demands. */
  readonly mayBeBlank?: true;
  /** Checks between the parts of the value, also while some parts are unknown. */
  readonly rules?: readonly Rule[];
  /** The texts that this version knows, for editors. In such a text, `<…>` means any text. */
  readonly values?: readonly string[];
  /** A value that passes, for documentation. */
  readonly example?: unknown;
}

export interface AttributeNotes extends AttributeOptions {
  readonly description: string;
}

/** A value of which any part may be unknown or absent. */
export type PartiallyUnknown<T> =
  | Unknown
  | undefined
  | (T extends readonly (infer E)[]
      ? readonly PartiallyUnknown<E>[]
      : T extends object
        ? { readonly [K in keyof T]?: PartiallyUnknown<T[K]> }
        : T);

/**
 * Checks the parts of one value against each other, and says through `report` what is wrong. The value is known as a
 * whole or in part: a rule steps over what is unknown.
 */
export type Rule = (value: unknown, report: Report) => void;
/** `at` is relative to the value that the rule was given. */
export type Report = (detail: string, at?: Path, severity?: Diagnostic["severity"]) => void;

const notes = z.registry<AttributeNotes>();
const orders = new WeakMap<z.ZodType, "list" | "set">();

/** Gives a schema its description and options. Call it outermost: `.optional()` loses the notes of an inner schema. */
export function attribute<S extends z.ZodType>(schema: S, description: string, options: AttributeOptions = {}): S {
  const other = notes.get(schema)?.description ?? description;
  if (other !== description) throw new Error(`one schema for two attributes: "${other}" and "${description}"`);
  notes.add(schema, { ...options, description });
  return schema;
}

/** The notes of an attribute. Throws where there are none: its author forgot the description. */
export function notesOf(schema: z.ZodType, name: string): AttributeNotes {
  const found = notes.get(schema);
  if (!found) throw new Error(`attribute ${name} has no description: wrap its schema in attribute(…)`);
  return found;
}

/**
 * Schemas without a check. Definitions have each of them many times, and a schema takes 8 µs to make. `.optional()` makes a new schema, which
 * can get notes of its own.
 */
export const string = z.string();
export const number = z.number();

/** A rule whose value has the type of a schema. */
export function rule<S extends z.ZodType>(
  _schema: S,
  check: (value: Exclude<PartiallyUnknown<z.infer<S>>, Unknown | undefined>, report: Report) => void,
): Rule {
  return check as Rule;
}

interface SizeOptions {
  readonly min?: number;
  readonly max?: number;
  /** The noun for the elements in messages. */
  readonly of?: string;
}

/** A set of Terraform: elements without an order. It words its own limits, because zod's messages do not name the elements. */
export function setOf<S extends z.ZodType>(element: S, options: SizeOptions = {}): z.ZodArray<S> {
  return ordered("set", element, options);
}

/** Elements in an order that counts: Terraform's list. */
export function listOf<S extends z.ZodType>(element: S, options: SizeOptions = {}): z.ZodArray<S> {
  return ordered("list", element, options);
}

function ordered<S extends z.ZodType>(
  kind: "list" | "set",
  element: S,
  { min = 0, max = Infinity, of = "values" }: SizeOptions,
): z.ZodArray<S> {
  let schema = z.array(element);
  if (min > 0) {
    const least = min === 1 ? `one of the ${of}` : `${min} ${of}`;
    schema = schema.min(min, `list at least ${least}, or leave the attribute out`);
  }
  if (max < Infinity) schema = schema.max(max, `list at most ${max} ${of}`);
  orders.set(schema, kind);
  return schema;
}

/** Throws for an array that is neither, as `.max()` makes one of both. */
export function kindOf(schema: z.ZodArray, name: string): "list" | "set" {
  const kind = orders.get(schema);
  if (kind) return kind;
  throw new Error(`attribute ${name} is an array: say setOf(…) or listOf(…), and the number of elements within it`);
}
