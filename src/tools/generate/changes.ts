/** Makes the page of what changes of Auth0 resources do to people, from the table. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { placeholders, type Row } from "../../impact/auth0/row";
import { table } from "../../impact/auth0/table";
import type { Page } from "./reference";

/** `prose`: the folder with the rest of the page. */
export function changesPage(prose: string): Page {
  const types = [...new Set(table.map(({ type }) => type))].filter((type) => type !== "*").toSorted();
  const text = readFileSync(path.join(prose, "auth0.md"), "utf8")
    .replace("<!-- placeholders -->", () =>
      Object.keys(placeholders)
        .map((name) => `\`{${name}}\``)
        .join(", "),
    )
    .replace("<!-- rows -->", () => types.map(sectionOf).join("\n\n"));
  return { file: "guides/auth0.md", text };
}

function sectionOf(type: string): string {
  const own = table.filter((row) => row.type === type);
  const told = own.filter(({ level }) => level !== "none");
  const silent = own.filter(
    ({ level, path: attribute, change }) => level === "none" && attribute !== undefined && change === "any",
  );
  const names = silent.map(({ path: attribute }) => `\`${attribute!.replaceAll("|", "`, `").replace(/\.\*\*$/, "")}\``);
  return [
    `### ${type}`,
    ...(told.length > 0
      ? [["| change | level | what it does |", "| --- | --- | --- |", ...told.map(lineOf)].join("\n")]
      : []),
    ...(names.length > 0 ? [`Does nothing to people: ${names.join(", ")}.`] : []),
  ].join("\n\n");
}

function lineOf({ path: attribute, change, when, level, code, text = "", if: condition, see }: Row): string {
  const names = attribute?.split("|").map((one) => `\`${one}\``) ?? [];
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  const also =
    when === undefined
      ? ""
      : `, if ${Object.entries(when)
          .map(([name, value]) => `\`${name}\` is \`${value}\``)
          .join(" and ")}`;
  const possible = condition === undefined ? "" : ` Possible: if ${condition}.`;
  const source = see === undefined ? "" : ` [Auth0](https://auth0.com/docs/${see})`;
  const what = `${shown.join(", ")} ${change === "any" ? "changes" : `\`${change}\``}${also}`;
  return `| ${[what.trim(), level, `${text}${possible}${source} ${code}`].map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
}
