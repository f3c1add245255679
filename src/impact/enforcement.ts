/** Finds ACLs that go from `log` to `block` or `redirect`, and asks for evidence from a log. */
import { flagOf } from "../access/access";
import type { Cause } from "./cause";
import { effect, type Effect, type Level } from "./effect";
import { causeOf, changedAcls } from "./network-acl/analysis";
import type { AclVersions, PlannedAcl } from "./network-acl/acl";
import { titleOf } from "./network-acl/words";
import { amount, counted } from "./phrases";

export interface Enforced {
  readonly acl: PlannedAcl;
  readonly action: "block" | "redirect";
  readonly cause: readonly Cause[];
}

/** The requests of a log that match the rule. */
export interface Enforcement extends Enforced {
  /** Requests that it matches. */
  readonly matched: number;
  /** Requests that it may match. */
  readonly possible: number;
  /** Requests that it matches, and whose outcome stays as it is. */
  readonly same: number;
  /** All requests that count. */
  readonly of: number;
  readonly users: number;
  /** Milliseconds that the log covers, without its gaps. */
  readonly span: number;
  /** The counts of the service's own summaries, if the log has some. */
  readonly summed?: { readonly matched: number; readonly evaluated: number };
}

export interface EnforcementGate {
  /** Default: medium. */
  readonly level?: Level;
  /** The time that a log must cover, in milliseconds. Default: three days. */
  readonly window?: number;
}

/** The service's documentation advises three to seven days. */
const usualWindow = 3 * 86_400_000;

export function enforcedIn({ before, after }: AclVersions): Enforced[] {
  const changed = changedAcls({ before, after });
  const logged = before.filter(({ active, rule }) => active && flagOf(rule.action) === "log");
  const logging = new Set(logged.map(({ key }) => key));
  return after.flatMap((acl): Enforced[] => {
    const action = flagOf(acl.rule.action);
    if (!acl.active || !logging.has(acl.key) || (action !== "block" && action !== "redirect")) return [];
    return [{ acl, action, cause: [causeOf(changed.get(acl.key)!)] }];
  });
}

/** One effect for each. `evidence`: left out if the review has no log. */
export function enforcementEffects(
  enforced: readonly Enforced[],
  evidence: readonly Enforcement[] | undefined,
  { level, window = usualWindow }: EnforcementGate = {},
): Effect[] {
  return enforced.map(({ acl, action, cause }) => {
    const found = evidence?.find((one) => one.acl.key === acl.key);
    const does = `${titleOf(acl)} changes from log to ${action}`;
    const why = reasonOf(found, window);
    if (!found || why !== undefined) {
      const text = `${does}, but ${why}. Give a log with --logs.`;
      return effect("TNF-ENFORCEMENT-UNPROVEN", text, { ...acl, ...(level && { level }) });
    }
    const value = found.of === 0 ? 0 : (found.matched - found.same) / found.of;
    return effect("TNF-ENFORCEMENT-PROVEN", `${does}: ${evidenceWords(found)}.`, {
      share: isUnseen(found) ? null : { value, of: "logged requests", basis: "the log" },
      who: `logged requests that match ${titleOf(acl)}`,
      cause,
      certainty: found.possible > 0 ? "possible" : "certain",
    });
  });
}

/** Why the log does not show enough. It shows nothing if no event has the facts that the rule names. */
function reasonOf(found: Enforcement | undefined, window: number): string | undefined {
  if (!found) return "the review has no log that shows which requests this affects";
  if (found.span < window)
    return `the log covers ${hoursWords(found.span)} of the ${hoursWords(window)} that are needed`;
  if ((found.summed?.evaluated ?? 0) > 0) return undefined;
  if (isUnseen(found))
    return "no event of the log has the signals of its rule, and none sums up its matches (acls_summary)";
  return found.of === 0 ? "the log has no request" : undefined;
}

const isUnseen = ({ possible, of }: Enforcement) => of > 0 && possible === of;

const hoursWords = (ms: number) => counted(Math.floor(ms / 3_600_000), "hour");

/** `it matches 38,400 of 1,200,000 logged requests (3.2 %), 4 known users` */
export function evidenceWords(one: Enforcement): string {
  const { matched, possible, same, of, users, summed } = one;
  const own =
    summed && summed.evaluated > 0
      ? `; the service itself counted ${amount(summed.matched)} matches in ${amount(summed.evaluated)} requests`
      : "";
  if (isUnseen(one)) return `it is not known which of ${amount(of)} logged requests it matches${own}`;
  const share = of === 0 ? "" : ` (${percentWords(matched / of)})`;
  const before = same > 0 ? `, ${amount(same)} of which get the same outcome as before` : "";
  const maybe = possible > 0 ? `, and perhaps ${amount(possible)} more` : "";
  const people = users > 0 ? `, ${counted(users, "known user")}` : "";
  return `it matches ${amount(matched)} of ${amount(of)} logged requests${share}${before}${maybe}${people}${own}`;
}

/** Never 0 % for something, and never 100 % for less than all. */
function percentWords(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`;
  const percent = share * 100;
  if (percent < 0.1) return "less than 0.1 %";
  return percent > 99.9 ? "more than 99.9 %" : `${Number(percent.toFixed(1))} %`;
}
