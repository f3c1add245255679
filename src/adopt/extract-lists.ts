/** Gives a name to lists that several objects have in common, and a file to long lists. */
import type { Existing } from "./already-declared";
import { free } from "./files";
import { snakeCase, type Words } from "./naming";
import {
  Reference,
  type Arranged,
  type Declaration,
  type ListFile,
  type SharedList,
  type Values,
  type Written,
} from "./stack";

/** The most entries of a list that stays in its declaration. */
const mostInPlace = 30;

/** `fileOf`: the preferred file of a long list. */
export function arrange(
  declarations: readonly Declaration[],
  existing: Pick<Existing, "has" | "locals">,
  fileOf: (attribute: string, name: Words) => string,
): Arranged {
  const shared = sharedLists(declarations, existing.locals);
  const byContent = new Map(shared.map((one) => [one.key, new Reference(one)]));
  const listFiles: ListFile[] = [];
  const arranged = declarations.map((declaration): Declaration => {
    if (declaration.refused.length > 0) return declaration;
    const { name, values } = declaration;
    const entries = Object.entries(values).map(([attribute, value]): [string, Written] => {
      if (!Array.isArray(value)) return [attribute, replaced(value, byContent)];
      if (value.length <= mostInPlace) return [attribute, value];
      const isTaken = (each: string) => existing.has(each) || listFiles.some(({ file }) => file === each);
      const file = free(fileOf(attribute, name), isTaken);
      listFiles.push({ kind: "file", attribute, name, file, entries: value as string[] });
      return [attribute, new Reference(listFiles.at(-1)!)];
    });
    return { ...declaration, values: Object.fromEntries(entries) };
  });
  return { declarations: arranged, shared, listFiles };
}

interface Use {
  readonly attribute: string;
  readonly list: readonly Written[];
  readonly users: Set<Declaration>;
}

function sharedLists(
  declarations: readonly Declaration[],
  taken: ReadonlySet<string>,
): (SharedList & { key: string })[] {
  const uses = new Map<string, Use>();
  for (const declaration of declarations.filter(({ refused }) => refused.length === 0)) {
    for (const [attribute, list] of Object.values(declaration.values).flatMap(listsBelow)) {
      const key = keyOf(list);
      const use: Use = uses.get(key) ?? { attribute, list, users: new Set() };
      use.users.add(declaration);
      uses.set(key, use);
    }
  }
  const names = new Set(taken);
  return [...uses].flatMap(([key, { attribute, list, users }]) => {
    if (users.size < 2 || !isWorthAName(attribute, list)) return [];
    const common = commonWords([...users].map(({ name }) => name));
    // A name begins with a letter.
    const wanted = /^[a-z]/i.test(common[0] ?? "")
      ? [...common, ...nounOf(attribute)]
      : [...nounOf(attribute), ...common];
    let name: Words = wanted;
    for (let number = 2; names.has(snakeCase(name)); number++) name = [...wanted, String(number)];
    names.add(snakeCase(name));
    return [{ kind: "shared" as const, key, name, value: list }];
  });
}

/** The lists in an object, with their attributes. A list of objects is not searched. */
function listsBelow(value: Written): [attribute: string, list: readonly Written[]][] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([attribute, inner]) =>
    Array.isArray(inner) ? [[attribute, inner as readonly Written[]]] : listsBelow(inner),
  );
}

const isObject = (value: Written): value is Values =>
  typeof value === "object" && !Array.isArray(value) && !(value instanceof Reference);

/** A name helps for several entries, or for one address, which says little by itself. */
function isWorthAName(attribute: string, list: readonly Written[]): boolean {
  return list.length > 1 || (list.length === 1 && attribute.endsWith("_cidrs"));
}

/** The order of entries means nothing. The same addresses of two attributes are the same list. */
function keyOf(list: readonly Written[]): string {
  return JSON.stringify(list.map((entry) => JSON.stringify(entry)).toSorted());
}

/** Words that describe the action of an ACL, not its addresses. */
const verbs = new Set(
  "a an all allow allowed and any at block blocked by deny except for from in into keep let log no not of off on only or out redirect the to with without".split(
    " ",
  ),
);

/** The words that all users have in their names, else the words of the first user. */
function commonWords(names: readonly Words[]): Words {
  const [first, ...others] = names.map((name) => name.filter((word) => !verbs.has(word) && !/^\d+$/.test(word)));
  const common = first!.filter((word) => others.every((other) => other.includes(word)));
  const words = (common.length > 0 ? common : first!).slice(0, 3);
  return words.length > 1 && /^(network|address|ip|proxy|proxie|range)e?s?$/.test(words.at(-1)!)
    ? words.slice(0, -1)
    : words;
}

function nounOf(attribute: string): Words {
  if (attribute.startsWith("connecting_")) return ["proxies"];
  if (attribute.endsWith("_cidrs")) return ["networks"];
  return attribute.replace(/^geo_/, "").split("_");
}

function replaced(value: Written, known: ReadonlyMap<string, Reference>): Written {
  if (Array.isArray(value)) return known.get(keyOf(value as Written[])) ?? value;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, known)]));
}
