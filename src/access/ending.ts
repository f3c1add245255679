/** Finds for one country at which addresses an ACL possibly ends the evaluation. */
import { effectOf, type Result } from "./action";
import { cellsOf, type AddressSet, type Cells } from "./address-set";
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

/** The part in `set` and not in `without`. Undefined if it is empty. The same object if it is everything. */
export function keepCells(cells: Cells, set: AddressSet, without?: AddressSet): Cells | undefined {
  const { words, bits } = cells;
  const kept = (at: number) => bits[at]! & set[words[at]!]! & (without ? ~without[words[at]!]! : -1);
  let same = 0;
  while (same < words.length && kept(same) === bits[same]) same++;
  if (same === words.length) return same > 0 ? cells : undefined;
  const rest = { words: words.slice(0, same), bits: bits.slice(0, same) };
  for (let at = same; at < words.length; at++) {
    const found = kept(at);
    if (found === 0) continue;
    rest.words.push(words[at]!);
    rest.bits.push(found);
  }
  return rest.words.length > 0 ? rest : undefined;
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
): Ending<A>[] {
  const endings: Ending<A>[] = [];
  // `open`: no earlier ACL certainly ends the evaluation. `rest`: no ACL does.
  const [open, rest] = [within.slice(), within.slice()];
  let passed: { cells: Cells; yes: AddressSet }[] = [];
  let priority: number | undefined;
  for (const candidate of candidates) {
    const { acl, scope, countries, yes, may, unknownAction, results } = candidate;
    // The order of equal priorities is not known, so all of them see the same requests.
    if (acl.priority !== priority) {
      for (const one of passed) close(open, one.cells, one.yes);
      passed = [];
    }
    priority = acl.priority;
    if (countries[country] === "no") continue;
    const cells = keepCells(may, open);
    if (!cells) continue;
    endings.push({ candidate, results, cells });
    if (unknownAction !== undefined || scope !== "yes" || countries[country] !== "yes") continue;
    close(rest, cells, yes);
    // An ACL with an unknown priority may be evaluated after the others.
    if (!Number.isNaN(acl.priority)) passed.push({ cells, yes });
  }
  return [...endings, { results: [{ outcome: "allowed" }], cells: cellsOf(rest) }];
}

/** Takes the addresses that are in both sets out of `set`. */
function close(set: AddressSet, { words, bits }: Cells, yes: AddressSet): void {
  for (let at = 0; at < words.length; at++) set[words[at]!]! &= ~(bits[at]! & yes[words[at]!]!);
}
