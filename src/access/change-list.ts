/** Lists the changes of a comparison. */
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

/** Keeps the most certain entry for two ACLs and their results. */
export function createList<A extends Acl>(comparison: Comparison<A>) {
  const listed = new Map<string, Entry<A>>();
  const places = new Map([...comparison.before, ...comparison.after].map((acl, place) => [acl, place]));
  const keyOf = ({ one, other }: Pair<A>) =>
    JSON.stringify([one, other].map(({ acl, end }) => [acl && places.get(acl), end.outcome, end.redirect_uri]));
  return {
    hasCertain: (pair: Pair<A>): boolean => listed.get(keyOf(pair))?.certainty === "certain",
    add(entry: Entry<A>): void {
      const key = keyOf(entry.pair);
      const known = listed.get(key);
      if (!known || strength[entry.certainty] > strength[known.certainty]) listed.set(key, entry);
    },
    changes: (): Change<A>[] => [...listed.values()].map((entry) => changeOf(entry, comparison)),
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
  return { ...sides, certainty, witness, assumptions: decisiveAssumptions(witness, assumptions, comparison) };
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
