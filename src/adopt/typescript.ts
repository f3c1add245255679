/** Declarations as constructs, formatted as prettier leaves them. */
import { camelCase as attributeName } from "../constructs/naming";
import type { Attribute, Shape } from "../sdk/schema";
import { commented } from "./comment";
import { nouns } from "./draft";
import { array, call, literal, object, print, type Node } from "./expression";
import { camelCase, fileName, kebabCase, snakeCase, type Words } from "./naming";
import { programAddress, programInside, programText } from "./quoted";
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

export type Host = "cdktf" | "cdktn";

const constructs = {
  acls: "NetworkAcl",
  policies: "RateLimitPolicy",
  members: "OrganizationMemberSet",
  keys: "NetworkAclKey",
} as const;

const rollName = ({ name }: Roll) => camelCase([...name, "members"]);

export const rollFile = (name: Words) => `members/${fileName(kebabCase(name))}.ts`;

export function rollText(roll: Roll): string {
  const lines = roll.members.map((id) => `  ${programText(id)},\n`);
  return `/** User ids, sorted. */\nexport const ${rollName(roll)}: string[] = [\n${lines.join("")}];\n`;
}

/** Ids that no construct of the stack may have: that of the provider, and what every object has, which the host takes for constructs. */
export const reservedIds = ["tenant", ...Object.getOwnPropertyNames(Object.prototype)];

export interface Part {
  /** A sentence on what it declares. */
  readonly head: string;
  readonly name: Words;
  readonly declarations: readonly Declaration[];
  readonly shared: readonly Shared[];
}

/** A file that declares some of the stack. */
export function partText({ head, name, declarations, shared }: Part, host: Host): string {
  const statements = [...declarations.map((one) => statement(one, host)), ...forgotten(declarations)].join("\n");
  const used = new Set<string>(
    declarations.flatMap(({ kind, refused }) => (refused.length > 0 ? [] : [constructs[kind]])),
  );
  for (const helper of ["Action", "Match"]) if (statements.includes(` ${helper}.`)) used.add(helper);
  const rolls = declarations.flatMap(({ values: { members } }) =>
    members instanceof Reference && members.target.kind === "roll" ? [members.target] : [],
  );
  const imports = [
    `import type { TerraformStack } from "${host}";`,
    ...(used.size > 0 ? [`import ${print(names([...used].toSorted()), 0, 7, 26)} from "tenantform/${host}";`] : []),
    ...rolls.map((roll) => `import { ${rollName(roll)} } from "../${roll.file.replace(/\.ts$/, "")}";`),
  ];
  const constants = shared.map(({ name: own, value }) => {
    const before = `const ${camelCase(own)} = `;
    return `${before}${print(node(value), 0, before.length)};\n`;
  });
  return [
    `/** ${head} */\n${imports.join("\n")}\n`,
    ...(constants.length > 0 ? [constants.join("")] : []),
    `export function ${camelCase(name)}(stack: TerraformStack): void {\n${statements}}\n`,
  ].join("\n");
}

/** What stands in the braces of an import. */
function names(list: readonly string[]): Node {
  return { kind: "names", list };
}

function statement(declaration: Declaration, host: Host): string {
  const { kind, name, attributes, values, remarks, refused, origin, variable } = declaration;
  const config = print(object(entriesOf(attributes, values), true), 2, 0);
  const made = `new ${constructs[kind]}(stack, ${programText(kebabCase(name))}, ${config})`;
  const imported = `importFrom(${importId(declaration)});`;
  const constant = camelCase([...name, nouns[kind]]);
  const text =
    origin?.moved === undefined
      ? `${made}.${imported}`
      : `const ${constant} = ${made};\n  ${constant}.${imported}\n  ${constant}.moveFromId(${programAddress(origin.moved)});`;
  const lines = `  ${variable ? variableText(variable) : ""}${text}`.split("\n");
  const why = [...remarks, ...refused];
  if (variable) {
    const imports = [`{ TerraformVariable } from "${host}"`, `{ ${constructs[kind]} } from "tenantform/${host}"`];
    why.push(`It takes ${imports.map((one) => `import ${one}`).join(" and ")}.`);
  } else if (refused.length > 0) why.push("Left out, as the provider refuses it. When that is mended:");
  const remarked = commented("//", why).map((line) => `  ${line}`);
  const said = refused.length > 0 ? lines.map((line) => `  // ${line.slice(2)}`) : lines;
  return `${[...remarked, ...said].join("\n")}\n`;
}

function variableText({ name }: Variable): string {
  const constant = camelCase(name);
  return (
    `const ${constant} = new TerraformVariable(stack, ${programText(snakeCase(name))}, { type: "string" });\n` +
    `  ${constant}.addOverride("ephemeral", true);\n  `
  );
}

function importId(declaration: Declaration): string {
  const members = namedMembers(declaration);
  if (members === undefined) return programText(declaration.id);
  if ("kind" in members) {
    // Members that are written with an escape are not what the program holds.
    if (members.members.some((id) => programText(id) !== programAddress(id)))
      return listed(declaration.id, members.members);
    const list = `${rollName(members)}.map((id) => id.replace(/[%,]/g, encodeURIComponent))`;
    return `\`${programInside(declaration.id)}:\${${list}.join()}\``;
  }
  return listed(declaration.id, members);
}

const listed = (id: string, members: readonly string[]) => programText(`${id}:${members.map(inImportId).join(",")}`);

/** What several objects of another provider become: they are forgotten. */
function forgotten(declarations: readonly Declaration[]): string[] {
  const removed = declarations.flatMap(({ origin }) => origin?.removed ?? []);
  if (removed.length === 0) return [];
  const entries = removed.map((from) => `    { from: ${programAddress(from)}, lifecycle: { destroy: false } },\n`);
  return [
    `  // Of the other provider's state: forgotten, and left as they are on the tenant.\n  stack.addOverride("removed", [\n${entries.join("")}  ]);\n`,
  ];
}

type Entry = readonly [name: string, value: Node];

function entriesOf(attributes: readonly Attribute[], values: Values): Entry[] {
  return attributes.flatMap(({ name, shape }): Entry[] => {
    const value = values[name];
    return value === undefined ? [] : [[attributeName(name), inWords(name, value) ?? attribute(name, shape, value)]];
  });
}

function attribute(name: string, shape: Shape, value: Written): Node {
  if (shape.kind === "object") return object(entriesOf(shape.attributes, value as Values), name === "rule");
  if (shape.kind !== "primitive" && shape.kind !== "map" && shape.element.kind === "object" && Array.isArray(value)) {
    const { attributes } = shape.element;
    return array((value as Values[]).map((one) => object(entriesOf(attributes, one))));
  }
  return node(value);
}

function node(value: Written): Node {
  if (value instanceof Reference) {
    if (value.target.kind === "variable") return literal(`${camelCase(value.target.name)}.stringValue`);
    return literal(value.target.kind === "shared" ? camelCase(value.target.name) : rollName(value.target));
  }
  if (typeof value === "string") return literal(programText(value));
  if (Array.isArray(value)) {
    const items = value as readonly Written[];
    return array(
      items.map(node),
      items.every((item) => typeof item === "number"),
    );
  }
  if (typeof value === "object") {
    return object(Object.entries(value).map(([name, inner]) => [attributeName(name), node(inner as Written)]));
  }
  return literal(String(value));
}

/** By the helpers of the package, where they say the same in fewer words. */
function inWords(name: string, value: Written): Node | undefined {
  if (name === "action" && typeof value === "object") return actionInWords(value as Values);
  return name === "match" || name === "not_match" ? matchInWords(value as Values) : undefined;
}

function actionInWords({ redirect_uri: target, ...flags }: Values): Node | undefined {
  const [flag, ...others] = Object.keys(flags);
  if (flag === undefined || others.length > 0 || flags[flag] !== true) return undefined;
  if (flag === "redirect") return target === undefined ? undefined : call("Action.redirect", node(target));
  return target === undefined ? call(`Action.${flag}`) : undefined;
}

const helpers: Readonly<Record<string, string>> = {
  geo_country_codes: "countries",
  asns: "networks",
  hostnames: "hostnames",
  ipv4_cidrs: "addresses",
  ipv6_cidrs: "addresses",
  connecting_ipv4_cidrs: "through",
  connecting_ipv6_cidrs: "through",
};

function matchInWords(criteria: Values): Node | undefined {
  const signals = Object.keys(criteria);
  const [helper, ...others] = new Set(signals.map((signal) => helpers[signal]));
  if (helper === undefined || others.length > 0) return undefined;
  const args: Node[] = [];
  for (const signal of signals) {
    const value = criteria[signal]!;
    const entries = (value instanceof Reference ? (value.target as Shared).value : value) as readonly Written[];
    // The helper tells the families apart by their looks, and so must we.
    if (signal.includes("ipv") && entries.some((entry) => String(entry).includes(":") !== signal.includes("ipv6")))
      return undefined;
    if (value instanceof Reference) args.push(literal(`...${camelCase((value.target as Shared).name)}`));
    else args.push(...entries.map(node));
  }
  return args.length > 0 ? call(`Match.${helper}`, ...args) : undefined;
}
