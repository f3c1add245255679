/** Where the members of large organizations stand. */
import { arrange } from "../../src/adopt/shared";
import type { Declaration } from "../../src/adopt/stack";

const members = Array.from({ length: 31 }, (_, index) => `auth0|${index}`);
const set = (...name: string[]): Declaration => ({
  kind: "members",
  type: "tenant_organization_member_set",
  name,
  id: `org_${name.join("")}`,
  attributes: [],
  values: { members },
  remarks: [],
  refused: [],
});

test("each has a file of its own, and none that is there", () => {
  const there = { has: (file: string) => file === "members/crowd.ts", locals: new Set<string>() };
  const { rolls } = arrange([set("crowd"), set("crowd", "2")], there, (name) => `members/${name.join("-")}.ts`);
  expect(rolls.map(({ file }) => file)).toEqual(["members/crowd-2.ts", "members/crowd-2-2.ts"]);
});
