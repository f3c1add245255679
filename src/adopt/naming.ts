/** Readable names in ASCII, from texts in any script. */
import anyAscii from "any-ascii";

/** A name as its words, which each language joins in its own way. */
export type Words = readonly string[];

const mostWords = 7;
const mostLetters = 48;
/** Characters that are looked at. */
const mostRead = 1_000;

/** The words of a text; none where it has no letters or digits. */
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

/** As `wordsOf`, in lower case, and beginning with a letter: `prefix` goes before where the text has none there. */
export function nameOf(text: string, prefix: Words): Words {
  const words = wordsOf(text).map((word) => word.toLowerCase());
  return lettered(words, prefix);
}

/** Words that begin with a letter, as every language wants of a name: `prefix` goes before where they do not. */
export const lettered = (words: Words, prefix: Words): Words =>
  /^[a-z]/i.test(words[0] ?? "") ? words : [...prefix, ...words];

/** Names of devices: Windows never takes them for files, with any extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name as that of a file. */
export const fileName = (name: string) => (devices.test(name) ? `${name}_` : name);

export const snakeCase = (words: Words) => words.join("_");
export const kebabCase = (words: Words) => words.join("-");

export function camelCase([first = "", ...others]: Words): string {
  const begin = first.charAt(0).toLowerCase() + first.slice(1);
  return [begin, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}

/** Something to name: the name it would like, and what tells it from others that would like the same, the best first. */
export interface Candidate {
  readonly wanted: Words;
  readonly marks: readonly Words[];
}

/**
 * A name for each, no two alike, and none of those taken. Those who want the same name are told apart by the first mark
 * that differs among all of them, and by numbers where none does.
 */
export function distinctNames(candidates: readonly Candidate[], taken: Iterable<string> = []): Words[] {
  const used = new Set([...taken].map(keyOf));
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = keyOf(snakeCase(candidate.wanted));
    groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  const names = new Map<Candidate, Words>();
  for (const group of groups.values()) {
    const mark = group.length > 1 ? markFor(group) : undefined;
    for (const candidate of group) {
      const own = mark === undefined ? candidate.wanted : [...candidate.wanted, ...candidate.marks[mark]!];
      let name = own;
      for (let number = 2; used.has(keyOf(snakeCase(name))); number++) name = [...own, String(number)];
      used.add(keyOf(snakeCase(name)));
      names.set(candidate, name);
    }
  }
  return candidates.map((candidate) => names.get(candidate)!);
}

/** Names that differ in nothing but case or in how words are joined are alike: in another language they would be the same. */
export function keyOf(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}

function markFor(group: readonly Candidate[]): number | undefined {
  const [first] = group;
  const found = first!.marks.findIndex(
    (_mark, index) => new Set(group.map(({ marks }) => keyOf(snakeCase(marks[index]!)))).size === group.length,
  );
  return found < 0 ? undefined : found;
}
