/** Makes the page of what changes of Auth0 resources do to people, from the table. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { concerns } from "../../impact/auth0/match";
import { rank } from "../../impact/auth0/proposed";
import { placeholders, type Row } from "../../impact/auth0/row";
import { table } from "../../impact/auth0/table";
import type { Page } from "./reference";

/** `prose`: the folder with the rest of the page. */
export function changesPage(prose: string): Page {
  const types = [...new Set(table.map(({ type }) => type))].filter((type) => type !== "*").toSorted();
  const told = table.filter(isTold);
  const sourced = told.filter(({ see }) => see !== undefined);
  const text = readFileSync(path.join(prose, "auth0.md"), "utf8")
    .replace("<!-- placeholders -->", () =>
      Object.keys(placeholders)
        .map((name) => `\`{${name}}\``)
        .join(", "),
    )
    .replace("<!-- sources -->", `${sourced.length} of the ${told.length} rows`)
    .replace("<!-- contents -->", () => contentsOf(types))
    .replace("<!-- rows -->", () => types.map(sectionOf).join("\n\n"));
  return { file: "guides/auth0.md", text };
}

const isTold = ({ level }: Row) => level !== "none";

function contentsOf(types: readonly string[]): string {
  const lines = types.map((type) => {
    const told = table.filter((row) => row.type === type && isTold(row));
    const worst = told.map(({ level }) => level).toSorted((one, other) => rank(other) - rank(one))[0] ?? "none";
    const sourced = told.filter(({ see }) => see !== undefined).length;
    return `| [${type}](#${type}) | ${worst} | ${told.length} | ${sourced} |`;
  });
  return ["| type | worst level | rows | with a source |", "| --- | --- | --- | --- |", ...lines].join("\n");
}

function sectionOf(type: string): string {
  const own = table.filter((row) => row.type === type);
  const told = own.filter(isTold);
  const silent = own.filter((row) => !isTold(row)).map((row) => silentWords(row, told));
  return [
    `### ${type}`,
    ...(told.length > 0
      ? [["| change | level | what it does |", "| --- | --- | --- |", ...told.map(lineOf)].join("\n")]
      : []),
    ...(silent.length > 0 ? [`No effect on people: ${silent.join("; ")}.`] : []),
  ].join("\n\n");
}

/** `description`; `login.html` if `login.enabled` is `false`; `callbacks` `added`; any other change of `organization_usage`. */
function silentWords({ path: attribute, change, when }: Row, told: readonly Row[]): string {
  const isTwice = told.some((row) => row.path === undefined && row.change === change);
  if (attribute === undefined) return `${isTwice ? "any other " : ""}\`${change}\`${conditionWords(when)}`;
  const paths = attribute.split("|").map((one) => one.replace(/\.\*\*$/, ""));
  const names = paths.map((one) => `\`${one}\``).join(", ");
  if (change !== "any") return `${names} \`${change}\`${conditionWords(when)}`;
  const isJudged = told.some((row) =>
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

function lineOf({ path: attribute, change, when, level, code, text = "", if: condition, see }: Row): string {
  const names = attribute?.split("|").map((one) => `\`${one}\``) ?? [];
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  const possible = condition === undefined ? "" : `Possible, if ${condition}: `;
  const source = see === undefined ? "" : ` [Auth0](https://auth0.com/docs/${see})`;
  const what = `${shown.join(", ")} ${change === "any" ? "changes" : `\`${change}\``}${conditionWords(when, ", if ")}`;
  return `| ${[what.trim(), level, `${possible}${text}${source} ${code}`].map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
}
