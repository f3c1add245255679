/** Judges the changes of limits. */
import { finding, type Code, type Finding, type Level } from "../finding";
import { hidden } from "../hidden";
import type { LimitChange } from "./changes";
import { hostOf, limitWords, rateOf } from "./limit";

type Sides = Pick<LimitChange, "before" | "after" | "open">;

/** `isRejecting`: a log shows that limits reject requests already. */
export function limitFindings(changes: readonly LimitChange[], isRejecting = false): Finding[] {
  return changes.flatMap((change) =>
    judged(change).map((code) =>
      finding(code, textOf(code, change), {
        ...change,
        address: change.address!,
        level: levelOf(code, change, isRejecting),
      }),
    ),
  );
}

/** The codes of a change, the limit before the redirect. */
export function judged({ before, after, open }: Sides): Code[] {
  if (open) return ["TNF-LIMIT-UNKNOWN"];
  const isRedirected =
    after?.action === "redirect" && (after.redirect_uri ?? before?.redirect_uri) !== before?.redirect_uri;
  const redirect: Code[] = isRedirected ? ["TNF-LIMIT-REDIRECT"] : [];
  const [was, is] = [before, after].map(rateOf);
  if (was === undefined || is === undefined) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : ["TNF-LIMIT-UNKNOWN", ...redirect];
  }
  if (is === was && before?.action === after?.action) return redirect;
  if (after?.action === "block" && is === 0 && was !== 0) return ["TNF-LIMIT-BLOCKED"];
  if (is === was) return after?.action === "block" ? ["TNF-LIMIT-REDIRECT"] : redirect;
  return [is < was ? "TNF-LIMIT-TIGHTENED" : "TNF-LIMIT-LOOSENED", ...redirect];
}

/** The level of one code: how many clients the change affects, and how hard. */
export function levelOf(code: Code, change: LimitChange, isRejecting = false): Level {
  const { before, after, consumer_selector: selector } = change;
  const [was, is] = [before, after].map(rateOf);
  // A selector that must not be shown may be the default.
  const isDefault = selector === "default" || selector === hidden;
  if (code === "TNF-LIMIT-BLOCKED" || (is === 0 && was !== 0)) return isDefault ? "critical" : "high";
  if (code === "TNF-LIMIT-REDIRECT") return movesHost(before, after) ? "high" : "medium";
  if (code === "TNF-LIMIT-UNKNOWN") return "medium";
  if (code === "TNF-LIMIT-LOOSENED") return isDefault && is === Infinity ? "medium" : "low";
  if (isRejecting) return "high";
  if (was === Infinity) return isDefault ? "medium" : "low";
  return is! * 10 <= was! ? "high" : is! * 2 <= was! ? "medium" : "low";
}

/** Whether a redirect goes to another host than before. An address that is no URL may be on any host. */
function movesHost(before: LimitChange["before"], after: LimitChange["after"]): boolean {
  if (before?.action !== "redirect" || after?.action !== "redirect" || before.redirect_uri === undefined) return false;
  return hostOf(before) === undefined || hostOf(before) !== hostOf(after);
}

/** Whether a limit appears or disappears, or becomes 0: a few characters with a large effect. */
export function isDrastic({ before, after }: Sides): boolean {
  const [was, is] = [before, after].map(rateOf);
  return (was === Infinity) !== (is === Infinity) || (is === 0 && was !== 0);
}

function textOf(code: Code, change: LimitChange): string {
  const { address, consumer_selector: selector, before, after, note, open } = change;
  const others = selector === "default" ? "clients without a policy of their own" : selector;
  const who = selector === hidden ? `${hidden} of ${address}` : others;
  const isSecret = [before, after].some((limit) => limit?.action === hidden);
  const beginnings: Partial<Record<Code, string>> = {
    "TNF-LIMIT-UNKNOWN": !open
      ? `The plan does not show enough of the limit for ${who}`
      : `The limit for ${who} ${isSecret ? "changes and is sensitive" : "is known only after the apply"}`,
    "TNF-LIMIT-REDIRECT":
      after?.action === "block"
        ? `Requests of ${who} above the limit are blocked, and no longer redirected`
        : `Requests of ${who} above the limit are newly redirected to ${after?.redirect_uri}`,
    "TNF-LIMIT-BLOCKED": `All requests of ${who} are blocked`,
    "TNF-LIMIT-TIGHTENED":
      rateOf(after) === 0
        ? `All requests of ${who} are redirected`
        : `The limit for ${who} is ${rateOf(before) === Infinity ? "new" : "tighter"}`,
    "TNF-LIMIT-LOOSENED": `The limit for ${who} is looser`,
  };
  return `${beginnings[code]}: from ${limitWords(before)} to ${limitWords(after)}${note ? `; ${note}` : ""}.`;
}
