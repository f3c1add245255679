/** Names the assumptions on which the results of a request depend. */
import { effectOf, flagOf, sameResult, type Result } from "./action";
import { effect, pieceOf, position, precedence, target, type Assumptions, type Uncertainty } from "./assumptions";
import { includes } from "./box";
import { documentedOptions } from "./certainty";
import type { Comparison } from "./comparison";
import { endOf, inOrder, type Acl } from "./decide";
import { matchedBy, namesFor } from "./rule-boxes";
import type { Rule } from "./rule";
import type { Box, Space } from "./space";

/** The assumptions without which the request of the point would have other results, in words. */
export function decisiveAssumptions<A extends Acl>(
  point: Box,
  assumptions: Assumptions,
  comparison: Comparison<A>,
): string[] {
  const { before, after, uncertainties, space } = comparison;
  const sides = [before, after].map((acls) => evaluationOf(acls, point, assumptions, space));
  const request = space.request(point);
  const changed = new Map(assumptions);
  const isDecisive = ({ name, options }: Uncertainty) => {
    const assumed = assumptions.get(name)!;
    // The documented options of a rule may need facts that no box tells apart, so a plain evaluation decides.
    const isPlain = documentedOptions.has(name);
    const tried = sides.some(({ mayDependOn }) => isPlain || mayDependOn(name)) ? options : [];
    const found = tried.some((option) => {
      if (option === assumed) return false;
      changed.set(name, option);
      return sides.some(({ acls, end, endUnder }) => {
        return !sameResult(isPlain ? endOf(acls, request, changed) : endUnder(changed, name), end);
      });
    });
    changed.set(name, assumed);
    return found;
  };
  const decisive = uncertainties.filter(isDecisive);
  return wordsOf(decisive.length > 0 ? decisive : uncertainties, assumptions);
}

const mostNamed = 10;

function wordsOf(uncertainties: readonly Uncertainty[], assumptions: Assumptions): string[] {
  const named = uncertainties.slice(0, mostNamed).map(({ name, words }) => words(assumptions.get(name)!));
  const more = uncertainties.length - named.length;
  return more > 0 ? [...named, `${more} more assumption${more === 1 ? " holds" : "s hold"}`] : named;
}

/** The evaluation of one request by one version of the ACLs. */
interface Evaluation {
  readonly acls: readonly Acl[];
  readonly end: Result;
  mayDependOn(name: string): boolean;
  /** The end if another option is assumed for `name`. */
  endUnder(changed: Assumptions, name: string): Result;
}

function evaluationOf(acls: readonly Acl[], point: Box, assumptions: Assumptions, space: Space): Evaluation {
  const matches = ({ rule }: Acl, under: Assumptions) =>
    matchedBy(rule, under, space).some(({ box }) => includes(box, point));
  const endUnder = (some: readonly Acl[], under: Assumptions): Result => {
    for (const { rule } of inOrder(some, under).filter((acl) => matches(acl, under))) {
      const found = effectOf(rule.action, under) ?? { outcome: "blocked" };
      if (found !== "logged") return found;
    }
    return { outcome: "allowed" };
  };
  const matching = acls.filter((acl) => acl.active && matches(acl, assumptions));
  const dependents = dependentsIn(acls);
  const concernedBy = (name: string) => (name === precedence ? matching : (dependents.get(name) ?? []));
  return {
    acls,
    end: endUnder(matching, assumptions),
    // The place of an ACL that does not match is of no importance.
    mayDependOn: (name) => concernedBy(name).some((acl) => !isPlace(name, acl) || matching.includes(acl)),
    endUnder: (changed, name) => endUnder([...new Set([...matching, ...concernedBy(name)])], changed),
  };
}

const isPlace = (name: string, { key = "" }: Acl) => name === position(key);

const dependentAcls = new WeakMap<readonly Acl[], ReadonlyMap<string, readonly Acl[]>>();

/** Name of an assumption -> the active ACLs that it concerns. */
function dependentsIn(acls: readonly Acl[]): ReadonlyMap<string, readonly Acl[]> {
  const known = dependentAcls.get(acls);
  if (known) return known;
  const made = new Map<string, Acl[]>();
  for (const acl of acls.filter(({ active }) => active)) {
    const names = [...namesFor(acl.rule), ...effectNames(acl.rule), position(acl.key ?? "")];
    for (const name of names)
      made
        .set(name, made.get(name) ?? [])
        .get(name)!
        .push(acl);
  }
  dependentAcls.set(acls, made);
  return made;
}

function effectNames({ action }: Rule): string[] {
  if (flagOf(action) === undefined) return [effect(pieceOf("action", action)), ...targetNames(action)];
  return flagOf(action) === "redirect" ? targetNames(action) : [];
}

function targetNames(action: Rule["action"]): string[] {
  const uri: unknown = action["redirect_uri"];
  return typeof uri === "string" ? [] : [target(pieceOf("redirect_uri", uri))];
}
