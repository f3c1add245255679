// VitePress reads this file in the folder of the staged pages. site.json beside it lists the pages.
import { readFileSync } from "node:fs";

const { base, title, description, nav, sidebar } = JSON.parse(
  readFileSync(new URL("site.json", import.meta.url), "utf8"),
);

/** The anchors of GitHub, so that one link works in both places. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

// The pages run scripts of VitePress, and load nothing from another host.
const policy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "object-src 'none'; base-uri 'none'; form-action 'none'";

/** A table may have no words above its first column. A screen reader needs a cell there that is no header. */
const withoutEmptyHeaders = (markdown) =>
  markdown.core.ruler.push("empty headers", ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type !== "th_open" || tokens[index + 1].content !== "") return;
      for (const part of [token, tokens[index + 2]]) part.tag = "td";
    });
  });

export default {
  base,
  title,
  description,
  lang: "en",
  cleanUrls: false,
  head: [
    ["meta", { "http-equiv": "Content-Security-Policy", content: policy }],
    ["link", { rel: "icon", href: "data:," }],
  ],
  markdown: {
    anchor: { slugify },
    config: withoutEmptyHeaders,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  // The server prints its address at this level.
  vite: {
    logLevel: process.argv.includes("dev") ? "info" : "warn",
    build: { chunkSizeWarningLimit: 4096 },
  },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search: { provider: "local", options: { detailedView: true } },
  },
};
