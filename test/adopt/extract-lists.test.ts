/** Files for long lists. */
import { arrange } from "../../src/adopt/extract-lists";
import { organizationMemberSet } from "../../src/kinds/organization-member-set";
import type { Declaration } from "../../src/adopt/stack";

const members = Array.from({ length: 31 }, (_, index) => `auth0|${index}`);
const set = (...name: string[]): Declaration => ({
  kind: organizationMemberSet,
  name,
  id: `org_${name.join("")}`,
  values: { members },
  notes: [],
  refused: [],
});

test("gives each long list a file of its own, and leaves existing files alone", () => {
  const existing = { has: (file: string) => file === "members/crowd.ts", locals: new Set<string>() };
  const { listFiles } = arrange(
    [set("crowd"), set("crowd", "2")],
    existing,
    (attribute, name) => `${attribute}/${name.join("-")}.ts`,
  );
  expect(listFiles.map(({ file }) => file)).toEqual(["members/crowd-2.ts", "members/crowd-2-2.ts"]);
});
