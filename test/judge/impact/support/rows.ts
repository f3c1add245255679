/** Objects for the rows of the table: by the schema of the provider, the attributes and values that a row is about. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Row } from "../../../../src/judge/impact/auth0/row";
import { tableWith } from "../../../../src/judge/impact/auth0/table";

export const schema = JSON.parse(readFileSync(path.join(__dirname, "../auth0/schema.json"), "utf8")) as Record<
  string,
  Record<string, string>
>;

export type Side = Record<string, unknown>;
type Pair = readonly [unknown, unknown];

export function put(object: Side, [name, ...rest]: readonly string[], value: unknown): Side {
  if (rest.length === 0) object[name!] = value;
  else put(((object[name!] ??= [{}]) as Side[])[0]!, rest, value);
  return object;
}

const values: Readonly<Record<string, readonly [unknown, unknown, unknown]>> = {
  string: ["", "a", "b"],
  bool: [false, true, false],
  number: [0, 1, 2],
  "map string": [{}, { k: "a" }, { k: "b" }],
};
/** Absent, and two values. undefined: a form of values that Auth0 computes. */
export function valuesOf(form: string): readonly unknown[] | undefined {
  const [first, ...rest] = form.split(" ");
  if (first !== "set" && first !== "list") return values[form];
  return valuesOf(rest.join(" "))?.map((one, index) => (index === 0 ? [] : [one]));
}
export const formOf = (written: string) => written.replace(/ (?:sensitive|computed)/g, "");

/** Of versions of the provider before and after that of the schema. */
export const ofOtherVersions: typeof schema = {
  auth0_client: { cross_origin_authentication: "bool" },
  auth0_connection: { enabled_clients: "set string" },
  auth0_organization_client: {},
  auth0_organization_clients: { clients: "set string" },
};
const attributes = new Map(
  Object.keys({ ...schema, ...ofOtherVersions }).map((type) => [
    type,
    Object.entries({ ...schema[type], ...ofOtherVersions[type] }),
  ]),
);
export const attributesOf = (type: string) => attributes.get(type) ?? [];
/** These types have rows in common, and not all attributes. */
const families = [
  ["auth0_client", "auth0_client_cimd"],
  ["auth0_prompt_partials", "auth0_prompt_screen_partial", "auth0_prompt_screen_partials"],
];
export const typesOf = (type: string) =>
  type === "*" ? Object.keys(schema) : (families.find((family) => family.includes(type)) ?? [type]);

/** A value for which the pattern stands. */
export const fitting = (pattern: string, form = "string") =>
  ({ none: undefined, false: false, true: true })[pattern] ??
  (form === "number"
    ? Number(pattern.replaceAll("*", "1"))
    : pattern.replaceAll(/(?<!\[)\*/g, "x").replaceAll("[*]", "*"));
const isOff = (wanted: string) => ["none", "false"].includes(wanted);
export const rowsFor = tableWith();
/** An object on which the conditions of the row hold. `isElsewhere`: what other rows need off is on. */
export function conditionsOf({ type, when = {} }: Row, isElsewhere: boolean): Side {
  const others = (isElsewhere ? rowsFor(type) : [])
    .flatMap((row) => Object.entries(row.when ?? {}))
    .filter(([name, wanted]) => isOff(wanted) && !(name in when))
    .map(([name]) => [name, true] as const);
  const own = Object.entries(when).map(([name, wanted]) => [name, fitting(wanted.split("|")[0]!)] as const);
  const side: Side = {};
  for (const [name, value] of [...others, ...own]) put(side, name.split("."), value);
  return side;
}

const loading = "<script src='https://host.example/a.js'></script>";
const bothWays = (pairs: readonly Pair[]): Pair[] =>
  pairs.flatMap(
    ([one, other]) =>
      [
        [one, other],
        [other, one],
      ] as Pair[],
  );
const listPairs = (one: unknown, other: unknown) =>
  bothWays([
    [[one], []],
    [[one, other], [other]],
    [
      [one, other],
      [other, one],
    ],
  ]);
const single: Readonly<Record<string, readonly Pair[]>> = {
  string: [
    ["a", "b"],
    ["a", ""],
    [loading, "a"],
    ["{{code}} {{url}}", "a"],
  ],
  bool: [[true, false]],
  number: [
    [1, 2],
    [1, undefined],
  ],
  "map string": [
    [{ k: "a" }, { k: "b" }],
    [{ k: "a" }, {}],
  ],
};
/** Values before and after that the change of the row may be about. */
function pairsFor(change: string, form: string): Pair[] {
  const [first = "", ...rest] = form.split(" ");
  const [verb, element] = change === "covers" ? ["added", "0.0.0.0/0"] : change.split(" ");
  if (verb === "higher" && element) return [[1, Number(element)]];
  if (["set", "list"].includes(first)) {
    const [, one, other] = valuesOf(rest.join(" ")) ?? ["", "a", "b"];
    return listPairs(element === undefined ? one : fitting(element.split("|")[0]!), other);
  }
  if (verb === "loses") return element!.split("|").map((part) => [`a${part}b`, "ab"]);
  if (!change.includes("->")) return bothWays(single[form] ?? [["a", "b"]]);
  const [was, is] = change.split("->").map((part) => part.split("|").map((one) => fitting(one, form)));
  return was!.flatMap((one) => is!.map((other): Pair => [one, other]));
}

export const actionsOf: Readonly<Record<string, readonly string[]>> = {
  create: ["create"],
  destroy: ["delete"],
  replace: ["delete", "create"],
};

/** The attributes for which the path of a row stands, with the pairs of values of each. A set of blocks is one attribute, too. */
export function attributesAt(type: string, alternative: string, change: string): [name: string, pairs: Pair[]][] {
  const blocks = attributesOf(type).filter(([name]) => name.startsWith(`${alternative}.`));
  const block = (index: number) =>
    Object.fromEntries(
      blocks.map(([name, form]) => [name.slice(alternative.length + 1), valuesOf(formOf(form))?.[index]]),
    );
  const text = alternative
    .split(/(\.?\*\*|\*)/)
    .map((part) => ({ ".**": "(\\..*)?", "**": ".*", "*": "[^.]*" })[part] ?? part);
  const wanted = new RegExp(`^(?:${text.join("")})(?:\\..*)?$`);
  const own = attributesOf(type).filter(([name]) => wanted.test(name));
  return [
    ...own.map(([name, form]): [string, Pair[]] => [name, pairsFor(change, formOf(form))]),
    ...(blocks.length > 0 ? [[alternative, listPairs(block(1), block(2))] as [string, Pair[]]] : []),
  ];
}
