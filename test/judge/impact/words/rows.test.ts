/** What each row of the table of Auth0 objects says: with one value and with several, of a flag, and of a value that is not shown or not known. */
import { changesOf } from "../../../../src/judge/impact/auth0/changes";
import { effectOf, type Found } from "../../../../src/judge/impact/auth0/effects";
import { fitsValue } from "../../../../src/judge/impact/auth0/match";
import type { Row } from "../../../../src/judge/impact/auth0/row";
import { table } from "../../../../src/judge/impact/auth0/table";
import type { PlannedObject } from "../../../../src/judge/impact/model";
import { sentence } from "../../../../src/judge/impact/words/words";
import { actionsOf, attributesAt, attributesOf, conditionsOf, put, rowsFor, typesOf, type Side } from "../support/rows";

const nothing = () => undefined;
const known = {
  nameOf: nothing,
  isConfigured: nothing,
  writtenAt: nothing,
  referenceOf: nothing,
  membersOf: nothing,
  ownClients: new Set(""),
};
const words = (found: Pick<Found, "object" | "row"> & Partial<Found>) =>
  sentence(effectOf({ level: "info", changes: [], along: [], users: [], ...found }, known));

/** What the words name, for rows that do not change it. */
const own: Side = {
  action_id: "act_1",
  actions: [{ id: "a1" }, { id: "a2" }],
  audience: "https://api",
  client_id: "abc",
  connection_id: "con_1",
  discovery_domains: [{ domain: "d1" }, { domain: "d2" }],
  domain: "acme.example",
  enabled_clients: ["c1", "c2"],
  enabled_connections: [{ connection_id: "con_1" }, { connection_id: "con_2" }],
  grant_id: "cgr_1",
  name: "Shop",
  organization_id: "org_1",
  permission: "read:a",
  permissions: [{ name: "p1" }, { name: "p2" }],
  resource_server_identifier: "https://api",
  role_id: "rol_1",
  roles: ["r1", "r2"],
  scope: "read:a",
  scopes: [{ name: "s1" }, { name: "s2" }],
  screen_name: "login",
  strategy: "auth0",
  template: "verify_email",
  trigger: "post-login",
  user_id: "auth0|ada",
};

/** The longer list with two more elements. */
function several(pair: readonly unknown[]): readonly unknown[] {
  const [was, is] = pair as readonly [unknown[], unknown[]];
  const more = (element: unknown, end: string): unknown => {
    if (typeof element !== "object" || element === null) return typeof element === "string" ? element + end : element;
    return Object.fromEntries(Object.entries(element).map(([name, value]) => [name, more(value, end)]));
  };
  const longer = ([first, ...rest]: unknown[]) => [first, more(first, "2"), more(first, "3"), ...rest];
  return was.length > is.length ? [longer(was), is] : [was, longer(is)];
}

type Decided = Pick<Found, "object" | "changes">;

const texts = new Map<Row | undefined, string>();
/** Equal for the rows of several types that are one row of the table. */
function textOf(row: Row | undefined): string {
  const text = texts.get(row) ?? JSON.stringify({ ...row, type: "" });
  texts.set(row, text);
  return text;
}

/** The changes of the pair that the row decides. `isElsewhere`: what other rows need off is on. */
function decidedBy(
  row: Row,
  type: string,
  name: string,
  pair: readonly unknown[],
  isElsewhere = true,
): Decided | undefined {
  const [before, after] = pair.map((value) =>
    put({ ...own, ...conditionsOf(row, isElsewhere) }, name.split("."), value),
  );
  const object: PlannedObject = { address: `${type}.x`, type, actions: ["update"], before: before!, after: after! };
  const text = textOf(row);
  const changes = changesOf(object).filter(
    (one) => textOf(rowsFor(type).find((other) => fitsValue(other, one, object))) === text,
  );
  if (changes.length > 0) return { object, changes };
  return isElsewhere ? decidedBy(row, type, name, pair, false) : undefined;
}

/** What the row decides: of values, of lists from which several elements go or to which they come, or of flags. */
function* decisions(row: Row, form: "one" | "several" | "flag"): Generator<Decided> {
  for (const type of typesOf(row.type))
    for (const [name, pairs] of row.path!.split("|").flatMap((part) => attributesAt(type, part, row.change))) {
      const isFlag = attributesOf(type).some((one) => one[0] === name && one[1].startsWith("bool"));
      for (const pair of pairs) {
        const isList = pair.every(Array.isArray) && (pair[0] as []).length !== (pair[1] as []).length;
        if (form === "several" ? !isList : isFlag !== (form === "flag")) continue;
        const found = decidedBy(row, type, name, form === "several" ? several(pair) : pair);
        if (found) yield found;
      }
    }
}

/** Of the first two attributes that the row decides at once. */
function ofTwo(row: Row): Decided[] {
  const [first, ...others] = [...decisions(row, "one"), ...decisions(row, "flag")];
  const labels = (one: Decided) => one.changes.map(({ label }) => label).join();
  const second = first && others.find((one) => labels(one) !== labels(first));
  return second ? [{ ...first, changes: [...first.changes, ...second.changes] }] : [];
}

function linesOf(row: Row): string[] {
  if (row.path !== undefined) {
    const found = (["one", "several", "flag"] as const).flatMap((form) => decisions(row, form).next().value ?? []);
    const both = /\{(?:path|attribute|changes)\}/.test(row.text!) ? ofTwo(row) : [];
    return [...found, ...both].map((one: Decided) => words({ row, ...one }));
  }
  const side = { ...own, ...conditionsOf(row, false) };
  const object = {
    address: `${row.type}.x`,
    type: row.type,
    actions: actionsOf[row.change]!,
    before: side,
    after: side,
  };
  const users = row.usedBy === undefined ? [] : ["auth0_a.a", "auth0_b.b"].map((address) => ({ ...object, address }));
  return [words({ row, object, users, change: row.change as "create" })];
}

test("each row, with one value, several, a flag, and two attributes", () => {
  const lines = table.filter(({ text }) => text !== undefined).flatMap(linesOf);
  expect(`\n${[...new Set(lines)].join("\n")}\n`).toMatchSnapshot();
});

test("values that are not known, or not shown", () => {
  const row = table.find(({ type, path }) => type === "auth0_client" && path === "callbacks")!;
  const [one] = decisions(row, "one");
  const twice = { ...one!, changes: ["callbacks", "web_origins"].map((label) => ({ ...one!.changes[0]!, label })) };
  const secret = { ...one!, changes: one!.changes.map((change) => ({ ...change, isSecret: true })) };
  const lines = (["unknown", "sensitive"] as const).flatMap((because) =>
    [one!, twice].map((found) => words({ row, because, ...found })),
  );
  const changes = { ...row, text: "{path} of {name} changes ({changes})." };
  expect(
    `\n${[...lines, words({ row: changes, ...secret }), words({ row, ...secret })].join("\n")}\n`,
  ).toMatchSnapshot();
});
