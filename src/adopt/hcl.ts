/** Writes declarations as HCL in the format of `terraform fmt`. */
import type { Attribute } from "../sdk/schema";
import { printableLines } from "../text/printable";
import { nodeOf, print, type Syntax } from "./print-values";
import { fileName, snakeCase, type Words } from "./naming";
import { commented, hclInside, hclText } from "./escape";
import {
  importedEntries,
  inImportId,
  type Declaration,
  type ListFile,
  type SharedList,
  type Values,
  type Variable,
  type Written,
} from "./stack";

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

/** A block in which every object is a block too. */
export function nestedBlock(head: string, values: Values): string[] {
  const isBlock = ([, value]: readonly [string, Written]) => typeof value === "object" && !Array.isArray(value);
  const all = Object.entries(values);
  const own = all.filter((one) => !isBlock(one)).map(([name, value]): Argument => [name, expression(value)]);
  const blocks = all.filter(isBlock).flatMap(([name, value]) => nestedBlock(name, value as Values));
  return block(head, [...aligned(own), ...blocks]);
}

/** Arguments come first, then blocks. */
function body(attributes: readonly Attribute[], values: Values, isTop = false): string[] {
  const present = attributes.filter(({ name }) => values[name] !== undefined);
  const isBlock = ({ block: asBlock }: Attribute) => asBlock === true;
  const own = present
    .filter((attribute) => !isBlock(attribute))
    .map(({ name }): Argument => [name, expression(values[name]!)]);
  const blocks = present.filter(isBlock).flatMap(({ name, shape }) => {
    const inner = shape.kind === "object" ? block(name, body(shape.attributes, values[name] as Values)) : [];
    return isTop && own.length > 0 ? ["", ...inner] : inner;
  });
  return [...aligned(own), ...blocks];
}

/** Long lists have an entry on each line. */
const syntax: Syntax = {
  width: 76,
  sign: " = ",
  nameOf: (attribute) => attribute,
  text: hclText,
  reference({ target }) {
    if (target.kind === "shared") return `local.${snakeCase(target.name)}`;
    if (target.kind === "variable") return `var.${snakeCase(target.name)}`;
    return `jsondecode(file("\${path.module}/${target.file}"))`;
  },
};

const expression = (value: Written) => print(nodeOf(value, syntax), syntax, 0, 0, 0);

export const listFile = (attribute: string, name: Words) => `${attribute}/${fileName(snakeCase(name))}.json`;

/** JSON has escapes for invisible characters. */
export const listFileText = ({ entries }: ListFile) => `${printableLines(JSON.stringify(entries, undefined, 2))}\n`;

const addressOf = ({ kind, name }: Declaration) => `${kind.type}.${snakeCase(name)}`;

export function resource(declaration: Declaration): string {
  const { kind, name, attributes, values, notes, refused, variable } = declaration;
  const lines = block(`resource "${kind.type}" "${snakeCase(name)}"`, body(attributes, values, true));
  if (refused.length === 0) return text([...commented("#", notes), ...lines]);
  const remedy = variable ? [] : ["The provider refuses this object. Correct it, then remove the comment marks."];
  const parts = [
    importBlock(declaration),
    ...moves(declaration),
    ...(variable ? [variableBlock(variable)] : []),
    text(lines),
  ];
  const code = parts.join("\n").trimEnd().split("\n");
  return text([...commented("#", [...notes, ...refused, ...remedy]), ...asComment(code)]);
}

const asComment = (lines: readonly string[]) => lines.map((line) => `# ${line}`.trimEnd());

/** A block with arguments only. */
const simple = (head: string, ...all: readonly Argument[]) => text(block(head, aligned(all)));

const variableBlock = ({ name }: Variable) =>
  simple(`variable "${snakeCase(name)}"`, ["type", "string"], ["ephemeral", "true"]);

export const importBlock = (declaration: Declaration) =>
  simple("import", ["to", addressOf(declaration)], ["id", importId(declaration)]);

function importId(declaration: Declaration): string {
  const entries = importedEntries(declaration);
  if (entries === undefined) return hclText(declaration.id);
  if ("kind" in entries) {
    const file = `jsondecode(file("\${path.module}/${entries.file}"))`;
    return `"${hclInside(declaration.id)}:\${join(",", [for id in ${file} : replace(replace(id, "%", "%25"), ",", "%2C")])}"`;
  }
  return hclText(`${declaration.id}:${entries.map(inImportId).join(",")}`);
}

/** Moves the object from another provider. If several resources become one, Terraform forgets them instead. */
export function moves(declaration: Declaration): string[] {
  const { moved, removed = [] } = declaration.origin ?? {};
  return [
    ...(moved === undefined ? [] : [simple("moved", ["from", moved], ["to", addressOf(declaration)])]),
    ...removed.map((from) => text(block("removed", [`from = ${from}`, ...block("lifecycle", ["destroy = false"])]))),
  ];
}

export const locals = (shared: readonly SharedList[]) =>
  simple("locals", ...shared.map(({ name, value }): Argument => [snakeCase(name), expression(value)]));

const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;
