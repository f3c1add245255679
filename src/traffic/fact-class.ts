/** Groups the values of one fact: two values are in one class if the same rules have them. */
import { factNames, rowOf, type AccessRequest } from "../access/access";
import type { LoggedRequest } from "./request";

/** Why an outcome is only possible: a fact that the log lacks, or a comparison or value that is not known. */
export type Dependency = keyof AccessRequest | "comparison" | "assumption";

export type Candidate = Partial<AccessRequest>;

/** All facts that a request may have. There are several if the fact is not known. */
export interface FactClass {
  readonly id: number;
  readonly why: Dependency;
  readonly candidates: readonly Candidate[];
  /** Those that are left if the facts that no log has match no rule that names them. */
  readonly usual: readonly Candidate[];
}

/** The facts that no event has. */
export const neverLogged: ReadonlySet<Dependency> = new Set(
  factNames.flatMap((name) => (name === "path" || rowOf(name).logged !== undefined ? [] : name)),
);

export interface Dimension {
  classOf(request: LoggedRequest): FactClass;
}

/** The entries of one property on one side of one rule. */
export type List = readonly string[];

/** Which lists have the text: exactly, or only in another case. */
export const vectorOf = (lists: readonly List[], text: string, spell: (text: string) => string) =>
  lists.map((list) => (list.includes(text) ? 2 : list.some((entry) => spell(entry) === text) ? 1 : 0)).join("");

/** Equal classes get one object. `isUsual`: left out: all candidates are usual. */
export function createClasses(isUsual: (candidate: Candidate) => boolean = () => true) {
  const known = new Map<string, FactClass>();
  return (why: Dependency, candidates: ReadonlyMap<string, Candidate>): FactClass => {
    const key = [why, ...[...candidates.keys()].toSorted()].join(" ");
    const all = [...candidates.values()];
    const found = known.get(key) ?? { id: known.size, why, candidates: all, usual: all.filter(isUsual) };
    known.set(key, found);
    return found;
  };
}

/** Matches no entry of a rule. */
export const noText = "";
