/** A review for the terminal. */
import { printable } from "../text/printable";
import { shadowWords, changeWords, titleOf } from "../impact/network-acl/words";
import { gainWords, lossWords } from "../impact/organization-member-set/findings";
import { limitWords } from "../impact/rate-limit-policy/limit";
import { blindSpot, verdictWords, type Review } from "./review";
import { probeWords } from "./probe";

export function toText(reviews: readonly Review[]): string {
  const blind = blindSpot(reviews);
  return [...reviews.map(textOf), ...(blind ? [`${printable(blind)}\n`] : [])].join("\n");
}

function textOf(review: Review): string {
  const { acls, rules, policies, members, findings, scopes, probes } = review;
  const moved = review.versions.before.length + review.versions.after.length > 0;
  const sections: [string, readonly string[]][] = [
    [
      "Findings",
      findings.map(
        ({ code, level, text, ignored }) =>
          `${level.padEnd(8)} ${code}  ${text}${ignored === undefined ? "" : ` (ignored: ${ignored})`}`,
      ),
    ],
    [
      "Network ACLs",
      moved
        ? [
            verdictWords(acls),
            ...rules.map(({ acl, words }) => `* ${titleOf(acl)}: ${words.join("; ")}`),
            ...acls.changes.map((change) => `- ${changeWords(change, acls.secrets)}`),
            ...acls.unreachable.map(
              ({ acl, shadowedBy }) => `- ${titleOf(acl)} can never match: ${shadowWords(shadowedBy)}.`,
            ),
            `Order before: ${acls.before.map(titleOf).join(" > ") || "none"}`,
            `Order after:  ${acls.after.map(titleOf).join(" > ") || "none"}`,
          ]
        : [],
    ],
    ["Probes", probes.map(probeWords)],
    [
      "Rate limits",
      policies.map(
        ({ consumer_selector: who, before, after }) => `${who}: ${limitWords(before)} -> ${limitWords(after)}`,
      ),
    ],
    [
      "Members",
      members.map((set) => {
        const { address, organization_id: id } = set;
        return `${address} (${id ?? "organization not known yet"}): ${gainWords(set)}, ${lossWords(set)}`;
      }),
    ],
    ["Scopes that the apply needs", scopes.length > 0 ? [scopes.join(" ")] : []],
  ];
  const told = sections.filter(([, lines]) => lines.length > 0);
  const paragraphs = [[`Review of ${review.name}`], ...told.map(([title, lines]) => [title, ...lines])];
  return `${paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => printable(line)).join("\n"))
    .join("\n\n")}\n`;
}
