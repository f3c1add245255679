/** Finds ACLs that go from `log` to `block` or `redirect`, and asks for evidence from a log. */
import { flagOf } from "../access/access";
import { effect, type Cause, type Effect, type Level } from "./effect";
import { causeOf, changedAcls } from "./network-acl/analysis";
import type { AclVersions } from "./network-acl/acl";
import { titleOf } from "./network-acl/words";

export interface Enforced {
  /** The key of the ACL. */
  readonly key: string;
  readonly title: string;
  readonly address?: string;
  readonly plan?: string;
  readonly id?: string;
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
  return after.flatMap((acl): Enforced[] => {
    const old = before.find(({ key }) => key === acl.key);
    const action = flagOf(acl.rule.action);
    if (!old?.active || !acl.active || flagOf(old.rule.action) !== "log") return [];
    if (action !== "block" && action !== "redirect") return [];
    const { key, address, plan, id } = acl;
    const pair = changed.get(key);
    return [
      {
        key,
        title: titleOf(acl),
        ...(address !== undefined && { address }),
        ...(plan !== undefined && { plan }),
        ...(id !== undefined && { id }),
        action,
        cause: pair ? [causeOf(pair)] : [],
      },
    ];
  });
}

/** Whether the log shows enough. It shows nothing if no event has the facts that the rule names. */
export function isProven(one: Enforcement, { window = usualWindow }: EnforcementGate = {}): boolean {
  return one.span >= window && ((one.of > 0 && !isUnseen(one)) || (one.summed?.evaluated ?? 0) > 0);
}

const isUnseen = ({ possible, of }: Enforcement) => of > 0 && possible === of;

/** `evidence`: left out if the review has no log. */
export function unprovenEffects(
  enforced: readonly Enforced[],
  evidence: readonly Enforcement[] | undefined,
  gate: EnforcementGate = {},
): Effect[] {
  const { level, window = usualWindow } = gate;
  return enforced.flatMap((one) => {
    const found = evidence?.find(({ key }) => key === one.key);
    if (found && isProven(found, gate)) return [];
    const why = found
      ? found.span >= window
        ? isUnseen(found)
          ? "no event of the log has the signals of its rule, and none sums up its matches (acls_summary)"
          : "the log has no request"
        : `the log covers ${hoursWords(found.span)} of the ${hoursWords(window)} that are needed`
      : "the review has no log that shows which requests this affects";
    const text = `${one.title} changes from log to ${one.action}, but ${why}. Give a log with --logs.`;
    return [effect("TNF-ENFORCEMENT-UNPROVEN", text, { ...one, ...(level && { level }) })];
  });
}

function hoursWords(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  return `${hours.toLocaleString("en-US")} hour${hours === 1 ? "" : "s"}`;
}

/** The evidence, for the verdict. */
export function enforcementEffects(evidence: readonly Enforcement[], gate: EnforcementGate = {}): Effect[] {
  return evidence
    .filter((one) => isProven(one, gate))
    .map((one) =>
      effect("TNF-ENFORCEMENT-PROVEN", `${one.title} changes from log to ${one.action}: ${evidenceWords(one)}.`, {
        share: isUnseen(one)
          ? null
          : { value: one.of === 0 ? 0 : (one.matched - one.same) / one.of, of: "logged requests", basis: "the log" },
        who: `logged requests that match ${one.title}`,
        cause: one.cause,
        certainty: one.possible > 0 ? "possible" : "certain",
      }),
    );
}

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
  const people = users > 0 ? `, ${amount(users)} known ${users === 1 ? "user" : "users"}` : "";
  return `it matches ${amount(matched)} of ${amount(of)} logged requests${share}${before}${maybe}${people}${own}`;
}

const amount = (count: number) => count.toLocaleString("en-US");

/** Never 0 % for something, and never 100 % for less than all. */
function percentWords(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`;
  const percent = share * 100;
  if (percent < 0.1) return "less than 0.1 %";
  return percent > 99.9 ? "more than 99.9 %" : `${Number(percent.toFixed(1))} %`;
}
