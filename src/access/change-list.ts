/** Lists the changes of a comparison, and counts those that are too many to list. */
import type { Result } from "./action";
import type { Found } from "./certainty";
import type { Comparison } from "./comparison";
import { endOf, type Acl } from "./decide";
import { decisiveAssumptions } from "./decisive";
import type { Pair } from "./pair";
import type { Ending } from "./region";
import type { Box, WholeRequest } from "./space";

export type Certainty = "certain" | "possible" | "not decided";

export interface Side<A extends Acl> extends Result {
  /** The ACL that decides. Missing if none matches. */
  readonly acl?: A;
}

export interface Change<A extends Acl> {
  readonly before: Side<A>;
  readonly after: Side<A>;
  /** Certain: the witness has both outcomes under all assumptions, and these ACLs decide it under the documented semantics. */
  readonly certainty: Certainty;
  /** Missing if the change is not decided. */
  readonly witness?: WholeRequest;
  /** The assumptions on which the change depends, in words. */
  readonly assumptions: readonly string[];
}

/** A pair whose ACLs change a result, with a request as a point unless it is not decided. */
interface Entry<A extends Acl> extends Found<A> {
  readonly certainty: Certainty;
  readonly point?: Box;
}

const strength: Record<Certainty, number> = { "not decided": 0, possible: 1, certain: 2 };

/** `most`: further changes are only counted, unless they show another effect of an ACL, or show it with more certainty. */
export function createList<A extends Acl>(comparison: Comparison<A>, most: number) {
  const listed = new Map<string, Entry<A>>();
  const others = new Map<string, Certainty>();
  /** Effect of an ACL -> the certainty of a listed change that shows it. */
  const shown = new Map<string, Certainty>();
  const namesOf = naming(comparison);
  const isShown = ({ certainty }: Entry<A>, effects: readonly string[]) =>
    certainty === "not decided" ||
    effects.every((effect) => strength[shown.get(effect) ?? "not decided"] >= strength[certainty]);
  const isStronger = (certainty: Certainty, known: Certainty | undefined) =>
    known === undefined || strength[certainty] > strength[known];
  return {
    hasCertain(pair: Pair<A>): boolean {
      const { key } = namesOf(pair);
      return (listed.get(key)?.certainty ?? others.get(key)) === "certain";
    },
    add(entry: Entry<A>): void {
      const { key, effects } = namesOf(entry.pair);
      const { certainty } = entry;
      if (!isStronger(certainty, listed.get(key)?.certainty ?? others.get(key))) return;
      if (!listed.has(key) && listed.size >= most && isShown(entry, effects)) {
        others.set(key, certainty);
        return;
      }
      others.delete(key);
      listed.set(key, entry);
      for (const effect of effects) if (isStronger(certainty, shown.get(effect))) shown.set(effect, certainty);
    },
    changes: (): Change<A>[] => [...listed.values()].map((entry) => changeOf(entry, comparison)),
    more: (): number => others.size,
    areOthersCertain: (): boolean => [...others.values()].every((certainty) => certainty === "certain"),
  };
}

/** A name for each pair, and for each effect that one of its ACLs has. */
function naming<A extends Acl>({ before, after }: Comparison<A>) {
  const places = new Map([...before, ...after].map((acl, place) => [acl, place]));
  const known = new Map<Pair<A>, { readonly key: string; readonly effects: readonly string[] }>();
  const make = ({ one, other }: Pair<A>) => {
    const [from, to] = [one, other].map(({ acl }) => (acl ? places.get(acl) : ""));
    const results = JSON.stringify([one, other].map(({ end }) => [end.outcome, end.redirect_uri]));
    return { key: `${from} ${to} ${results}`, effects: [`${from} to ${results}`, `to ${to} ${results}`] };
  };
  return (pair: Pair<A>) => {
    const names = known.get(pair) ?? make(pair);
    known.set(pair, names);
    return names;
  };
}

function changeOf<A extends Acl>(
  { pair, assumptions, certainty, point }: Entry<A>,
  comparison: Comparison<A>,
): Change<A> {
  const sides = { before: sideOf(pair.one), after: sideOf(pair.other) };
  const witness = point && comparison.space.request(point);
  if (!point || !witness || !isConfirmed(witness, { pair, assumptions }, comparison)) {
    return { ...sides, certainty: "not decided", assumptions: [] };
  }
  if (certainty === "certain") return { ...sides, certainty, witness, assumptions: [] };
  return { ...sides, certainty, witness, assumptions: decisiveAssumptions(point, assumptions, comparison) };
}

const sideOf = <A extends Acl>({ acl, end }: Ending<A>): Side<A> => ({ ...end, ...(acl && { acl }) });

/** Whether the evaluation of the witness confirms the change. */
function isConfirmed<A extends Acl>(
  witness: WholeRequest,
  { pair, assumptions }: Found<A>,
  { before, after }: Comparison<A>,
): boolean {
  const { one, other } = pair;
  return endOf(before, witness, assumptions).by === one.acl && endOf(after, witness, assumptions).by === other.acl;
}
