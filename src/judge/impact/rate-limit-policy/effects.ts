/**
 * Judges the changes of limits: which applications are limited more, less or otherwise.
 *
 * | before | after | code |
 * | --- | --- | --- |
 * | block above 50 | block above 10 | `TNF-LIMIT-TIGHTENED` |
 * | block above 50 for each application (default) | block above 50 for all together | possibly `TNF-LIMIT-TIGHTENED` |
 * | block above 50 | block every request | `TNF-LIMIT-BLOCKED` |
 */
import { equal } from "../../../formats/cty/value";
import type { Change } from "../cause";
import { effect, levels, type Code, type Effect, type Level } from "../effect";
import { hidden } from "../../../formats/text/lists";
import type { Assumption } from "../words/assumption";
import type { LimitChange } from "./changes";
import { hostOf, isShared, rateOf, ratesOf } from "./policy";

/** One effect for each change of a limit, or of what is logged. `isRejecting`: a log shows that limits reject requests already. */
export function limitEffects(changes: readonly LimitChange[], isRejecting = false): Effect[] {
  return changes.flatMap((change): Effect[] => {
    const [code = logCode(change), level] = worstOf(change, isRejecting);
    if (code === undefined) return [];
    const { address = "", plan, action, resource, consumer, consumer_selector, assumptions = [] } = change;
    const reasons = [...reasonsOf(change, code), ...assumptions];
    return [
      effect(
        code,
        {
          kind: "limit",
          resource,
          consumer,
          consumer_selector,
          apis: resource === "oauth_authentication_api" ? ["authentication"] : [],
          was: change.before,
          is: change.after,
        },
        {
          ...(level && { level }),
          cause: [{ address, ...(plan !== undefined && { plan }), change: causes[action ?? "update"]! }],
          certainty: reasons.length > 0 ? "possible" : "certain",
          assumptions: reasons,
        },
      ),
    ];
  });
}

/** How the plan changes the policy. */
const causes: Readonly<Record<string, Change>> = {
  create: { kind: "created" },
  update: { kind: "changed", attributes: [] },
  replace: { kind: "replaced" },
  destroy: { kind: "destroyed" },
};

/** A change may have a new limit and a new redirect. An unknown limit is the code to act on, then the worst one. */
function worstOf(change: LimitChange, isRejecting: boolean): [code?: Code, level?: Level] {
  const found = codesOf(change).map((code) => [code, levelOf(code, change, isRejecting)] as const);
  const [worst] = found.toSorted(([, one], [, other]) => levels.indexOf(other) - levels.indexOf(one));
  if (!worst) return [];
  return [found.some(([code]) => code === "TNF-LIMIT-UNKNOWN") ? "TNF-LIMIT-UNKNOWN" : worst[0], worst[1]];
}

/** The codes of a change, the limit before the redirect. */
function codesOf(change: LimitChange): Code[] {
  const { before, after, open } = change;
  if (open) return ["TNF-LIMIT-UNKNOWN"];
  const isRedirected =
    after?.action === "redirect" && (after.redirect_uri ?? before?.redirect_uri) !== before?.redirect_uri;
  const redirect: Code[] = isRedirected ? ["TNF-LIMIT-REDIRECT"] : [];
  const [was, is] = [before, after].map(rateOf);
  if (was === undefined || is === undefined) {
    return equal(before, after) ? [] : ["TNF-LIMIT-UNKNOWN", ...redirect];
  }
  const other = isOtherCounter(change);
  if (is === was && before?.action === after?.action && !other) return redirect;
  if (after?.action === "block" && is === 0 && was !== 0) return ["TNF-LIMIT-BLOCKED"];
  if (is === was && !other) return after?.action === "block" ? ["TNF-LIMIT-REDIRECT"] : redirect;
  // One counter for a whole group may be tighter than any number for each of its applications.
  const isTighter = other === "shared" || is < was;
  return [isTighter ? "TNF-LIMIT-TIGHTENED" : "TNF-LIMIT-LOOSENED", ...redirect];
}

/**
 * Whether the counter changes: "shared": each application had its own number of requests, and the group shares one after the change.
 * "each": the reverse. The two numbers say nothing about each other without the number of applications, unless one is 0 or there is none.
 */
function isOtherCounter({ before, after }: LimitChange): "shared" | "each" | undefined {
  const isCounted = [before, after].every((limit) => {
    const rate = rateOf(limit);
    return rate !== undefined && rate !== 0 && rate !== Infinity;
  });
  const [was, is] = [before, after].map(isShared);
  return !isCounted || was === is ? undefined : is ? "shared" : "each";
}

/** Why a limit is another one than the plan shows, or is not known to be tighter or looser. */
function reasonsOf(change: LimitChange, code: Code): Assumption[] {
  if (code === "TNF-LIMIT-UNKNOWN") {
    const isSecret = [change.before, change.after].some((limit) => limit?.action === hidden);
    if (isSecret) return [{ is: "sensitive limit" }];
    return [{ is: change.open ? "open limit" : "part of a limit" }];
  }
  const [was, is] = [change.before, change.after].map(rateOf) as [number, number];
  const other = isOtherCounter(change);
  if (other === undefined || (other === "shared" ? is < was : is > was)) return [];
  return [{ is: "size of the group" }];
}

/** The level of one code: how many applications the change affects, and how hard. */
function levelOf(code: Code, change: LimitChange, isRejecting: boolean): Level {
  const { before, after, consumer_selector: selector } = change;
  const [was, is] = [before, after].map(rateOf);
  // A selector that must not be shown may be the default.
  const isDefault = selector === "default" || selector === hidden;
  if (code === "TNF-LIMIT-BLOCKED" || (is === 0 && was !== 0)) return isDefault ? "critical" : "high";
  if (code === "TNF-LIMIT-REDIRECT") return movesHost(before, after) ? "high" : "medium";
  if (code === "TNF-LIMIT-UNKNOWN") return isHarsh(change) ? "high" : "medium";
  if (code === "TNF-LIMIT-LOOSENED") return isDefault && is === Infinity ? "medium" : "low";
  if (isRejecting) return "high";
  if (was === Infinity) return isDefault ? "medium" : "low";
  const least = isOtherCounter(change) === "shared" ? "medium" : "low";
  return is! * 10 <= was! ? "high" : is! * 2 <= was! ? "medium" : least;
}

/** Whether what is not known may bring a limit of 0, a tenth of the limit before, or a redirect to another host. */
function isHarsh({ before, after }: LimitChange): boolean {
  const [[, most], [least]] = [ratesOf(before), ratesOf(after)];
  const isTenth = least === 0 ? most > 0 : most !== Infinity && least * 10 <= most;
  return isTenth || movesHost(before, after);
}

/** Whether a redirect goes to another host than before. An address that is no URL may be on any host. */
function movesHost(before: LimitChange["before"], after: LimitChange["after"]): boolean {
  if (before?.action !== "redirect" || after?.action !== "redirect" || before.redirect_uri === undefined) return false;
  return hostOf(before) === undefined || hostOf(before) !== hostOf(after);
}

/** undefined: the same requests are logged. */
function logCode({ before, after }: LimitChange): Code | undefined {
  const [was, is] = [before, after].map((limit) => (limit?.action === "log" ? limit.limit : null));
  return was === is ? undefined : "TNF-LIMIT-LOGGED";
}
