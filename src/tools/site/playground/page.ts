/** The page of the playground: one HTML file that runs its own script only, and sends nothing. */
import { createHash } from "node:crypto";
import path from "node:path";
import { build, type Plugin } from "esbuild";
import { markup, Markup } from "../../../review/render/markup";
import { style } from "../../../review/render/style";
import { version } from "../../../version";

/** Functions of the review that read files are in the bundle, and the page never calls them. */
const withoutNode: Plugin = {
  name: "without modules of Node",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path: name }) => ({ path: name, namespace: "node" }));
    onLoad({ filter: /.*/, namespace: "node" }, () => ({ contents: "module.exports = {};", loader: "js" }));
  },
};

export async function playgroundScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(__dirname, "browser.ts")],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    define: { bundledVersion: JSON.stringify(version), __dirname: '"/"', "process.env": "{}" },
    plugins: [withoutNode],
  });
  return outputFiles[0]!.text.replaceAll("</script", "<\\/script");
}

export async function playgroundPage(): Promise<string> {
  const code = await playgroundScript();
  const hash = createHash("sha256").update(code).digest("base64");
  const policy = [
    "default-src 'none'",
    "connect-src 'none'",
    "img-src data:",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types tenantform",
  ].join("; ");
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<title>Playground of Tenantform</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}${new Markup(ownStyle)}</style>
</head>
<body>
${body}
<script>${new Markup(code)}</script>
</body>
</html>
`.text;
}

const body = markup`<header><a href="./index.html">Tenantform</a> <a href="./guides/review.html">Review a plan</a></header>
<main>
<h1>Playground</h1>
<p>Write network ACLs, or paste a plan as JSON. This page evaluates them in your browser and sends nothing to any server.</p>
<noscript><p>This page needs JavaScript, because the evaluation runs in your browser.</p></noscript>
<div class="written">
<label for="text">Network ACLs as HCL or JSON, or the output of <code>terraform show -json plan</code></label>
<textarea id="text" rows="18" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="problem"></textarea>
<p class="buttons"><button id="evaluate" type="button">Evaluate</button>
<button id="link-button" type="button">Make a link</button>
<label class="file" for="file">Open a file <input id="file" type="file" accept=".json,.tf,.hcl,application/json"></label></p>
<p id="problem" class="problem" role="alert"></p>
<p id="share" hidden><label for="link">Link to this page with its contents</label> <input id="link" readonly></p>
<p id="notice" class="note" role="status"></p>
</div>
<div id="results"></div>
</main>`;

const ownStyle = `
.column li.hit { outline: 3px solid var(--link); outline-offset: -2px; }
.try { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: .75rem; align-items: start; }
.try label { display: block; font-size: .9rem; }
.try input, .try button { font: inherit; width: 100%; min-width: 0; min-height: 2.25rem; padding: .25rem .5rem; border: 1px solid var(--line); border-radius: .3rem; background: var(--page); color: inherit; }
.try button { background: var(--panel); font-weight: 600; cursor: pointer; }
.try ::placeholder { color: var(--muted); opacity: 1; }
.try [aria-invalid] { border: 2px solid var(--severe); } .problem { display: block; margin-top: .25rem; color: var(--severe); font-size: .875rem; }
.try > p, .try > button, .result { grid-column: 1 / -1; margin: 0; } .try > button { max-width: 13rem; }
.result p { margin: 0 0 .4rem; } .result p:not(:empty) { border: 1px solid var(--line); border-radius: .3rem; padding: .5rem; background: var(--panel); }
@media print { section:has(form) { display: none; } }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; padding-bottom: .75rem; margin-bottom: 1rem; border-bottom: 1px solid var(--line); }
a { color: var(--link); }
.written label { display: block; margin: .5rem 0 .25rem; }
textarea { width: 100%; font: .85rem/1.45 ui-monospace, monospace; padding: .5rem; border: 1px solid var(--line); border-radius: .3rem; background: var(--page); color: inherit; resize: vertical; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
.buttons button, .buttons input, #link { font: inherit; min-height: 2.25rem; padding: .25rem .9rem; border: 1px solid var(--line); border-radius: .3rem; background: var(--panel); color: inherit; max-width: 100%; }
.buttons button { cursor: pointer; } #evaluate { font-weight: 600; } .written label.file { margin: 0; } #link { width: 100%; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 1px; }
#problem:empty, #notice:empty { display: none; } #problem { border-left: .4rem solid; padding: .5rem .75rem; background: var(--severe-page); }
.step { display: block; font-weight: 400; } [hidden] { display: none !important; }
article > section:first-child h2 { margin-top: .5rem; }
`;
