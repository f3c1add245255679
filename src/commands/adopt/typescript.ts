/** Writes declarations as constructs in the format of prettier. */
import { camelCase as attributeName } from "../../constructs/naming";
import type { Cdk } from "./cdk";
import { print, type Syntax } from "./print-values";
import { camelCase, fileName, kebabCase, snakeCase, type Words } from "./naming";
import { programAddress, programText } from "./escape";
import { importId, Reference, withComments, type Declaration, type ListFile, type Variable } from "./stack";

const listName = ({ name, attribute }: ListFile) => camelCase([...name, ...attribute.split("_")]);

export const listFile = (attribute: string, name: Words) => `${attribute}/${fileName(kebabCase(name))}.ts`;

export function listFileText(list: ListFile): string {
  const lines = list.entries.map((id) => `  ${programText(id)},\n`);
  return `/** The ${list.attribute}, sorted. */\nexport const ${listName(list)}: string[] = [\n${lines.join("")}];\n`;
}

/** Ids that no construct may have: the id of the provider, and names that every object has, which the CDK mistakes for constructs. */
export const reservedIds = ["tenant", ...Object.getOwnPropertyNames(Object.prototype)];

export interface Part {
  /** The first sentence of the file. */
  readonly head: string;
  readonly name: Words;
  readonly declarations: readonly Declaration[];
}

/** A file that declares some of the stack. */
export function partText({ head, name, declarations }: Part, cdk: Cdk): string {
  const statements = [...declarations.map((one) => statement(one, cdk)), ...forgotten(declarations)].join("\n");
  const used = new Set<string>(
    declarations.flatMap(({ kind, refused }) => (refused.length > 0 ? [] : [kind.construct])),
  );
  const lists = declarations.flatMap(({ values }) =>
    Object.values(values).flatMap((value) =>
      value instanceof Reference && value.target.kind === "file" ? [value.target] : [],
    ),
  );
  const imports = [
    `import type { TerraformStack } from "${cdk}";`,
    ...[...used].map((construct) => `import { ${construct} } from "tenantform/${cdk}";`),
    ...lists.map((list) => `import { ${listName(list)} } from "../${list.file.replace(/\.ts$/, "")}";`),
  ];
  return [
    `/** ${head} */\n${imports.join("\n")}\n`,
    `export function ${camelCase(name)}(stack: TerraformStack): void {\n${statements}}\n`,
  ].join("\n");
}

function statement(declaration: Declaration, cdk: Cdk): string {
  const { kind, name, values, origin, variable } = declaration;
  const config = print(values, { ...syntax, width: syntax.width - 2 }, 0, 0, true);
  const made = `new ${kind.construct}(stack, ${programText(kebabCase(name))}, ${config})`;
  const imported = `importFrom(${programText(importId(declaration))});`;
  const constant = camelCase([...name, kind.shortNoun]);
  const code =
    origin?.moved === undefined
      ? `${made}.${imported}`
      : `const ${constant} = ${made};\n${constant}.${imported}\n${constant}.moveFromId(${programAddress(origin.moved)});`;
  const imports = [`{ TerraformVariable } from "${cdk}"`, `{ ${kind.construct} } from "tenantform/${cdk}"`];
  const lines = withComments(
    "//",
    declaration,
    `${variable ? variableText(variable) : ""}${code}`.split("\n"),
    `The code needs ${imports.map((one) => `import ${one}`).join(" and ")}.`,
  );
  return `${lines.map((line) => `  ${line}`).join("\n")}\n`;
}

function variableText({ name }: Variable): string {
  const constant = camelCase(name);
  return (
    `const ${constant} = new TerraformVariable(stack, ${programText(snakeCase(name))}, { type: "string" });\n` +
    `${constant}.addOverride("ephemeral", true);\n`
  );
}

/** Terraform forgets resources of another provider that become one object. */
function forgotten(declarations: readonly Declaration[]): string[] {
  const removed = new Set(declarations.flatMap(({ origin }) => origin?.removed ?? []));
  if (removed.size === 0) return [];
  const entries = [...removed].map((from) => `    { from: ${programAddress(from)}, lifecycle: { destroy: false } },\n`);
  return [
    `  // Terraform forgets these resources of the other provider. The tenant stays unchanged.\n  stack.addOverride("removed", [\n${entries.join("")}  ]);\n`,
  ];
}

const syntax: Syntax = {
  width: 80,
  sign: ": ",
  nameOf: attributeName,
  text: programText,
  reference({ target }) {
    if (target.kind === "variable") return `${camelCase(target.name)}.stringValue`;
    return listName(target);
  },
};
