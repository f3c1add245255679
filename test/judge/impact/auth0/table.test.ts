/** The truth table of what changes of other Auth0 resources do: plans of the real provider and their effects; each row decides a change, and each attribute has a row. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { changesOf } from "../../../../src/judge/impact/auth0/changes";
import { fitsObject, fitsValue, objectChange } from "../../../../src/judge/impact/auth0/match";
import type { Row } from "../../../../src/judge/impact/auth0/row";
import { table, tableWith } from "../../../../src/judge/impact/auth0/table";
import type { PlannedObject } from "../../../../src/judge/impact/model";
import { summaryOf } from "../../../../src/judge/impact/words/verdict";
import { sentence } from "../../../../src/judge/impact/words/words";
import { parsePlan } from "../../../../src/review/input/plan";
import { reviewPlans } from "../../../review/support/plan";
import { truth } from "./truth";

const plans = JSON.parse(readFileSync(path.join(__dirname, "plans.json"), "utf8")) as Record<string, object>;

function effectsOf(name: string) {
  const { effects } = reviewPlans(name, [parsePlan(JSON.stringify(plans[name]), name)]);
  return effects.map(
    (one) =>
      `${one.level}${one.certainty === "certain" ? "" : "?"} ${one.code} ${one.subject.address} | ${sentence(one)}`,
  );
}

test.each(Object.entries(truth))("%s", (name, expected) => {
  const found = effectsOf(name);
  expect(found.map((line) => line.split(" | ")[0])).toEqual(expected.map((line) => line.split(" | ")[0]));
  for (const [index, line] of expected.entries())
    for (const words of line.split(" | ").slice(1)) expect(found[index]).toContain(words);
});

test.each([
  [
    "five objects created",
    "5 objects are created: auth0_client.a, auth0_connection.e, auth0_organization.c, auth0_resource_server.d and auth0_role.b.",
  ],
  ["looks of a tenant", "1 object changes: auth0_tenant.t (friendly_name and support_url)."],
  ["sign-in page that nobody sees", "1 object changes: auth0_pages.p (login.html)."],
])("%s: says what nothing stands on", (name, words) => {
  const { verdict } = reviewPlans(name, [parsePlan(JSON.stringify(plans[name]), name)]);
  expect(summaryOf(verdict)).toEqual([`✔ Nothing changes for people. ${words}`]);
});

test("each plan has a row", () => {
  expect(Object.keys(truth).toSorted()).toEqual(Object.keys(plans).toSorted());
});

const schema = JSON.parse(readFileSync(path.join(__dirname, "schema.json"), "utf8")) as Record<
  string,
  Record<string, string>
>;

/** No row knows them: what runs in them, or who uses them, the plan does not show. */
const unjudgedTypes =
  /^auth0_(?:flow|flow_vault_connection|form|connection_profile|user_attribute_profile|self_service_profile)$/;
/** Network ACLs, limits and members are judged exactly, by other code. */
const ownTypes = /network_acl|rate_limit_policy|organization_members?$/;
/** They tell which object it is, so a change of them replaces it. */
const identities =
  /^(?:(?:client|connection|organization|role|user|action|grant|custom_domain)_id|audience|subject_type|default_for|name|strategy|domain|type|identifier|resource_server_identifier|scope|scopes|permission|trigger|(?:permissions|scopes|actions)\.\w+)$/;

type Side = Record<string, unknown>;
type Pair = readonly [unknown, unknown];

function put(object: Side, [name, ...rest]: readonly string[], value: unknown): Side {
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
function valuesOf(form: string): readonly unknown[] | undefined {
  const [first, ...rest] = form.split(" ");
  if (first !== "set" && first !== "list") return values[form];
  return valuesOf(rest.join(" "))?.map((one, index) => (index === 0 ? [] : [one]));
}
const formOf = (written: string) => written.replace(/ (?:sensitive|computed)/g, "");

/** What is not judged if every attribute of every type changes so. */
function unjudged(from: 0 | 1 | 2, to: 0 | 1 | 2): string[] {
  const resource_changes = Object.entries(schema)
    .filter(([type]) => !ownTypes.test(type) && !unjudgedTypes.test(type))
    .flatMap(([type, attributes]) =>
      Object.entries(attributes).flatMap(([one, form], index) => {
        const own = valuesOf(formOf(form));
        if (!own) return [];
        const [before, after] = [from, to].map((side) => put({}, one.split("."), own[side]));
        const change = { actions: ["update"], before, after };
        return { address: `${type}.x${index}`, type, mode: "managed", change };
      }),
    );
  const plan = parsePlan(JSON.stringify({ format_version: "1.2", resource_changes }), "plan");
  return reviewPlans("plan", [plan]).effects.flatMap(({ facts, subject }) =>
    facts.kind === "unreviewed" ? facts.paths.map((one) => `${subject.type} ${one}`) : [],
  );
}

test.each([
  [1, 2],
  [2, 1],
  [1, 0],
  [0, 1],
] as const)("value %i to %i of each attribute", (from, to) => {
  expect(unjudged(from, to).filter((one) => !identities.test(one.split(" ")[1]!))).toEqual([]);
});

/** Of versions of the provider before and after that of the schema. */
const ofOtherVersions: typeof schema = {
  auth0_client: { cross_origin_authentication: "bool" },
  auth0_connection: { enabled_clients: "set string" },
  auth0_organization_client: {},
  auth0_organization_clients: { clients: "set string" },
};
const attributesOf = (type: string) => Object.entries({ ...schema[type], ...ofOtherVersions[type] });
/** These types have rows in common, and not all attributes. */
const families = [
  ["auth0_client", "auth0_client_cimd"],
  ["auth0_prompt_partials", "auth0_prompt_screen_partial", "auth0_prompt_screen_partials"],
];
const typesOf = (type: string) =>
  type === "*" ? Object.keys(schema) : (families.find((family) => family.includes(type)) ?? [type]);

/** A value for which the pattern stands. */
const fitting = (pattern: string, form = "string") =>
  ({ none: undefined, false: false, true: true })[pattern] ??
  (form === "number"
    ? Number(pattern.replaceAll("*", "1"))
    : pattern.replaceAll(/(?<!\[)\*/g, "x").replaceAll("[*]", "*"));
const isOff = (wanted: string) => ["none", "false"].includes(wanted);
const { rowsFor } = tableWith();
/** An object on which the conditions of the row hold. `isElsewhere`: what other rows need off is on. */
function conditionsOf({ type, when = {} }: Row, isElsewhere: boolean): Side {
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
  const [verb, element] = change.split(" ");
  if (["set", "list"].includes(first)) {
    const [, one, other] = valuesOf(rest.join(" ")) ?? ["", "a", "b"];
    return listPairs(element === undefined ? one : fitting(element.split("|")[0]!), other);
  }
  if (verb === "loses") return element!.split("|").map((part) => [`a${part}b`, "ab"]);
  if (!change.includes("->")) return bothWays(single[form] ?? [["a", "b"]]);
  const [was, is] = change.split("->").map((part) => part.split("|").map((one) => fitting(one, form)));
  return was!.flatMap((one) => is!.map((other): Pair => [one, other]));
}

function decides(row: Row, type: string, actions: readonly string[], before: Side, after: Side): boolean {
  const object: PlannedObject = { address: `${type}.x`, type, actions, before, after };
  const [change, own] = [objectChange(object), JSON.stringify({ ...row, type: "" })];
  const isIt = (one: Row | undefined) => one !== undefined && JSON.stringify({ ...one, type: "" }) === own;
  const rows = rowsFor(type).filter((one) => one.usedBy === undefined || isIt(one));
  if (change) return isIt(rows.find((one) => fitsObject(one, change, after)));
  return changesOf(object).some((value) => isIt(rows.find((one) => fitsValue(one, value, after))));
}

const actionsOf: Readonly<Record<string, readonly string[]>> = {
  create: ["create"],
  destroy: ["delete"],
  replace: ["delete", "create"],
};

/** The attributes for which the path of a row stands, with the pairs of values of each. A set of blocks is one attribute, too. */
function attributesAt(type: string, alternative: string, change: string): [name: string, pairs: Pair[]][] {
  const blocks = attributesOf(type).filter(([name]) => name.startsWith(`${alternative}.`));
  const block = (index: number) =>
    Object.fromEntries(
      blocks.map(([name, form]) => [name.slice(alternative.length + 1), valuesOf(formOf(form))?.[index]]),
    );
  const text = alternative
    .split(/(\.?\*\*|\*)/)
    .map((part) => ({ ".**": "(\\..*)?", "**": ".*", "*": "[^.]*" })[part] ?? part);
  const own = attributesOf(type).filter(([name]) => new RegExp(`^(?:${text.join("")})(?:\\..*)?$`).test(name));
  return [
    ...own.map(([name, form]): [string, Pair[]] => [name, pairsFor(change, formOf(form))]),
    ...(blocks.length > 0 ? [[alternative, listPairs(block(1), block(2))] as [string, Pair[]]] : []),
  ];
}

/** The parts of the row's path that no change reaches. */
function unreached(row: Row): string[] {
  const conditions = conditionsOf(row, false);
  if (row.path === undefined) return decides(row, row.type, actionsOf[row.change]!, conditions, conditions) ? [] : [""];
  return row.path.split("|").filter(
    (alternative) =>
      !typesOf(row.type).some((type) =>
        attributesAt(type, alternative, row.change).some(([name, pairs]) =>
          pairs.some(([was, is]) =>
            [true, false].some((isElsewhere) => {
              const [before, after] = [was, is].map((value) =>
                put(conditionsOf(row, isElsewhere), name.split("."), value),
              );
              return decides(row, type, ["update"], before!, after!);
            }),
          ),
        ),
      ),
  );
}

test("each row, and each part of its path, decides a change: no earlier row always wins", () => {
  const dead = table
    .map((row) => [row.type, row.change, row.when, ...unreached(row)])
    .filter(({ length }) => length > 3);
  expect(dead).toEqual([]);
});

test("what only other versions of the provider have is not in its schema", () => {
  const stale = Object.entries(ofOtherVersions).filter(([type, own]) =>
    Object.keys(own).length === 0 ? type in schema : Object.keys(own).some((name) => name in (schema[type] ?? {})),
  );
  expect(stale).toEqual([]);
});

test("no row says of a switch that true is removed or added", () => {
  const told = Object.entries(schema).flatMap(([type, attributes]) =>
    Object.entries(attributes)
      .filter(([, form]) => form === "bool")
      .flatMap(([name]) =>
        [true, false].flatMap((was) => {
          const [before, after] = [was, !was].map((value) => put({}, name.split("."), value));
          const changes = changesOf({
            address: `${type}.x`,
            type,
            actions: ["update"],
            before: before!,
            after: after!,
          });
          const rows = changes.map((value) => rowsFor(type).find((row) => fitsValue(row, value, after)));
          return rows.some((row) => /\{(?:removed|added)\}/.test(row?.text ?? "")) ? [`${type} ${name} ${was}`] : [];
        }),
      ),
  );
  expect(told).toEqual([]);
});
