/** Judges the ends of objects and members. */
import { effect, type Code, type Effect } from "../effect";
import type { PlannedObject } from "../model";
import type { End, EndStatus } from "./ends";
import { consequenceOf, endWords } from "./words";

const codes: Readonly<Partial<Record<EndStatus, Code>>> = {
  overdue: "TNF-OVERDUE",
  expires: "TNF-EXPIRED",
  soon: "TNF-EXPIRES-SOON",
};

/** One finding for each object and status. */
export function expiryEffects(all: readonly End[], now: number): Effect[] {
  const groups = new Map<PlannedObject, Map<Code, End[]>>();
  for (const end of all) {
    const code = codes[end.status];
    if (!code) continue;
    const own = groups.get(end.object) ?? new Map<Code, End[]>();
    groups.set(end.object, own.set(code, [...(own.get(code) ?? []), end]));
  }
  return [...groups].flatMap(([object, own]) =>
    [...own].map(([code, ends]) => effect(code, textOf(ends, now), object)),
  );
}

const mostNamed = 5;

function textOf(ends: readonly End[], now: number): string {
  const sorted = ends.toSorted((one, other) => one.instant - other.instant);
  const rest = sorted.length - mostNamed;
  const named = sorted.slice(0, mostNamed).map((end) => `${endWords(end, now)}.`);
  const more = rest > 0 ? [`${rest} more ${sorted[0]!.status === "soon" ? "expire" : "expired"}.`] : [];
  return [...named, ...more, ...consequenceOf(sorted[0]!, sorted.length === 1)].join(" ");
}
