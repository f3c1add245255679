/** Names the assumptions on which the results of a request depend. */
import { effectOf, flagOf, sameResult, type Result } from "./action";
import {
  documentedOptions,
  effect,
  pieceOf,
  position,
  precedence,
  target,
  type Assumptions,
  type Uncertainty,
} from "./assumptions";
import { includes } from "./box";
import type { Comparison } from "./comparison";
import { endOf, inOrder, orderUnder, placeOf, type Acl } from "./decide";
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
    // These concern most rules, so a plain evaluation decides.
    const isGeneral = documentedOptions.has(name);
    return sides.some(({ acls, end, dependsOn, optionsOf, endUnder }) => {
      const isMoved = isGeneral ? undefined : dependsOn(name, options);
      if (isMoved !== undefined) return isMoved;
      return (isGeneral ? options : optionsOf(name, options)).some((option) => {
        if (option === assumed) return false;
        if (isGeneral) return !sameResult(endOf(acls, request, new Map([...assumptions, [name, option]])), end);
        changed.set(name, option);
        const differs = !sameResult(endUnder(changed, name), end);
        changed.set(name, assumed);
        return differs;
      });
    });
  };
  const decisive: Uncertainty[] = [];
  for (const uncertainty of uncertainties) {
    if (decisive.length > mostNamed) break;
    if (isDecisive(uncertainty)) decisive.push(uncertainty);
  }
  const named = decisive.length > 0 ? decisive : uncertainties;
  const words = named.slice(0, mostNamed).map(({ name, words: inWords }) => {
    const tied = name === precedence ? sides.map((side) => side.tied).find(({ length }) => length > 1) : undefined;
    return inWords(tied ? JSON.stringify(tied.slice(0, mostTied)) : assumptions.get(name)!);
  });
  return named.length > mostNamed ? [...words, "further assumptions hold"] : words;
}

const mostNamed = 10;
const mostTied = 3;

/** The evaluation of one request by one version of the ACLs. */
interface Evaluation {
  readonly acls: readonly Acl[];
  readonly end: Result;
  /** The keys of the ACLs that match and have the priority of the ACL that decides, in order. */
  readonly tied: readonly string[];
  /** Whether another place of an ACL leads to another end. Undefined if the assumption is about something else. */
  dependsOn(name: string, options: readonly string[]): boolean | undefined;
  /** Those of the options that may lead to another end. */
  optionsOf(name: string, options: readonly string[]): readonly string[];
  /** The end if another option is assumed for `name`. */
  endUnder(changed: Assumptions, name: string): Result;
}

function evaluationOf(acls: readonly Acl[], point: Box, assumptions: Assumptions, space: Space): Evaluation {
  const matches = ({ rule }: Acl, under: Assumptions) =>
    matchedBy(rule, under, space).some(({ box }) => includes(box, point));
  const resultOf = (acl: Acl | undefined, under: Assumptions) =>
    acl ? ((effectOf(acl.rule.action, under) ?? { outcome: "blocked" }) as Result) : ({ outcome: "allowed" } as const);
  const order = orderUnder(acls, assumptions);
  const matching = order.filter((acl) => matches(acl, assumptions));
  const decides = ({ rule }: Acl, under = assumptions) => effectOf(rule.action, under) !== "logged";
  const last = matching.find((acl) => decides(acl));
  const evaluated = new Set(last ? order.slice(0, order.indexOf(last) + 1) : order);
  const dependents = dependentsIn(acls);
  return {
    acls,
    end: resultOf(last, assumptions),
    tied: matching
      .filter((acl) => last && placeOf(acl, assumptions) === placeOf(last, assumptions))
      .map(({ key = "" }) => key),
    dependsOn(name, options) {
      const moved = dependents.get(name)?.find(({ key = "" }) => name === position(key));
      if (!moved) return undefined;
      if (!last || !matching.includes(moved) || !decides(moved)) return false;
      const next = matching.find((acl) => acl !== last && decides(acl));
      const rival = moved === last ? next : moved;
      if (!rival || sameResult(resultOf(rival, assumptions), resultOf(last, assumptions))) return false;
      const [first, end] = [options[0], options.at(-1)].map(Number) as [number, number];
      return moved === last ? end > placeOf(rival, assumptions) : first < placeOf(last, assumptions);
    },
    optionsOf(name, options) {
      if (name === precedence) return matching.length > 1 ? ordersOf(matching, options) : [];
      const concerned = dependents.get(name) ?? [];
      const mayMatter = (acl: Acl) =>
        evaluated.has(acl) && (namesFor(acl.rule).includes(name) || matching.includes(acl));
      return concerned.some(mayMatter) ? options : [];
    },
    endUnder(changed, name) {
      const some = inOrder([...new Set([...matching, ...(dependents.get(name) ?? [])])], changed);
      const found = some.find((acl) => matches(acl, changed) && decides(acl, changed));
      return resultOf(found, changed);
    },
  };
}

/** One order for each of the ACLs that are evaluated first, and one for all other ACLs. */
function ordersOf(matching: readonly Acl[], options: readonly string[]): string[] {
  const keys = new Set(matching.map(({ key }) => key));
  const isNear = (option: string) => (JSON.parse(option) as string[]).some((key) => keys.has(key));
  const other = options.find((option) => !isNear(option));
  return [...options.filter(isNear), ...(other === undefined ? [] : [other])];
}

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
