/** Writes declarations as HCL in the format of `terraform fmt`. */
import { printableLines } from "../../formats/text/printable";
import { isValues, print, type Syntax } from "./print-values";
import { fileName, snakeCase, type Words } from "./naming";
import { hclText } from "./escape";
import { importId, withComments, type Declaration, type ListFile, type Values, type Written } from "./stack";

/** An argument and its value, which may have several lines. */
type Argument = readonly [name: string, value: string];

/** Aligns the equals signs of consecutive arguments. An argument with several lines ends a group. */
function aligned(all: readonly Argument[]): string[] {
  const isLong = ([, value]: Argument) => value.includes("\n");
  return all.flatMap((argument, index) => {
    const before = all.slice(0, index).findLastIndex(isLong) + 1;
    const after = all.slice(index).findIndex(isLong);
    const group = isLong(argument) ? [argument] : all.slice(before, after < 0 ? undefined : index + after);
    const longest = Math.max(...group.map(([name]) => name.length));
    return `${argument[0].padEnd(longest)} = ${argument[1]}`.split("\n");
  });
}

const indented = (lines: readonly string[]) => lines.map((line) => (line === "" ? line : `  ${line}`));

function block(head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [`${head} {}`] : [`${head} {`, ...indented(lines), "}"];
}

/** A block in which every object is a block too. `gap`: between the arguments and the blocks. */
function blockOf(head: string, values: Values, gap: readonly string[] = []): string[] {
  const isBlock = ([, value]: readonly [string, Written]) => isValues(value);
  const all = Object.entries(values);
  const own = all.filter((one) => !isBlock(one)).map(([name, value]): Argument => [name, print(value, syntax)]);
  const blocks = all
    .filter(isBlock)
    .flatMap(([name, value]) => [...(own.length > 0 ? gap : []), ...blockOf(name, value as Values)]);
  return block(head, [...aligned(own), ...blocks]);
}

/** Long lists have an entry on each line. */
const syntax: Syntax = {
  width: 77,
  sign: " = ",
  nameOf: (attribute) => attribute,
  text: hclText,
  reference({ target }) {
    if (target.kind === "file") return `jsondecode(file("\${path.module}/${target.file}"))`;
    return `var.${snakeCase(target.name)}`;
  },
};

export const listFile = (attribute: string, name: Words) => `${attribute}/${fileName(snakeCase(name))}.json`;

/** JSON has escapes for invisible characters. */
export const listFileText = ({ entries }: ListFile) => `${printableLines(JSON.stringify(entries, undefined, 2))}\n`;

const addressOf = ({ kind, name }: Declaration) => `${kind.type}.${snakeCase(name)}`;

export function resource(declaration: Declaration): string {
  const { kind, name, values, refused, variable } = declaration;
  const own = text(blockOf(`resource "${kind.type}" "${snakeCase(name)}"`, values, [""]));
  const code = [
    ...(refused.length > 0 ? [importBlock(declaration), ...moves(declaration)] : []),
    ...(variable ? [simple(`variable "${snakeCase(variable.name)}"`, ["type", "string"], ["ephemeral", "true"])] : []),
    own,
  ];
  return text(withComments("#", declaration, code.join("\n").trimEnd().split("\n")));
}

/** A block with arguments only. */
const simple = (head: string, ...all: readonly Argument[]) => text(block(head, aligned(all)));

export const importBlock = (declaration: Declaration) =>
  simple("import", ["to", addressOf(declaration)], ["id", hclText(importId(declaration))]);

/** Moves the object from another provider. If several resources become one, Terraform forgets them instead. */
export function moves(declaration: Declaration): string[] {
  const { moved, removed = [] } = declaration.origin ?? {};
  return [
    ...(moved === undefined ? [] : [simple("moved", ["from", moved], ["to", addressOf(declaration)])]),
    ...removed.map((from) => text(block("removed", [`from = ${from}`, ...block("lifecycle", ["destroy = false"])]))),
  ];
}

const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;
