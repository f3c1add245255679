/** Lists that several rules have in common, and sets too large to stand among others: both get a name of their own. */
import { free } from "./files";
import { snakeCase, type Words } from "./naming";
import type { Present } from "./existing";
import { Reference, type Arranged, type Declaration, type Roll, type Shared, type Values, type Written } from "./stack";

/** Members that are still read among other things. */
const mostInPlace = 30;

/** `rollFile`: where the members of a set of this name stand, where that is free. */
export function arrange(
  declarations: readonly Declaration[],
  there: Pick<Present, "has" | "locals">,
  rollFile: (name: Words) => string,
): Arranged {
  const shared = sharedLists(declarations, there.locals);
  const byContent = new Map(shared.map((one) => [one.key, new Reference(one)]));
  const rolls: Roll[] = [];
  const arranged = declarations.map((declaration): Declaration => {
    if (declaration.refused.length > 0) return declaration;
    if (declaration.kind === "acls")
      return { ...declaration, values: replaced(declaration.values, byContent) as Values };
    const { members } = declaration.values;
    if (!Array.isArray(members) || members.length <= mostInPlace) return declaration;
    const { name } = declaration;
    const file = free(rollFile(name), (each) => there.has(each) || rolls.some((roll) => roll.file === each));
    const roll: Roll = { kind: "roll", name, file, members: members as string[] };
    rolls.push(roll);
    return { ...declaration, values: { ...declaration.values, members: new Reference(roll) } };
  });
  return { declarations: arranged, shared, rolls };
}

interface Use {
  readonly signal: string;
  readonly list: readonly Written[];
  readonly users: Set<Declaration>;
}

function sharedLists(declarations: readonly Declaration[], taken: ReadonlySet<string>): (Shared & { key: string })[] {
  const uses = new Map<string, Use>();
  for (const declaration of declarations) {
    if (declaration.kind !== "acls" || declaration.refused.length > 0) continue;
    const { match = {}, not_match = {} } = declaration.values.rule as { readonly [side: string]: Values };
    for (const [signal, list] of [...Object.entries(match), ...Object.entries(not_match)]) {
      if (!Array.isArray(list)) continue;
      const key = keyOf(list);
      const use: Use = uses.get(key) ?? { signal, list, users: new Set() };
      use.users.add(declaration);
      uses.set(key, use);
    }
  }
  const names = new Set(taken);
  return [...uses].flatMap(([key, { signal, list, users }]) => {
    if (users.size < 2 || !isWorthAName(signal, list)) return [];
    const common = commonWords([...users].map(({ name }) => name));
    // A name begins with a letter.
    const wanted = /^[a-z]/i.test(common[0] ?? "") ? [...common, ...nounOf(signal)] : [...nounOf(signal), ...common];
    let name: Words = wanted;
    for (let number = 2; names.has(snakeCase(name)); number++) name = [...wanted, String(number)];
    names.add(snakeCase(name));
    return [{ kind: "shared" as const, key, name, value: list, users: [...users] }];
  });
}

/** Addresses say little by themselves; of other entries one is as short as its name. */
function isWorthAName(signal: string, list: readonly Written[]): boolean {
  return list.length > 1 || (list.length === 1 && signal.endsWith("_cidrs"));
}

/** Sets: their order means nothing. The same addresses in two signals are the same list. */
function keyOf(list: readonly Written[]): string {
  return JSON.stringify(list.map((entry) => JSON.stringify(entry)).toSorted());
}

/** Words that say what is done, not what the list is. */
const verbs = new Set(
  "a an all allow allowed and any at block blocked by deny except for from in into keep let log no not of off on only or out redirect the to with without".split(
    " ",
  ),
);

/** What all users call it; else what the first one does. */
function commonWords(names: readonly Words[]): Words {
  const [first, ...others] = names.map((name) => name.filter((word) => !verbs.has(word) && !/^\d+$/.test(word)));
  const common = first!.filter((word) => others.every((other) => other.includes(word)));
  const words = (common.length > 0 ? common : first!).slice(0, 3);
  return words.length > 1 && /^(network|address|ip|proxy|proxie|range)e?s?$/.test(words.at(-1)!)
    ? words.slice(0, -1)
    : words;
}

function nounOf(signal: string): Words {
  if (signal.startsWith("connecting_")) return ["proxies"];
  if (signal.endsWith("_cidrs")) return ["networks"];
  return signal.replace(/^geo_/, "").split("_");
}

function replaced(value: Written, known: ReadonlyMap<string, Reference>): Written {
  if (Array.isArray(value)) return known.get(keyOf(value as Written[])) ?? value;
  if (typeof value !== "object" || value instanceof Reference) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, known)]));
}
