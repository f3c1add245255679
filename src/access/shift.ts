/** Finds for one country the addresses whose result a change of ACLs changes, and the changed ACL that causes it. */
import { effectOf, sameResult, type Result } from "./action";
import { addTo, empty, isEmpty, type AddressSet, type AddressSpace, type Cells } from "./address-set";
import type { Acl } from "./decide";
import { commonCells, endingsOf, keepCells, type Candidate, type Count, type Ending } from "./count";
import type { Api } from "./request";
import type { Rule } from "./rule";
import { Undecided, type Budget } from "./search";

/** The ACLs that can end the evaluation, in order of evaluation. */
export interface Candidates<A extends Acl> {
  readonly before: readonly Own<A>[];
  readonly after: readonly Own<A>[];
}

/** A candidate of one version of a change. */
interface Own<A extends Acl> extends Candidate<A> {
  readonly isChanged: boolean;
  /** Names the action if it is unknown. */
  readonly unknownAction?: string;
  /** The other version decides the requests that this ACL matches at this priority at the latest. */
  readonly limit: number;
}

/** The candidates of both versions for each API. */
export function candidatesOf<A extends Acl>(
  versions: readonly [readonly A[], readonly A[]],
  candidate: Count<A>["candidate"],
  isChanged: (acl: A) => boolean,
): (api: Api) => Candidates<A> {
  const [ofBefore, ofAfter] = versions.map(limitsOf) as [Map<string, number>, Map<string, number>];
  const of = (acls: readonly A[], limits: ReadonlyMap<string, number>) => {
    const more = acls.map((acl) => {
      const keys = [criteriaText(acl.rule), `${criteriaText(acl.rule)} ${textOf(acl.rule.action)}`];
      return {
        isChanged: isChanged(acl),
        limit: Math.min(...keys.map((key) => limits.get(key) ?? Infinity)),
        ...(effectOf(acl.rule.action) === undefined && { unknownAction: textOf(acl.rule.action) }),
      };
    });
    return (api: Api) =>
      acls.flatMap((acl, index): Own<A>[] => {
        const found = candidate(acl, api);
        return found ? [{ ...found, ...more[index]! }] : [];
      });
  };
  const [before, after] = [of(versions[0], ofAfter), of(versions[1], ofBefore)];
  return (api) => ({ before: before(api), after: after(api) });
}

/** Criteria, and criteria with an action -> the lowest priority of an ACL that ends the evaluation if these match. */
function limitsOf(acls: readonly Acl[]): Map<string, number> {
  const limits = new Map<string, number>();
  for (const { rule, priority } of acls) {
    if (Number.isNaN(priority)) continue;
    const isKnown = effectOf(rule.action) !== undefined;
    const text = isKnown ? criteriaText(rule) : `${criteriaText(rule)} ${textOf(rule.action)}`;
    limits.set(text, Math.min(limits.get(text) ?? Infinity, priority));
  }
  return limits;
}

/** Equal for rules that match the same requests under every assumption. */
const criteriaText = ({ action: _action, ...rule }: Rule) => textOf(rule);

const textOf = (value: unknown) =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === "symbol" ? [part.toString()] : part));

/** Addresses whose result changes in the same way because of one ACL. */
export interface Found<A extends Acl> {
  readonly cause: A;
  readonly isAfter: boolean;
  readonly before: Result;
  readonly after: Result;
  readonly cells: Cells;
  /** Whether all these addresses certainly have both results. Otherwise each of them possibly has them. */
  readonly isCertain: boolean;
}

/**
 * Only addresses that a changed ACL possibly matches are searched. All other requests have one deciding ACL, because unchanged ACLs
 * match the same requests and keep their order.
 */
export function shiftsIn<A extends Acl>(
  { before, after }: Candidates<A>,
  country: number,
  line: AddressSpace,
  budget: Budget,
): Found<A>[] {
  const within = empty(line);
  for (const { isChanged, countries, may } of [...before, ...after]) {
    if (isChanged && countries[country] !== "no") addTo(within, may);
  }
  if (isEmpty(within)) return [];
  const [one, other] = [before, after].map((candidates) => {
    spend(budget, within.length + candidates.reduce((sum, { may }) => sum + may.words.length, 0));
    return sideOf(endingsOf(candidates, country, within), line);
  }) as [Side<A>, Side<A>];
  const several = one.several.map((word, index) => word | other.several[index]!);
  const open = one.open.map((word, index) => word | other.open[index]!);
  const found: Found<A>[] = [];
  for (const isAfter of [true, false]) {
    const [own, opposite] = isAfter ? [other, one] : [one, other];
    for (const ending of own.endings) {
      const cause = ending.candidate;
      if (!cause?.isChanged) continue;
      for (const { result, met, cells } of changesOf(ending, isAfter, opposite, several, budget)) {
        const results = isAfter ? { before: met, after: result } : { before: result, after: met };
        for (const isCertain of [true, false]) {
          const part = isCertain ? keepCells(cells, within, open) : keepCells(cells, open);
          if (part) found.push({ cause: cause.acl, isAfter, ...results, cells: part, isCertain });
        }
      }
    }
  }
  return found;
}

interface Change {
  readonly result: Result;
  /** The result in the other version. */
  readonly met: Result;
  readonly cells: Cells;
}

/** Changes at the addresses of an ending of a changed ACL. After the change, such an ending is the cause; before it, only if no other is. */
function* changesOf<A extends Acl>(
  ending: Ending<Own<A>>,
  isAfter: boolean,
  opposite: Side<A>,
  several: AddressSet,
  budget: Budget,
): Generator<Change> {
  // Where both versions have a single possible ending, endings with the same result count as one.
  spend(budget, ending.cells.words.length * opposite.sets.length);
  for (const { result: met, all, unchanged } of opposite.sets) {
    const result = ending.results[0]!;
    if (sameResult(result, met)) continue;
    const set = isAfter ? all : unchanged;
    const cells = keepCells(ending.cells, set, several);
    if (cells) yield { result, met, cells };
  }
  const rest = keepCells(ending.cells, several);
  if (!rest) return;
  for (const other of opposite.endings) {
    if (!isAfter && other.candidate?.isChanged) continue;
    if (!arePossible(ending.candidate, other.candidate)) continue;
    spend(budget, rest.words.length + other.cells.words.length);
    const cells = commonCells(rest, other.cells);
    if (!cells) continue;
    for (const result of ending.results) {
      for (const met of other.results) if (!sameResult(result, met)) yield { result, met, cells };
    }
  }
}

/**
 * Whether one ACL can decide a request before the change, and the other one after it. A request that matches in one version also
 * matches in the other, so the request is decided there by the same criteria at the latest.
 */
function arePossible<A extends Acl>(one: Own<A> | undefined, other: Own<A> | undefined): boolean {
  const isLate = (late: Own<A> | undefined, limit = Infinity) => (late ? late.acl.priority : Infinity) > limit;
  if (isLate(one, other?.limit) || isLate(other, one?.limit)) return false;
  return one?.unknownAction === undefined || one.unknownAction !== other?.unknownAction;
}

/** The endings of one version. */
interface Side<A extends Acl> {
  readonly endings: readonly Ending<Own<A>>[];
  /** For each result: the addresses that possibly have it, and those where possibly no changed ACL decides. */
  readonly sets: readonly { readonly result: Result; readonly all: AddressSet; readonly unchanged: AddressSet }[];
  /** Addresses with several possible endings. */
  readonly several: AddressSet;
  /** Addresses with several possible results. */
  readonly open: AddressSet;
}

function sideOf<A extends Acl>(endings: readonly Ending<Own<A>>[], line: AddressSpace): Side<A> {
  const [once, several] = [empty(line), empty(line)];
  const sets = new Map<string, Side<A>["sets"][number]>();
  for (const { candidate, results, cells } of endings) {
    for (let at = 0; at < cells.words.length; at++) {
      const [word, bits] = [cells.words[at]!, cells.bits[at]!];
      several[word]! |= results.length > 1 ? bits : bits & once[word]!;
      once[word]! |= bits;
    }
    for (const result of results) {
      const key = `${result.outcome} ${result.redirect_uri}`;
      const known = sets.get(key) ?? { result, all: empty(line), unchanged: empty(line) };
      sets.set(key, known);
      addTo(known.all, cells);
      if (!candidate?.isChanged) addTo(known.unchanged, cells);
    }
  }
  const [known, open] = [empty(line), empty(line)];
  for (const { result, all } of sets.values()) {
    // The unknown target of a redirect may be any.
    const isUnknown = result.outcome === "redirected" && result.redirect_uri === undefined;
    all.forEach((word, index) => {
      open[index]! |= isUnknown ? word : word & known[index]!;
      known[index]! |= word;
    });
  }
  return { endings, sets: [...sets.values()], several, open };
}

function spend(budget: Budget, steps: number): void {
  budget.left -= steps;
  if (budget.left < 0) throw new Undecided();
}
