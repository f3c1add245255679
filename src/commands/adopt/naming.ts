/** Makes readable ASCII names from texts in any script. */
import anyAscii from "any-ascii";
import { grouped } from "../../judge/impact/model";

/** The words of a name. Each language joins them in its own way. */
export type Words = readonly string[];

const mostWords = 7;
const mostLetters = 48;
/** Characters of a text that are read. */
const mostRead = 1_000;

/** The words of a text; none if it has no letters or digits. */
export function wordsOf(text: string): Words {
  const plain = anyAscii(text.slice(0, mostRead).normalize("NFKC")).replace(/['`]/g, "");
  const words = plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const kept: string[] = [];
  for (const word of words.slice(0, mostWords)) {
    if (kept.join("_").length + word.length >= mostLetters && kept.length > 0) break;
    kept.push(word.slice(0, mostLetters));
  }
  return kept;
}

/** The words in lower case. `prefix` comes first if the text does not begin with a letter. */
export function nameOf(text: string, prefix: Words): Words {
  const words = wordsOf(text).map((word) => word.toLowerCase());
  return lettered(words, prefix);
}

/** Adds the prefix if the words do not begin with a letter, as every language requires of a name. */
export const lettered = (words: Words, prefix: Words): Words =>
  /^[a-z]/i.test(words[0] ?? "") ? words : [...prefix, ...words];

/** Windows opens a device for these names, with any extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name that every system accepts for a file. */
export const fileName = (name: string) => (devices.test(name) ? `${name}_` : name);

export const snakeCase = (words: Words) => words.join("_");
export const kebabCase = (words: Words) => words.join("-");

export function camelCase([first = "", ...others]: Words): string {
  const begin = first.charAt(0).toLowerCase() + first.slice(1);
  return [begin, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}

/** The preferred name, and words that distinguish it from equal names, the best first. */
export interface Candidate {
  readonly wanted: Words;
  readonly marks: readonly Words[];
}

/**
 * Gives each candidate a name of its own, without the taken names. The first mark that differs for all candidates with the same
 * preferred name distinguishes them. If no mark does, numbers do.
 */
export function distinctNames(candidates: readonly Candidate[], taken: Iterable<string> = []): Words[] {
  const used = new Set([...taken].map(keyOf));
  const groups = grouped(candidates, ({ wanted }) => keyOf(snakeCase(wanted)));
  const names = new Map<Candidate, Words>();
  for (const group of groups.values()) {
    const index = group.length > 1 ? distinctMark(group) : undefined;
    for (const candidate of group) {
      const own = index === undefined ? candidate.wanted : [...candidate.wanted, ...candidate.marks[index]!];
      let name = own;
      for (let number = 2; used.has(keyOf(snakeCase(name))); number++) name = [...own, String(number)];
      used.add(keyOf(snakeCase(name)));
      names.set(candidate, name);
    }
  }
  return candidates.map((candidate) => names.get(candidate)!);
}

/** Equal for names that differ only in case or in how words are joined, because another language joins words differently. */
export function keyOf(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}

/** The index of the first mark that differs for all candidates. */
function distinctMark(group: readonly Candidate[]): number | undefined {
  const [first] = group;
  const found = first!.marks.findIndex(
    (_words, index) => new Set(group.map(({ marks }) => keyOf(snakeCase(marks[index]!)))).size === group.length,
  );
  return found < 0 ? undefined : found;
}
