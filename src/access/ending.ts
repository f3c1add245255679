/** Finds for one country at which addresses an ACL possibly ends the evaluation. */
import { effectOf, type Result } from "./action";
import { cellsOf, drop, empty, type AddressSet, type AddressSpace, type Cells } from "./address-set";
import type { Acl } from "./decide";
import type { Ternary } from "./ternary";

/** An ACL of one version that can end the evaluation of a request to the API. */
export interface Candidate<A extends Acl> {
  readonly acl: A;
  readonly isChanged: boolean;
  /** Several if the action is unknown. */
  readonly results: readonly Result[];
  /** Names the action if it is unknown. */
  readonly unknownAction?: string;
  readonly scope: Ternary;
  /** By the index of the country. */
  readonly countries: readonly Ternary[];
  readonly yes: AddressSet;
  readonly may: Cells;
  /** The other version decides the requests that this ACL matches at this priority at the latest. */
  readonly limit: number;
}

/** Without a candidate: no ACL matches. */
export interface Ending<A extends Acl> {
  readonly candidate?: Candidate<A>;
  readonly results: readonly Result[];
  readonly cells: Cells;
}

/** The part in `set` and not in `without`. Undefined if it is empty. */
export function keepCells({ words, bits }: Cells, set: AddressSet, without?: AddressSet): Cells | undefined {
  let kept: { words: number[]; bits: number[] } | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const rest = bits[at]! & set[word]! & (without ? ~without[word]! : -1);
    if (rest === 0) continue;
    kept ??= { words: [], bits: [] };
    kept.words.push(word);
    kept.bits.push(rest);
  }
  return kept;
}

export function commonCells(one: Cells, other: Cells): Cells | undefined {
  const kept: { words: number[]; bits: number[] } = { words: [], bits: [] };
  let at = 0;
  one.words.forEach((word, index) => {
    while (other.words[at]! < word) at++;
    const rest = other.words[at] === word ? one.bits[index]! & other.bits[at]! : 0;
    if (rest === 0) return;
    kept.words.push(word);
    kept.bits.push(rest);
  });
  return kept.words.length > 0 ? kept : undefined;
}

export const isEnding = (action: Acl["rule"]["action"]) => effectOf(action) !== "logged";

const everyResult: readonly Result[] = [{ outcome: "allowed" }, { outcome: "redirected" }, { outcome: "blocked" }];

export function resultsOf(action: Acl["rule"]["action"]): readonly Result[] {
  const effect = effectOf(action);
  return effect === undefined || effect === "logged" ? everyResult : [effect];
}

/** Evaluates the candidates for the addresses of `within`, as `decide` does for one request. In order of evaluation. */
export function endingsOf<A extends Acl>(
  candidates: readonly Candidate<A>[],
  country: number,
  within: AddressSet,
  line: AddressSpace,
): Ending<A>[] {
  const endings: Ending<A>[] = [];
  const [open, rest, passed] = [within.slice(), within.slice(), empty(line)];
  let priority: number | undefined;
  for (const candidate of candidates) {
    const { acl, scope, countries, yes, may, unknownAction, results } = candidate;
    // The order of equal priorities is not known, so all of them see the same requests.
    if (acl.priority !== priority) drop(open, passed);
    priority = acl.priority;
    if (countries[country] === "no") continue;
    const isSure = unknownAction === undefined && scope === "yes" && countries[country] === "yes";
    let cells: { words: number[]; bits: number[] } | undefined;
    for (let at = 0; at < may.words.length; at++) {
      const word = may.words[at]!;
      const found = may.bits[at]! & open[word]!;
      if (found === 0) continue;
      cells ??= { words: [], bits: [] };
      cells.words.push(word);
      cells.bits.push(found);
      if (!isSure) continue;
      const sure = found & yes[word]!;
      rest[word]! &= ~sure;
      // An ACL with an unknown priority may be evaluated after the others.
      if (!Number.isNaN(acl.priority)) passed[word]! |= sure;
    }
    if (cells) endings.push({ candidate, results, cells });
  }
  return [...endings, { results: [{ outcome: "allowed" }], cells: cellsOf(rest) }];
}
