/** Joins words: `A, B and C`, `A, B or C`. */

// Made once and not before the first use, because a format costs more than the words.
let conjunction: Intl.ListFormat | undefined;
let disjunction: Intl.ListFormat | undefined;

export const andWords = (words: Iterable<string>): string =>
  (conjunction ??= new Intl.ListFormat("en-GB")).format(words);

export const orWords = (words: Iterable<string>): string =>
  (disjunction ??= new Intl.ListFormat("en-GB", { type: "disjunction" })).format(words);
