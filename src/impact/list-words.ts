/** Joins words: `A, B and C`, `A, B or C`. Made once, because a format costs more than the words. */
const conjunction = new Intl.ListFormat("en-GB");
const disjunction = new Intl.ListFormat("en-GB", { type: "disjunction" });

export const andWords = (words: Iterable<string>): string => conjunction.format(words);

export const orWords = (words: Iterable<string>): string => disjunction.format(words);
