/** Judges the changes of limits. */
import { finding, type Code, type Finding } from "../finding";
import { hidden } from "../hidden";
import type { LimitChange } from "./changes";
import { limitWords, rateOf } from "./limit";

type Sides = Pick<LimitChange, "before" | "after" | "open">;

export function limitFindings(changes: readonly LimitChange[]): Finding[] {
  return changes.flatMap((change) =>
    judged(change).map((code) => finding(code, textOf(code, change), { ...change, address: change.address! })),
  );
}

/** The codes of a change, the limit before the redirect. */
export function judged({ before, after, open }: Sides): Code[] {
  if (open) return ["TF-LIMIT-UNKNOWN"];
  const isRedirected = after?.redirect_uri !== undefined && after.redirect_uri !== before?.redirect_uri;
  const redirect: Code[] = isRedirected ? ["TF-LIMIT-REDIRECT"] : [];
  const [was, is] = [before, after].map(rateOf);
  if (was === undefined || is === undefined) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : ["TF-LIMIT-UNKNOWN", ...redirect];
  }
  if (is === was && (is === Infinity || before?.action === after?.action)) return redirect;
  if (after?.action === "block" && is === 0) return ["TF-LIMIT-BLOCKED"];
  if (is === was) return after?.action === "block" ? ["TF-LIMIT-REDIRECT"] : redirect;
  return [is < was ? "TF-LIMIT-TIGHTENED" : "TF-LIMIT-LOOSENED", ...redirect];
}

/** Whether a limit appears or disappears, or becomes 0: a few characters with a large effect. */
export function isDrastic({ before, after }: Sides): boolean {
  const [was, is] = [before, after].map(rateOf);
  return (was === Infinity) !== (is === Infinity) || (is === 0 && was !== 0);
}

function textOf(code: Code, change: LimitChange): string {
  const { address, consumer_selector: selector, before, after, note, open } = change;
  const who = selector === hidden ? `${hidden} of ${address}` : selector;
  const isSecret = [before, after].some((limit) => limit?.action === hidden);
  const beginnings: Partial<Record<Code, string>> = {
    "TF-LIMIT-UNKNOWN": !open
      ? `The plan does not show enough of the limit for ${who}`
      : `The limit for ${who} ${isSecret ? "changes and is sensitive" : "is known only after the apply"}`,
    "TF-LIMIT-REDIRECT":
      after?.action === "block"
        ? `Requests of ${who} above the limit are blocked, and no longer redirected`
        : `Requests of ${who} above the limit are newly redirected to ${after?.redirect_uri}`,
    "TF-LIMIT-BLOCKED": `All requests of ${who} are blocked`,
    "TF-LIMIT-TIGHTENED": `The limit for ${who} is ${rateOf(before) === Infinity ? "new" : "tighter"}`,
    "TF-LIMIT-LOOSENED": `The limit for ${who} is looser`,
  };
  return `${beginnings[code]}: ${limitWords(before)} before, ${limitWords(after)} after${note ? `; ${note}` : ""}.`;
}
