/** Declarations in HCL, as `terraform fmt` leaves them. */
import type { Attribute } from "../sdk/schema";
import { printableLines } from "../text/printable";
import { commented } from "./comment";
import { fileName, snakeCase, type Words } from "./naming";
import { hclInside, hclText } from "./quoted";
import {
  inImportId,
  namedMembers,
  Reference,
  type Declaration,
  type Roll,
  type Shared,
  type Values,
  type Variable,
  type Written,
} from "./stack";

const width = 100;

/** An argument and its value, which may go over several lines. */
type Argument = readonly [name: string, value: string];

/** Arguments one below the other, their equals signs in line; one that goes over several lines stands for itself. */
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

/** Arguments first, then blocks. */
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

function expression(value: Written): string {
  if (value instanceof Reference) return referenceTo(value);
  if (typeof value === "string") return hclText(value);
  if (Array.isArray(value)) return list(value as Written[]);
  if (typeof value === "object") {
    const entries = Object.entries(value).map(([name, inner]) => `${name} = ${expression(inner as Written)}`);
    return `{ ${entries.join(", ")} }`;
  }
  return String(value);
}

function list(entries: readonly Written[]): string {
  const inner = entries.map(expression);
  const line = `[${inner.join(", ")}]`;
  if (line.length <= width - 24) return line;
  return `[\n${inner.map((entry) => `  ${entry},\n`).join("")}]`;
}

function referenceTo({ target }: Reference): string {
  if (target.kind === "shared") return `local.${snakeCase(target.name)}`;
  if (target.kind === "variable") return `var.${snakeCase(target.name)}`;
  return `jsondecode(file("\${path.module}/${target.file}"))`;
}

export const rollFile = (name: Words) => `members/${fileName(snakeCase(name))}.json`;

/** JSON takes the escapes of what cannot be seen. */
export const rollText = ({ members }: Roll) => `${printableLines(JSON.stringify(members, undefined, 2))}\n`;

export const addressOf = ({ type, name }: Declaration) => `${type}.${snakeCase(name)}`;

export function resource(declaration: Declaration): string {
  const { type, name, attributes, values, remarks, refused, variable } = declaration;
  const lines = block(`resource "${type}" "${snakeCase(name)}"`, body(attributes, values, true));
  if (refused.length === 0) return text([...commented("#", remarks), ...lines]);
  if (variable) {
    const parts = [importBlock(declaration), ...moves(declaration), variableBlock(variable), text(lines)];
    return text([...commented("#", [...remarks, ...refused]), ...asComment(parts.join("\n").trimEnd().split("\n"))]);
  }
  const why = [
    ...remarks,
    ...refused,
    `Left out because the provider refuses it. Correct it, then import it as ${hclText(declaration.id)}.`,
  ];
  return text([...commented("#", why), ...asComment(lines)]);
}

const asComment = (lines: readonly string[]) => lines.map((line) => `# ${line}`.trimEnd());

const variableBlock = ({ name }: Variable) =>
  text(
    block(
      `variable "${snakeCase(name)}"`,
      aligned([
        ["type", "string"],
        ["ephemeral", "true"],
      ]),
    ),
  );

export function importBlock(declaration: Declaration): string {
  const to = addressOf(declaration);
  return text(
    block(
      "import",
      aligned([
        ["to", to],
        ["id", importId(declaration)],
      ]),
    ),
  );
}

function importId(declaration: Declaration): string {
  const members = namedMembers(declaration);
  if (members === undefined) return hclText(declaration.id);
  if ("kind" in members) {
    const file = `jsondecode(file("\${path.module}/${members.file}"))`;
    return `"${hclInside(declaration.id)}:\${join(",", [for id in ${file} : replace(replace(id, "%", "%25"), ",", "%2C")])}"`;
  }
  return hclText(`${declaration.id}:${members.map(inImportId).join(",")}`);
}

/** What another provider has moves here; of what several of its objects become, they are forgotten. */
export function moves(declaration: Declaration): string[] {
  const { moved, removed = [] } = declaration.origin ?? {};
  return [
    ...(moved === undefined
      ? []
      : [
          text(
            block(
              "moved",
              aligned([
                ["from", moved],
                ["to", addressOf(declaration)],
              ]),
            ),
          ),
        ]),
    ...removed.map((from) => text(block("removed", [`from = ${from}`, ...block("lifecycle", ["destroy = false"])]))),
  ];
}

export function locals(shared: readonly Shared[]): string {
  const entries = shared.map(({ name, value }): Argument => [snakeCase(name), list(value)]);
  return text(block("locals", aligned(entries)));
}

const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;
