/** The truth table of what changes of other Auth0 resources do: plans of the real provider, and the effects of their review. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { sentence } from "../../../src/impact/words/words";
import { summaryOf } from "../../../src/impact/words/verdict";
import { parsePlan } from "../../../src/review/input/plan";
import { reviewPlans } from "../../../src/review/review";
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
