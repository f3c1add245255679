/** Cuts Markdown at the end of a line, and closes the fences and folds that are open there. */

const note = "_The rest is left out: a comment has no room for it._";

export function fitted(markdown: string, most: number): string {
  if (markdown.length <= most) return markdown;
  const shown: string[] = [];
  let used = 0;
  let best: { readonly lines: number; readonly ending: string } | undefined;
  let fence: string | undefined;
  let folds = 0;
  for (const line of markdown.split("\n")) {
    used += line.length + 1;
    shown.push(line);
    const [, ticks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (ticks !== undefined) {
      if (fence === undefined) fence = ticks;
      else if (ticks.startsWith(fence)) fence = undefined;
    }
    if (fence === undefined) {
      folds += (line.match(/<details/g)?.length ?? 0) - (line.match(/<\/details>/g)?.length ?? 0);
    }
    const ending = `${fence === undefined ? "" : `\n${fence}`}${"\n\n</details>".repeat(Math.max(folds, 0))}\n\n${note}\n`;
    if (used + ending.length > most) break;
    best = { lines: shown.length, ending };
  }
  if (best) return shown.slice(0, best.lines).join("\n") + best.ending;
  // A single line is too long, so cut it between characters and leave its spans open.
  return `${markdown.slice(0, most - note.length - 4).replace(/[\ud800-\udbff]$/, "")}\n\n${note}\n`;
}
