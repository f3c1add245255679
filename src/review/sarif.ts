/** Renders findings as SARIF 2.1.0 for code scanning. */
import { printable } from "../text/printable";
import { codes, type Finding, type Level } from "../impact/finding";
import type { Review } from "./review";
import { probeWords } from "./probe";

const levels: Record<Level, "note" | "warning" | "error"> = {
  info: "note",
  low: "note",
  medium: "warning",
  high: "error",
  critical: "error",
};
const severities: Record<Level, string> = { info: "0.0", low: "2.0", medium: "5.0", high: "8.0", critical: "9.5" };

/** The most results that services accept. */
const most = 5_000;

export function toSarif(reviews: readonly Review[], version: string): object {
  const results = reviews.flatMap((review) => review.findings.map((one) => resultOf(one, review.name)));
  const probes = reviews.flatMap((review) => review.probes);
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "tenantform",
            version,
            rules: Object.entries(codes).map(([id, level]) => ({
              id,
              shortDescription: { text: id },
              help: { text: `See docs/guides/findings.md, ${id}.` },
              defaultConfiguration: { level: levels[level] },
              properties: { "security-severity": severities[level] },
            })),
          },
        },
        results: results.slice(0, most),
        ...(probes.length > 0 && { properties: { probes: probes.map((probe) => inert(probeWords(probe))) } }),
      },
    ],
  };
}

/** SARIF messages may contain links in brackets and parentheses, but untrusted text must not create a link. */
function inert(text: string): string {
  return printable(text).replaceAll("](", "]\\(");
}

function resultOf({ code, level, text, address, plan, ignored }: Finding, name: string): object {
  return {
    ruleId: code,
    level: levels[level],
    message: { text: inert(text) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: encodeURI(plan ?? name) }, region: { startLine: 1 } },
        ...(address !== undefined && { logicalLocations: [{ fullyQualifiedName: address, kind: "resource" }] }),
      },
    ],
    partialFingerprints: { finding: [code, address ?? "", ...(plan === undefined ? [] : [plan])].join(" ") },
    ...(ignored !== undefined && { suppressions: [{ kind: "external", justification: inert(ignored) }] }),
  };
}
