/** Makes the page of what changes of Auth0 resources do to people, from the table. */
import { concerns } from "../../judge/impact/auth0/match";
import { rank } from "../../judge/impact/auth0/proposed";
import { placeholders, type Row } from "../../judge/impact/auth0/row";
import { areas, table } from "../../judge/impact/auth0/table";
import { orWords } from "../../formats/text/lists";
import { filled, tableOf } from "./reference";

/** `prose`: the folder with the rest of the page. */
export function changesPage(prose: string) {
  const judging = table.filter(hasEffect);
  const sourced = judging.filter(({ see }) => see !== undefined);
  return filled("guides/auth0.md", prose, {
    placeholders: Object.keys(placeholders)
      .map((name) => `\`{${name}}\``)
      .join(", "),
    sources: `${sourced.length} of the ${judging.length} rows`,
    rows: areaSections(),
  });
}

const hasEffect = ({ level }: Row) => level !== "none";

/** A type stands in the first area that has a row of it. */
function areaSections(): string {
  const seen = new Set(["*"]);
  const sections = Object.entries(areas).map(([area, rows]) => {
    const types = [...new Set(rows.map(({ type }) => type))].filter((type) => !seen.has(type));
    for (const type of types) seen.add(type);
    return [`### ${area}`, tableOf(["change", "level", "what it does"], familiesOf(types).flatMap(linesOf))];
  });
  return sections.flat().join("\n\n");
}

/** Types that share most of their rows stand together. */
function familiesOf(types: readonly string[]): string[][] {
  const families: string[][] = [];
  for (const type of types) {
    const own = rowsWithEffect(type).map(wordsOf);
    const family = families.find(([first]) => {
      const shared = rowsWithEffect(first!).filter((row) => own.includes(wordsOf(row)));
      return shared.length > 0 && shared.length > own.length / 2;
    });
    if (family) family.push(type);
    else families.push([type]);
  }
  return families;
}

const rowsWithEffect = (type: string) => table.filter((row) => row.type === type && hasEffect(row));

/** The line of the types has their worst level, and what has no effect. */
function linesOf(types: readonly string[]): Cells[] {
  const rows = types.flatMap(rowsWithEffect);
  const worst = rows.map(({ level }) => level).toSorted((one, other) => rank(other) - rank(one))[0] ?? "none";
  const silent = marked(types, (type) =>
    table.filter((row) => row.type === type && !hasEffect(row)).map((row) => silentWords(row, rowsWithEffect(type))),
  );
  const without = silent.length > 0 ? `No effect on people: ${silent.map(([of, words]) => of + words).join("; ")}` : "";
  const head: Cells = [types.map((type) => `**${type}**`).join(", "), `**${worst}**`, without];
  const lines = marked(types, (type) => rowsWithEffect(type).map(wordsOf)).map(([of, words]): Cells => {
    const [change, level, what] = JSON.parse(words) as Cells;
    return [of + change, level, what];
  });
  return [head, ...joined(lines)];
}

/** Each text once, after the types that it is of, unless it is of all. */
function marked(types: readonly string[], textsOf: (type: string) => readonly string[]): [of: string, text: string][] {
  return [...new Set(types.flatMap(textsOf))].map((text) => {
    const having = types.filter((type) => textsOf(type).includes(text));
    const names = having.map((type) => `\`${type}\``).join(", ");
    return [having.length < types.length ? `of ${names}: ` : "", text];
  });
}

type Cells = readonly [change: string, level: string, what: string];

/** Neighbours with one answer are one line. */
function joined(lines: readonly Cells[]): Cells[] {
  const all: Cells[] = [];
  for (const line of lines) {
    const [change, ...answer] = all.at(-1) ?? [""];
    if (answer.join("|") === line.slice(1).join("|")) all[all.length - 1] = [`${change}; ${line[0]}`, line[1], line[2]];
    else all.push(line);
  }
  return all;
}

/** `description`; `login.html` if `login.enabled` is `false`; `callbacks` `added`; any other change of `organization_usage`. */
function silentWords({ path: attribute, change, when }: Row, judged: readonly Row[]): string {
  const isTwice = judged.some((row) => row.path === undefined && row.change === change);
  if (attribute === undefined) return `${isTwice ? "any other " : ""}\`${change}\`${conditionWords(when)}`;
  const paths = attribute.split("|").map((one) => one.replace(/\.\*\*$/, ""));
  const names = paths.map((one) => `\`${one}\``).join(", ");
  if (change !== "any") return `${names} \`${change}\`${conditionWords(when)}`;
  const isJudged = judged.some((row) =>
    paths.some((one) => concerns(row, one) || concerns({ ...row, path: one }, row.path ?? "")),
  );
  return `${isJudged && when === undefined ? "any other change of " : ""}${names}${conditionWords(when)}`;
}

function conditionWords(when: Row["when"], link = " if "): string {
  if (when === undefined) return "";
  return (
    link +
    Object.entries(when)
      .map(([name, value]) => `\`${name}\` is \`${value}\``)
      .join(" and ")
  );
}

/** The cells of the row, as one key. */
function wordsOf({ path: attribute, change, when, level, code, text = "", if: condition, see, usedBy }: Row): string {
  const names = attribute?.split("|").map((one) => `\`${one}\``) ?? [];
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  const possible = condition === undefined ? "" : `Possible, if ${condition}: `;
  const source = see === undefined ? "" : ` [Auth0](https://auth0.com/docs/${see})`;
  const users = usedBy?.split("|").map((one) => `\`${one.split(".")[0]}\``);
  const used = users ? ` while ${orWords(users)} uses it` : "";
  const what = `${shown.join(", ")} ${change === "any" ? "changes" : `\`${change}\``}${used}${conditionWords(when, ", if ")}`;
  return JSON.stringify([what.trim(), level, `${possible}${text}${source} ${code}`]);
}
