/** The truth table of what changes of other Auth0 resources do: plans of the real provider and their effects; each row decides a change, and each attribute has a row. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { changesOf } from "../../../../src/judge/impact/auth0/changes";
import { fitsObject, fitsValue, objectChange } from "../../../../src/judge/impact/auth0/match";
import type { Row } from "../../../../src/judge/impact/auth0/row";
import { table } from "../../../../src/judge/impact/auth0/table";
import { levels, type Level } from "../../../../src/judge/impact/effect";
import type { PlannedObject, Values } from "../../../../src/judge/impact/model";
import { summaryOf } from "../../../../src/judge/impact/words/verdict";
import { sentence } from "../../../../src/judge/impact/words/words";
import { parsePlan } from "../../../../src/review/input/plan";
import { reviewPlans } from "../../../review/support/plan";
import {
  actionsOf,
  attributesAt,
  conditionsOf,
  formOf,
  ofOtherVersions,
  put,
  rowsFor,
  schema,
  typesOf,
  valuesOf,
  type Side,
} from "../support/rows";
import { expectLines } from "./support/lines";
import { truth } from "./truth";

const plans = JSON.parse(readFileSync(path.join(__dirname, "plans.json"), "utf8")) as Record<string, object>;

function effectsOf(name: string) {
  const { effects } = reviewPlans(name, [parsePlan(JSON.stringify(plans[name]), name)]);
  return effects.map(
    (one) =>
      `${one.level}${one.certainty === "certain" ? "" : "?"} ${one.code} ${one.subject.address} | ${sentence(one)}`,
  );
}

test.each(Object.entries(truth))("%s", (name, expected) => expectLines(effectsOf(name), expected));

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

test("each plan has a row", () => expect(Object.keys(truth).toSorted()).toEqual(Object.keys(plans).toSorted()));

/** No row knows them: what runs in them, or who uses them, the plan does not show. */
const unjudgedTypes =
  /^auth0_(?:flow|flow_vault_connection|form|connection_profile|user_attribute_profile|self_service_profile)$/;
/** Network ACLs, limits and members are judged exactly, by other code. */
const ownTypes = /network_acl|rate_limit_policy|organization_members?$/;
/** They tell which object it is, so a change of them replaces it. */
const identities =
  /^(?:(?:client|connection|organization|role|user|action|grant|custom_domain)_id|audience|subject_type|default_for|name|strategy|domain|type|identifier|resource_server_identifier|scope|scopes|permission|trigger|(?:permissions|scopes|actions)\.\w+)$/;

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

function decides(row: Row, type: string, actions: readonly string[], before: Side, after: Side): boolean {
  const object: PlannedObject = { address: `${type}.x`, type, actions, before, after };
  const [change, own] = [objectChange(object), JSON.stringify({ ...row, type: "" })];
  const isIt = (one: Row | undefined) => one !== undefined && JSON.stringify({ ...one, type: "" }) === own;
  const rows = rowsFor(type).filter((one) => one.usedBy === undefined || isIt(one));
  if (change) return isIt(rows.find((one) => fitsObject(one, change, object)));
  return changesOf(object).some((value) => isIt(rows.find((one) => fitsValue(one, value, object))));
}

/** The parts of the row's path that no change reaches. */
function unreached(row: Row): string[] {
  if (row.path === undefined) {
    const sides = [false, true].map((isElsewhere) => conditionsOf(row, isElsewhere));
    return sides.some((side) => decides(row, row.type, actionsOf[row.change]!, side, side)) ? [] : [""];
  }
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
          const rows = changes.map((value) => rowsFor(type).find((row) => fitsValue(row, value, { after: after! })));
          return rows.some((row) => /\{(?:removed|added)\}/.test(row?.text ?? "")) ? [`${type} ${name} ${was}`] : [];
        }),
      ),
  );
  expect(told).toEqual([]);
});

/** The worst level that the review gives to the change. */
function levelOf(type: string, change: Values): number {
  const changes = [{ address: `${type}.x`, type, mode: "managed", change }];
  const plan = parsePlan(JSON.stringify({ format_version: "1.2", resource_changes: changes }), "plan");
  return Math.max(-1, ...reviewPlans("plan", [plan]).effects.map(({ level }) => levels.indexOf(level)));
}

/** A change that the row decides, for each part of its path. */
const decidedBy = (row: Row): [at: string, before: Side, after: Side][] =>
  (row.path?.split("|") ?? [""]).flatMap((alternative): [string, Side, Side][] => {
    const all = row.path === undefined ? [["", [[]]] as const] : attributesAt(row.type, alternative, row.change);
    const found = all
      .filter(([at]) => alternative.includes("**") || at.split(".").length <= alternative.split(".").length)
      .flatMap(([at, pairs]) =>
        pairs.flatMap((pair) => [false, true].map((isElsewhere) => [at, pair, isElsewhere] as const)),
      )
      .map(([at, pair, isElsewhere]): [string, Side, Side] => {
        const [before, after] = [0, 1].map((side) => {
          const own = conditionsOf(row, isElsewhere);
          return at === "" ? own : put(own, at.split("."), pair[side]);
        });
        return [at, before!, after!];
      })
      .find(([, before, after]) => decides(row, row.type, actionsOf[row.change] ?? ["update"], before, after));
    return found ? [found] : [];
  });
const without = (side: Side, [name = "", ...rest]: readonly string[]): Side => {
  const { [name]: own, ...others } = side;
  return rest.length === 0 ? others : { ...others, [name]: (own as Side[]).map((one) => without(one, rest)) };
};
const unknownAt = (after: Side, at: string) => ({
  after: without(after, at.split(".")),
  after_unknown: put({}, at.split("."), true),
});
const effective = table.filter(({ level, type, usedBy }) => level !== "none" && type !== "*" && usedBy === undefined);

test.each(["unknown", "sensitive"])(
  "a condition that reads a value that is %s: the level is that of the worst row",
  (how) => {
    const lower = effective.flatMap((row) =>
      Object.keys(row.when ?? {}).flatMap((name) =>
        decidedBy(row).flatMap(([at, before, after]) => {
          const actions = actionsOf[row.change] ?? ["update"];
          if (at === name || (how === "unknown" && actions.includes("delete"))) return [];
          const marks = put({}, name.split("."), true);
          const sides = {
            actions,
            before: actions[0] === "create" ? null : before,
            after: actions.join() === "delete" ? null : after,
          };
          const more = how === "unknown" ? unknownAt(after, name) : { before_sensitive: marks, after_sensitive: marks };
          const isLower = levelOf(row.type, { ...sides, ...more }) < levelOf(row.type, sides);
          return isLower ? JSON.stringify([row.type, row.path, row.change, name, sides]) : [];
        }),
      ),
    );
    expect(lower).toEqual([]);
  },
);

test("a value that is known only after the apply: the level is that of the worst row, but at most high", () => {
  const lower = effective.flatMap((row) =>
    decidedBy(row).flatMap(([at, before, after]) => {
      if (at === "" || row.change === "order") return [];
      const sides = { actions: ["update"], before, ...unknownAt(after, at) };
      const least = Math.min(levels.indexOf(row.level as Level), levels.indexOf("high"));
      return levelOf(row.type, sides) < least ? JSON.stringify([row.type, row.path, row.change, at, sides]) : [];
    }),
  );
  expect(lower).toEqual([]);
});
