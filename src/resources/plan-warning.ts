/** Words the effects of a plan in one warning: first what happens to people, then the changed objects. */
import type { Titled } from "../codes/codes";
import { clipped } from "../impact/clipped";
import { isAtLeast } from "../impact/finding";
import { sign } from "../impact/verdict/verdict";
import { oneLine } from "../text/printable";
import type { ChangeNote } from "./change-note";
import { planEffects, type PlanEffect } from "./plan-effects";
import type { PlanWarnings } from "./provider-block/definition";

export interface PlanWarningInput {
  /** All changes of the plan so far. */
  readonly all: readonly ChangeNote[];
  /** The changes that no earlier warning listed. */
  readonly gathered: readonly ChangeNote[];
  readonly level: PlanWarnings;
  /** Undefined: the network ACLs of the tenant are not known. */
  readonly acls: readonly object[] | undefined;
  /** Whether no earlier warning had the line. */
  isNew(line: string): boolean;
}

export function planWarning(input: PlanWarningInput): { code: Titled; detail: string } | undefined {
  const { all, gathered, level, acls, isNew } = input;
  const reported = gathered.filter(({ dangerous, explains }) => dangerous || (level === "all" && explains));
  const isShown = ({ effect, causes }: PlanEffect) =>
    level === "all" || isAtLeast(effect.level, "high") || reported.some((note) => causes.has(note));
  const effects = planEffects(all, acls).filter(isShown);
  const shown = gathered.filter((note) => reported.includes(note) || effects.some(({ causes }) => causes.has(note)));
  if (shown.length === 0) return undefined;
  const lines = linesOf(effects.filter(({ effect }) => isNew(textOf(effect))));
  if (lines.length === 0) return reported.length === 0 ? undefined : withoutVerdict(reported);
  const [worst, ...others] = lines as [string, ...string[]];
  const verdict = others.length > 0 ? `${others.join("\n")}\n\n` : "";
  return { code: ["TNF-PLAN-EFFECTS", worst], detail: `${verdict}${listed(shown)}\n\n${advice}` };
}

const mostLines = 3;
const mostCharacters = 280;

function linesOf(effects: readonly PlanEffect[]): string[] {
  const shown = effects.slice(0, effects.length > mostLines ? mostLines - 1 : mostLines);
  const [next, ...rest] = effects.slice(shown.length);
  return [
    ...shown.map(({ effect }) => `${sign(effect.level)} ${textOf(effect)}`),
    ...(next ? [`${sign(next.effect.level)} The review shows ${rest.length + 1} more effects.`] : []),
  ];
}

/** Entries of rules and names of people may be sensitive, and a provider does not know which ones are. */
const textOf = ({ brief, text }: PlanEffect["effect"]) => clipped(oneLine(brief ?? text), mostCharacters);

/** Changes without a known effect. */
function withoutVerdict(reported: readonly ChangeNote[]): { code: Titled; detail: string } {
  const [first] = dangerousFirst(reported);
  const dangerous = reported.filter((each) => each.dangerous).length;
  const rest = reported.length - Math.max(dangerous, 1);
  const others = [
    ...(dangerous > 1 ? [`${dangerous - 1} more that ${dangerous === 2 ? "is" : "are"} dangerous`] : []),
    ...(rest > 0 ? [`${rest} other changes`] : []),
  ];
  return {
    code: [
      "TNF-PLAN-CHANGES",
      `${first!.title} ${first!.words}${others.length > 0 ? `; and ${others.join(", ")}` : ""}`,
    ],
    detail: reported.length > 1 ? `${listed(reported)}\n\n${advice}` : advice + codesOf(first!),
  };
}

const dangerousFirst = (notes: readonly ChangeNote[]) =>
  notes.toSorted((a, b) => Number(b.dangerous) - Number(a.dangerous));

/** The message lists the first ones. */
const most = 50;

function listed(notes: readonly ChangeNote[]): string {
  const lines = dangerousFirst(notes).map((each) => `- ${each.title} ${each.words}${codesOf(each)}`);
  const rest = lines.length > most ? [`- and ${lines.length - most} more`] : [];
  return [...lines.slice(0, most), ...rest].join("\n");
}

const codesOf = ({ codes = [] }: ChangeNote) => codes.map((code) => ` [${code}]`).join("");

const advice =
  "Run `npx tenantform review` to see which requests change their outcome. " +
  'Set `plan_warnings` in the provider block to choose which changes are shown: "all", "dangerous" or "off".';
