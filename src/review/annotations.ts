/** Findings as the annotations of a workflow: commands that GitHub reads from a step's output. */
import type { Level } from "./finding";
import type { Review } from "./review";
import { plain } from "./text";
import { probeWords } from "./words";

const kinds: Record<Level, "notice" | "warning" | "error"> = {
  info: "notice",
  low: "notice",
  medium: "warning",
  high: "error",
  critical: "error",
};

/** Of each kind so many are shown of a step. */
const most = 10;

export function toAnnotations(reviews: readonly Review[]): string {
  const findings = reviews.flatMap((review) => review.findings).filter(({ ignored }) => ignored === undefined);
  const probed = reviews
    .flatMap(({ probes }) => probes)
    .filter(({ before, after }) => before.outcome !== after.outcome);
  const lines = [...new Set(Object.values(kinds))].flatMap((kind) => {
    const own = findings.filter(({ level }) => kinds[level] === kind);
    const room = own.length > most ? most - 1 : most;
    const rest = own.length - room;
    return [
      ...own.slice(0, room).map(({ code, text }) => `::${kind} title=${property(code)}::${data(text)}`),
      ...(rest > 0 ? [`::${kind} title=Tenantform::${rest} more: see the review.`] : []),
    ];
  });
  lines.push(...probed.slice(0, most).map((probe) => `::notice title=Probe::${data(probeWords(probe))}`));
  return lines.map((line) => `${line}\n`).join("");
}

function data(text: string): string {
  return plain(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
