/** The truth table of what changes of other Auth0 resources do: plans of the real provider and their effects, and the attributes that no row judges. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { summaryOf } from "../../../../src/judge/impact/words/verdict";
import { sentence } from "../../../../src/judge/impact/words/words";
import { parsePlan } from "../../../../src/review/input/plan";
import { reviewPlans } from "../../../../src/review/judge/review";
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

function put(object: Side, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) object[name!] = value;
  else put(((object[name!] ??= [{}]) as Side[])[0]!, rest, value);
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

/** What is not judged if every attribute of every type changes so. */
function unjudged(from: 0 | 1 | 2, to: 0 | 1 | 2): string[] {
  const resource_changes = Object.entries(schema)
    .filter(([type]) => !ownTypes.test(type) && !unjudgedTypes.test(type))
    .flatMap(([type, attributes]) =>
      Object.entries(attributes).flatMap(([one, form], index) => {
        const own = valuesOf(form.replace(/ (?:sensitive|computed)/g, ""));
        if (!own) return [];
        const [before, after] = [from, to].map((side) => {
          const object: Side = {};
          put(object, one.split("."), own[side]);
          return object;
        });
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
