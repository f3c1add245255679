/** Renders a review as one HTML page: the ACLs before and after in two columns, and a form to try requests. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { effectOf, factNames, factTable } from "../access/access";
import { blanked } from "../text/printable";
import { titleOf } from "../impact/network-acl/words";
import type { PlannedAcl } from "../impact/network-acl/acl";
import { script, style } from "./html-asset";
import type { Review } from "./review";
import { blindSpot, orderTitle, sectionsOf, type Cell, type Section } from "./sections";
import { hidden } from "../impact/hidden";

/** The evaluator, which the build writes into the same folder. */
const evaluator = () => readFileSync(path.join(__dirname, "try.bundle.js"), "utf8");

export function toHtml(reviews: readonly Review[]): string {
  const blind = blindSpot(reviews);
  const tried = reviews.map(({ acls: { before, after, secrets } }) => ({
    before: before.map((acl) => triable(acl, rankIn(before, acl), secrets)),
    after: after.map((acl) => triable(acl, rankIn(after, acl), secrets)),
  }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Review of ${escaped(reviews[0]!.name)}</title>
<style>${style}</style>
</head>
<body>
${reviews.map((review, index) => pageOf(review, index, index === 0 ? blind : undefined)).join("\n")}
<script type="application/json" id="acls">${JSON.stringify(tried).replaceAll("<", "\\u003c")}</script>
<script>${evaluator().replaceAll("</script", "<\\/script")}
${script}</script>
</body>
</html>
`;
}

function pageOf(review: Review, index: number, blind: string | undefined): string {
  const { acls, findings } = review;
  const sections = sectionsOf(review).filter(({ title }) => title !== orderTitle);
  return `<main>
<h1>Review of ${escaped(review.name)}</h1>
<p class="verdict ${review.verdict.level}">${review.verdict.summary.map(escaped).join("<br>")}</p>
${blind ? `<p class="note">${escaped(blind)}</p>` : ""}
${list(
  "Findings",
  findings.map(({ code, level, text, ignored }) => {
    const words = `<span class="level ${level}">${level}</span> <code>${code}</code> ${escaped(text)}`;
    return ignored === undefined ? words : `<s>${words}</s> ignored: ${escaped(ignored)}`;
  }),
)}
${acls.before.length + acls.after.length > 0 ? aclColumns(review) + tryBox(index) : ""}
${sections.map(sectionHtml).join("\n")}
</main>`;
}

function sectionHtml({ title, columns, rows }: Section): string {
  const cells = rows.map((row) => row.map(cellOf));
  if (columns) return table(title, columns, cells);
  return list(
    title,
    cells.map(([first, ...rest]) => [first, rest.join(", ")].filter(Boolean).join(": ")),
  );
}

function cellOf(cell: Cell): string {
  if (typeof cell === "string") return escaped(cell);
  const names = cell.names.map((name) => `<code>${escaped(name)}</code>`).join(", ");
  return cell.text === "" ? names : `${escaped(cell.text)}${names === "" ? "" : ` (${names})`}`;
}

/** Height of one ACL in pixels. The lines between the two columns end in the middle of an ACL. */
const step = 72;

function aclColumns({ acls: { before, after, secrets } }: Review): string {
  const height = Math.max(before.length, after.length) * step;
  const lines = before.flatMap((acl, from) => {
    const to = after.findIndex(({ key }) => key === acl.key);
    if (to < 0) return [];
    const [top, bottom] = [from, to].map((at) => at * step + step / 2);
    return [`<path class="${from === to ? "same" : "moved"}" d="M0 ${top} C50 ${top} 50 ${bottom} 100 ${bottom}"/>`];
  });
  const column = (title: string, acls: readonly PlannedAcl[], others: readonly PlannedAcl[], gone: string) =>
    `<div><h3>${title}</h3><ol class="column">${acls.map((acl) => item(acl, others, gone, secrets)).join("")}</ol></div>`;
  return `<h2>${orderTitle}</h2>
<div class="columns">
${column("before", before, after, "removed")}
<svg viewBox="0 0 100 ${height}" preserveAspectRatio="none" style="height:${height}px" role="img" aria-label="Which rule before is which after">${lines.join("")}</svg>
${column("after", after, before, "added")}
</div>`;
}

const signs = {
  allowed: "✓ allow",
  blocked: "✕ block",
  redirected: "→ redirect",
  logged: "● log",
  open: "? not known yet",
};

function item(acl: PlannedAcl, others: readonly PlannedAcl[], alone: string, secrets: ReadonlySet<string>): string {
  const effect = effectOf(acl.rule.action);
  const kind = effect === undefined ? "open" : effect === "logged" ? "logged" : effect.outcome;
  const uri =
    typeof effect === "object" && effect.redirect_uri && !secrets.has("redirect_uri") ? ` ${effect.redirect_uri}` : "";
  const isAlone = !others.some(({ key }) => key === acl.key);
  const place = acl.secret.has("priority") ? hidden : Number.isNaN(acl.priority) ? "?" : acl.priority;
  const head = `<b>${place} ${escaped(signs[kind])}</b>${isAlone ? ` <em>${alone}</em>` : ""}`;
  const called = escaped(acl.description || acl.address || acl.id || "an ACL");
  return `<li class="${kind}" title="${escaped(titleOf(acl) + uri)}">${head}<span>${called}${escaped(uri)}</span></li>`;
}

/** The path has a value, because a request without a path is not known. */
function tryBox(index: number): string {
  const inputs = factNames.map((name) => {
    const value = name === "path" ? ' value="/authorize"' : ` placeholder="${factTable[name].example}"`;
    return `<label>${name}<input name="${name}"${value}></label>`;
  });
  return `<h2>Try a request</h2>
<form class="try" data-index="${index}">${inputs.join("")}<button>Try</button>
<p>Leave a fact empty if it is not known.</p>
<output data-side="before"></output><output data-side="after"></output></form>`;
}

/** Its index in the order of evaluation, because the priority may be sensitive or not known. */
function rankIn(acls: readonly PlannedAcl[], acl: PlannedAcl): number {
  const first = acls.findIndex(({ priority }) => priority === acl.priority);
  return first < 0 ? acls.indexOf(acl) : first;
}

/** Leaves sensitive values out of the page, so the evaluator reports "may match" for them. */
function triable({ rule, active, key, description }: PlannedAcl, priority: number, secrets: ReadonlySet<string>) {
  const shown = (value: unknown): unknown => {
    if (typeof value === "symbol") return { unknown: value.description };
    if (Array.isArray(value))
      return value.some((entry) => typeof entry === "symbol") ? { partly: value.map(String) } : value;
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, part]) => [name, secrets.has(name) ? hidden : shown(part)]);
    return Object.fromEntries(entries);
  };
  return { rule: shown(rule), active, priority, key, description };
}

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return "";
  return `<h2>${title}</h2>\n<ul>${items.map((one) => `<li>${one}</li>`).join("\n")}</ul>`;
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string) => row.map((cell) => `<${tag}>${cell}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
  return `<h2>${title}</h2>\n<div class="wide"><table><tr>${cells(head, "th")}</tr>\n${body}</table></div>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return blanked(text).replace(/[&<>"']/g, (char) => entities[char]!);
}
