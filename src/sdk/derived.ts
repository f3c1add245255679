/** Compares the derived values of an apply with those of its plan. */
import { attributePath } from "../cty/path";
import { equal, unknown, type ObjectValue, type Value } from "../cty/value";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import { show } from "./check";
import type { Codec } from "./codec";
import { protocolDiagnostic } from "./diagnostic";
import { toPlain } from "./plain";
import { typeOf } from "./schema";

/** Completes the planned values by derived values that the plan did not know. */
export function completed(
  { attributes }: Codec,
  planned: ObjectValue | null,
  now: ObjectValue | null,
): ObjectValue | null {
  if (!planned || !now) return planned;
  const late = attributes.filter(({ name, derived }) => derived && planned[name] === unknown);
  return { ...planned, ...Object.fromEntries(late.map(({ name }) => [name, now[name] ?? null])) };
}

/** Reports derived values that differ from the plan, because write-only values may have changed since. */
export function departures({ attributes }: Codec, planned: ObjectValue, now: ObjectValue): ProtocolDiagnostic[] {
  return attributes.flatMap(({ name, shape, derived, sensitive }) => {
    const was: Value = planned[name] ?? null;
    const is: Value = now[name] ?? null;
    if (!derived || equal(was, is, typeOf(shape))) return [];
    const current = is === unknown ? "it is not known now" : `it is ${show(toPlain(is), sensitive)} now`;
    return protocolDiagnostic({
      path: attributePath(name),
      severity: "error",
      code: "TNF-NOT-AS-PLANNED",
      detail:
        `\`${name}\` was planned as ${show(toPlain(was), sensitive)}, but ${current}. Plan again. ` +
        "Nothing was changed.",
    });
  });
}
