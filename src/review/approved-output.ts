/** Renders the comparison with an approved review. */
import { clipped } from "../impact/phrases";
import { oneLine } from "../text/printable";
import type { ApprovalResult } from "./approved";
import { inert } from "./render/markdown";

export const isProven = (results: readonly ApprovalResult[]): boolean =>
  results.every(({ verdict }) => verdict === "same");

export function approvalOutput(results: readonly ApprovalResult[], format: "text" | "markdown" | "json"): string {
  if (format === "json") {
    const tenants = results.map(({ name, verdict, lines, promotion }) => ({
      name,
      verdict,
      differences: lines,
      ...(promotion && { approved_tenant: promotion.from, tenant: promotion.to }),
    }));
    return `${JSON.stringify({ format_version: "1.0", proven: isProven(results), tenants }, undefined, 2)}\n`;
  }
  const lines = linesOf(results);
  const shown = format === "text" ? lines.map(({ depth, text }) => "  ".repeat(depth) + text) : lines.map(markdownLine);
  return `${shown.join("\n")}\n`;
}

interface Line {
  readonly depth: 0 | 1;
  readonly text: string;
}

const markdownLine = ({ depth, text }: Line) => (depth === 0 ? `**${inert(text)}**\n` : `- ${inert(text)}`);

function linesOf(results: readonly ApprovalResult[]): Line[] {
  const others = results.filter(({ verdict }) => verdict !== "same");
  const proven = results.length - others.length;
  const head = (text: string): Line => ({ depth: 0, text: oneLine(text) });
  return [
    ...others.flatMap(({ name, verdict, lines }) => [head(`✖ ${name} ${words[verdict]}.`), ...lines.map(detail)]),
    ...(others.length === 0
      ? [head(provenWords(results))]
      : proven > 0
        ? [head(`✔ ${proven} more: as approved.`)]
        : []),
    ...(others.length === 0 && results.some(({ isPartial }) => isPartial) ? [head(partialWords)] : []),
    ...results.flatMap(({ promotion, verdict }) =>
      promotion && verdict === "same" ? [head(promotionWords(promotion))] : [],
    ),
    ...(others.length === 0 && results.some(({ isNameless }) => isNameless) ? [head(namelessWords)] : []),
  ];
}

const detail = (text: string): Line => ({ depth: 1, text: oneLine(text) });

const words = {
  same: "means what was approved",
  different: "does not mean what was approved",
  "not known": "is not proven to mean what was approved",
};

const provenWords = (results: readonly ApprovalResult[]) =>
  `✔ ${results.length === 1 ? "The plan means" : `The plans of all ${results.length} tenants mean`} what was approved. Proven: the same ` +
  "effects on every request, limit, member and key.";

const promotionWords = ({ from, to }: { readonly from: string; readonly to: string }) =>
  `○ The approved review is for ${clipped(from)}, and this plan is for ${clipped(to)}, as --approved-for-any-tenant allows.`;

const namelessWords =
  "○ Neither review names its tenant, because both took it from the environment. To compare the tenants too, set `domain` in the provider " +
  "block, or give --tenant in both reviews.";

const partialWords =
  "○ The proof covers the objects that the plans manage or read. Give --tenant in both reviews to include the others.";
