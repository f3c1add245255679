/** Writes declarations as constructs in the format of prettier. */
import { camelCase as attributeName } from "../constructs/naming";
import type { Kind } from "../kinds/kind";
import type { Cdk } from "./cdk";
import { call, nodeOf, object, print, type Node, type Syntax } from "./print-values";
import { camelCase, fileName, kebabCase, snakeCase, type Words } from "./naming";
import { programAddress, programInside, programText } from "./escape";
import {
  importId,
  Reference,
  withComments,
  type Declaration,
  type ListFile,
  type Values,
  type Variable,
  type Written,
} from "./stack";

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
  for (const helper of ["Action", "Match"]) if (statements.includes(` ${helper}.`)) used.add(helper);
  const lists = declarations.flatMap(({ values }) =>
    Object.values(values).flatMap((value) =>
      value instanceof Reference && value.target.kind === "file" ? [value.target] : [],
    ),
  );
  const imports = [
    `import type { TerraformStack } from "${cdk}";`,
    ...(used.size > 0
      ? [`import ${print(names([...used].toSorted()), syntax, 0, 7, 26)} from "tenantform/${cdk}";`]
      : []),
    ...lists.map((list) => `import { ${listName(list)} } from "../${list.file.replace(/\.ts$/, "")}";`),
  ];
  return [
    `/** ${head} */\n${imports.join("\n")}\n`,
    `export function ${camelCase(name)}(stack: TerraformStack): void {\n${statements}}\n`,
  ].join("\n");
}

/** The braces of an import. */
function names(list: readonly string[]): Node {
  return { kind: "names", list };
}

function statement(declaration: Declaration, cdk: Cdk): string {
  const { kind, name, values, origin, variable } = declaration;
  const config = print(configNode(values, kind, true), { ...syntax, width: syntax.width - 2 }, 0, 0);
  const made = `new ${kind.construct}(stack, ${programText(kebabCase(name))}, ${config})`;
  const imported = `importFrom(${importId(declaration, programText, importIdOfList)});`;
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

function importIdOfList(id: string, list: ListFile): string | undefined {
  // The program would hold the escape of an entry in place of the entry.
  if (list.entries.some((one) => programText(one) !== programAddress(one))) return undefined;
  return `\`${programInside(id)}:\${${listName(list)}.map((id) => id.replace(/[%,]/g, encodeURIComponent)).join()}\``;
}

/** Terraform forgets resources of another provider that become one object. */
function forgotten(declarations: readonly Declaration[]): string[] {
  const removed = declarations.flatMap(({ origin }) => origin?.removed ?? []);
  if (removed.length === 0) return [];
  const entries = removed.map((from) => `    { from: ${programAddress(from)}, lifecycle: { destroy: false } },\n`);
  return [
    `  // Terraform forgets these resources of the other provider. The tenant stays unchanged.\n  stack.addOverride("removed", [\n${entries.join("")}  ]);\n`,
  ];
}

/** `isOpen`: always on several lines. */
function configNode(values: Values, kind: Kind, isOpen = false): Node {
  const entries = Object.entries(values).map(
    ([name, value]) => [attributeName(name), byHelper(name, value, kind) ?? valueNode(name, value, kind)] as const,
  );
  return object(entries, isOpen);
}

function valueNode(name: string, value: Written, kind: Kind): Node {
  const isObject = typeof value === "object" && !Array.isArray(value) && !(value instanceof Reference);
  return isObject ? configNode(value as Values, kind, name === "rule") : node(value);
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

const node = (value: Written) => nodeOf(value, syntax);

/** A call of a helper class that says the same in fewer words. */
function byHelper(name: string, value: Written, { adoption: { helpers = {} } }: Kind): Node | undefined {
  const helper = Object.hasOwn(helpers, name) && helpers[name];
  if (!helper || typeof value !== "object") return undefined;
  return helper === "Action" ? actionCall(value as Values) : matchCall(value as Values);
}

function actionCall({ redirect_uri: target, ...flags }: Values): Node | undefined {
  const [flag, ...others] = Object.keys(flags);
  if (flag === undefined || others.length > 0 || flags[flag] !== true) return undefined;
  if (flag === "redirect") return target === undefined ? undefined : call("Action.redirect", node(target));
  return target === undefined ? call(`Action.${flag}`) : undefined;
}

const matchHelpers: Readonly<Record<string, string>> = {
  geo_country_codes: "countries",
  asns: "networks",
  hostnames: "hostnames",
  ipv4_cidrs: "addresses",
  ipv6_cidrs: "addresses",
  connecting_ipv4_cidrs: "through",
  connecting_ipv6_cidrs: "through",
};

function matchCall(criteria: Values): Node | undefined {
  const signals = Object.keys(criteria);
  const [helper, ...others] = new Set(signals.map((signal) => matchHelpers[signal]));
  if (helper === undefined || others.length > 0) return undefined;
  const args: Node[] = [];
  for (const signal of signals) {
    const entries = criteria[signal] as readonly Written[];
    // The helper recognizes IPv6 by the colon.
    if (signal.includes("ipv") && entries.some((entry) => String(entry).includes(":") !== signal.includes("ipv6")))
      return undefined;
    args.push(...entries.map(node));
  }
  return args.length > 0 ? call(`Match.${helper}`, ...args) : undefined;
}
