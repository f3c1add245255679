/** Reads values of a JSON form, and refuses wrong ones with the attribute, the value and the remedy. */
import { nearest } from "../../../formats/text/nearest";
import { quoted } from "../../access/access";
import { isPrintable } from "../../../formats/text/printable";
import { isUnknown } from "../../../formats/cty/value";

/** Names the attribute, the value and the remedy. */
export class ExpectationError extends Error {
  /** The attribute, in Terraform's names; left out: the whole expectation. */
  readonly attribute?: string;

  /** `problem`: of the place. */
  constructor(where: Place, problem: string) {
    super(`${where.start}${problem}`);
    if (where.path.length > 0) this.attribute = where.path.join(".");
  }
}

/** Where a value stands: the start of each message, and how its reader spells attributes (`atMost` in a program). */
export class Place {
  constructor(
    readonly start: string,
    readonly spelled: (attribute: string) => string = (attribute) => attribute,
    readonly path: readonly string[] = [],
  ) {}

  /** `join`: between the place and its attribute. */
  at(attribute: string, join = ": "): Place {
    return new Place(`${this.start}${join}${this.spelled(attribute)}`, this.spelled, [...this.path, attribute]);
  }
}

export type Given = Readonly<Record<string, unknown>>;

export function textIn(given: Given, name: string, where: Place, example: string): string | symbol | undefined {
  const value = given[name];
  if (value === undefined || isUnknown(value)) return value;
  if (typeof value === "string" && value !== "" && isPrintable(value)) return value;
  throw new ExpectationError(where.at(name), ` is ${shown(value)}. Give a text such as ${quoted(example)}.`);
}

export function choiceIn<Choice extends string>(given: Given, name: string, choices: readonly Choice[], where: Place) {
  const value = given[name];
  if (value === undefined || isUnknown(value)) return value;
  const found = choices.find((choice) => choice === value);
  if (found) return found;
  throw new ExpectationError(where.at(name), ` is ${shown(value)}. Give one of ${choices.join(", ")}.`);
}

export function listOf(value: unknown, where: Place): readonly unknown[] {
  if (Array.isArray(value)) {
    if (value.length > 0) return value as readonly unknown[];
    throw new ExpectationError(where, ` is an empty list. Give at least one value, or leave it out.`);
  }
  const remedy = ["string", "number"].includes(typeof value) ? `Give a list: [${shown(value)}].` : "Give a list.";
  throw new ExpectationError(where, ` is ${shown(value)}. ${remedy}`);
}

export function objectIn(value: unknown, where: Place, example: string): Given {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Given;
  throw new ExpectationError(where, ` is ${shown(value)}. Give ${example}.`);
}

/** Terraform gives null for values that are left out. */
export const withoutNull = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));

export function refuseUnknown(
  names: readonly string[],
  known: readonly string[],
  where: Place,
  likely: (name: string) => string | undefined = () => undefined,
): void {
  const strange = names.find((name) => !known.includes(name));
  if (strange === undefined) return;
  const near = likely(strange) ?? nearest(strange, known);
  const { spelled } = where;
  const remedy =
    near === undefined
      ? `The names are ${known.map(spelled).join(", ")}.`
      : `${quoted(spelled(near))} is probably meant.`;
  throw new ExpectationError(where, `: ${quoted(spelled(strange))} is not known. ${remedy}`);
}

/** Refuses a text that is probably one of the names, misspelt. Other texts are names that this version does not know. */
export function refuseNearMiss(text: unknown, names: readonly string[], where: Place): void {
  if (typeof text !== "string" || names.includes(text)) return;
  const near = nearest(text, names);
  if (near !== undefined) throw new ExpectationError(where, ` is ${quoted(text)}: ${quoted(near)} is probably meant.`);
}

export function shown(value: unknown): string {
  if (value === undefined) return "missing";
  return typeof value === "string"
    ? quoted(value)
    : quoted(JSON.stringify(value) ?? "")
        .slice(1, -1)
        .replaceAll('\\"', '"');
}
