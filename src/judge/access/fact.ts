/** Reads the table of facts, and refuses values that are no facts: they would count as not known, and hide that an ACL matches. */
import { quoted, withoutUnseen } from "./fact-forms";
import { factTable, type CriterionRow, type FactName, type FactRow, type FactTable } from "./facts";

export const factNames = Object.keys(factTable) as readonly FactName[];

export const rowOf = (name: FactName): FactRow => factTable[name];

/** The properties of rules that match the fact, or tell it. */
export const signalsOf = (name: FactName): readonly string[] => [
  ...Object.keys(rowOf(name).criteria),
  ...(rowOf(name).impliedBy ?? []),
];

type PropertyOf<N extends FactName> = keyof FactTable[N]["criteria"];
/** A property of `match` and `not_match`. */
export type CriterionName = { [N in FactName]: PropertyOf<N> }[FactName];

export interface NamedCriterion extends CriterionRow {
  readonly property: CriterionName;
  readonly fact: FactName;
}

export const criterionRows: readonly NamedCriterion[] = factNames.flatMap((fact) =>
  Object.entries(rowOf(fact).criteria).map(([property, row]) => ({
    ...row,
    property: property as CriterionName,
    fact,
  })),
);

/** The facts with one text or number for which a rule has one property. Country and region are `places`. */
export const plainFacts: readonly FactName[] = factNames.filter((name) => {
  const { kind, criteria } = rowOf(name);
  return (kind === "text" || kind === "number") && Object.keys(criteria).length === 1;
});
export const places: ReadonlySet<FactName> = new Set(["country", "subdivision"]);

/** Terraform's own requests are on no curated list, and are not signed. */
export type Protectable = Exclude<FactName, "managed" | "signature_key">;
export const protectable = factNames.filter((name): name is Protectable => rowOf(name).isRare !== true);

/** The property of a fact that has only one. */
export const propertyOf = (name: FactName): CriterionName => Object.keys(rowOf(name).criteria)[0] as CriterionName;

export type ListName = FactTable[FactName]["list"]["name"];

/** Everything that is known about a list of facts in a set of requests. */
export interface ListOfFacts extends Pick<FactRow, "kind" | "what" | "give" | "help" | "example" | "fits" | "likely"> {
  readonly name: ListName;
  readonly fact: FactName;
  /** The type of its entries. */
  readonly entries: "text" | "number";
  readonly signals: readonly string[];
}

/** The lists of a set of requests, in the order of the facts. */
export const factLists: readonly ListOfFacts[] = factNames.map((fact) => {
  const { list, ...own } = rowOf(fact);
  const entries = own.kind === "number" ? "number" : "text";
  return { ...own, ...list, name: list.name as ListName, fact, entries, signals: signalsOf(fact) };
});

export const listNames: readonly ListName[] = factLists.map(({ name }) => name);

const listOf = new Map<string, ListOfFacts>(factLists.map((list) => [list.name, list]));

/** The problem of an entry of a list and the remedy. Undefined if the entry is readable. */
export function problemOfEntry(name: ListName, value: string | number): string | undefined {
  const list = listOf.get(name)!;
  const text = String(value);
  return text !== "" && list.fits(text) ? undefined : refusalOf(list, text);
}

/** Every request has these facts, so an empty text is an error. */
const always: ReadonlySet<FactName> = new Set(["path", "ip", "connecting_ip"]);

/** Whether the text has the form of the fact. Faster than the search for the problem. */
export const isFact = (name: FactName, text: string): boolean =>
  text === "" ? !always.has(name) : rowOf(name).fits(text);

/** The problem of an unreadable fact and the remedy. Undefined if the fact is readable. */
export function problemOf(name: FactName, value: string | number): string | undefined {
  const text = String(value);
  return isFact(name, text) ? undefined : refusalOf(rowOf(name), text);
}

type Form = Pick<FactRow, "what" | "give" | "fits" | "likely">;

/** Names the nearest valid text if there is one. */
function refusalOf(form: Form, text: string): string {
  const { fits, likely } = form;
  const bare = withoutUnseen(text);
  const near = bare !== text && fits(bare) ? bare : likely?.(bare);
  return refusalWords(form, text, near !== undefined && near !== "" && fits(near) ? near : undefined);
}

/** Says that a text is not the fact, and what to give. `near`: the fact that is probably meant. */
export function refusal(name: FactName, text: string, near?: string): string {
  return refusalWords(rowOf(name), text, near);
}

function refusalWords({ what, give }: Pick<Form, "what" | "give">, text: string, near: string | undefined): string {
  const remedy = near === undefined ? `give ${give}` : `${quoted(near)} is probably meant`;
  return `${quoted(text)} is not ${what}: ${remedy}.`;
}

/** Whether an invalid fact still has the right form, such as the country UK. */
export const hasForm = (name: FactName, value: string | number): boolean =>
  rowOf(name).hasForm?.(String(value)) ?? false;

/** The first fact that cannot be read, in words that name it. `called`: a fact as the reader of the words writes it. */
export function problemIn(
  given: { readonly [name: string]: unknown },
  called: (fact: string) => string = (fact) => fact,
): string | undefined {
  for (const name of factNames) {
    for (const value of [given[name] ?? []].flat() as unknown[]) {
      const isText = typeof value === "string" || typeof value === "number";
      const problem = isText
        ? problemOf(name, value)
        : `${quoted(String(JSON.stringify(value)))} is not ${rowOf(name).what}.`;
      if (problem !== undefined) return `${called(name)}: ${problem}`;
    }
  }
  return undefined;
}
