/** Renders a replay as an HTML page, with a histogram by hour. */
import { titled, contentOf, list } from "../render/html-list";
import { markup, Markup } from "../render/html-markup";
import { style } from "../render/html-style";
import type { NamedReport } from "./report";
import { histogram } from "./histogram";
import { trafficSections } from "./sections";

export function replayHtml(reports: readonly NamedReport[]): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<title>Replay of logged requests</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${reports.map(articleOf)}
</main>
</body>
</html>
`.text;
}

function articleOf({ name, report }: NamedReport): Markup {
  const [main, ...others] = trafficSections(report);
  const [headline, ...rest] = main!.rows.map(([line]) => String(line));
  return markup`<article>
<h1><span class="line ${report.replayed.tally.groups.size > 0 ? "moderate" : "fine"}">${headline}</span></h1>
<p class="about">Replay of logged requests against ${name}.</p>
${list(rest.map((line) => markup`${line}`))}
${histogram(report)}${others.map((section) => titled(section.title, contentOf(section)))}
</article>
`;
}
