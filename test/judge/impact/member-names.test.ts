/** How a review names people and organizations. */
import { worded } from "./support/worded";
import type { PlannedObject } from "../../../src/judge/impact/model";
import { personWords, directoryOf, organizationWords } from "../../../src/judge/impact/organization-member-set/changes";
import { judgeMembers } from "../../../src/judge/impact/organization-member-set/effects";
import { memberSet, members } from "./support/member-sets";

const ada = "auth0|ada";

test.each<[object, string | undefined, string]>([
  [{}, undefined, ada],
  [{ name: "Ada Lovelace" }, undefined, "Ada Lovelace"],
  [{ name: "Ada", email: "ada@example.org" }, "on call", 'Ada (example.org, "on call")'],
  [{ name: "Zoë O’Neil-Łuk 3.", email: "z@münchen.example" }, undefined, "Zoë O’Neil-Łuk 3. (münchen.example)"],
  [{ name: "ada@example.org", email: "ada@example.org" }, undefined, "ada@example.org"],
  [{ email: "ada@example.org" }, undefined, "ada@example.org"],
  [{ name: " ", email: "no address" }, undefined, ada],
  [{}, 'ends" here.\nNothing changes', `${ada} ("ends' here. Nothing changes")`],
  [{ name: "Ada, Bob and 28 more" }, undefined, ada],
  [{ name: "<img src=x>" }, undefined, ada],
  [{ name: "Ada\u202egnihton" }, undefined, ada],
  [{ name: "Ada\nBob" }, undefined, ada],
  [{ name: "x".repeat(61) }, undefined, ada],
  [{ name: "Ada", email: "ada@example.org) and others" }, undefined, "Ada"],
])("names %j with the note %j as %s", (person, note, words) => {
  const named = directoryOf({ people: new Map([[ada, person]]) });
  expect(named(new Map(note === undefined ? [] : [[ada, note]])).words(ada)).toBe(words);
});

test("tells people with the same name and domain apart", () => {
  const emails = { a: "1@one.example", b: "2@one.example", c: "1@two.example" };
  const people = new Map(Object.entries(emails).map(([id, email]) => [id, { name: "Ada", email }]));
  const shown = ["Ada (one.example, a)", "Ada (one.example, b)", "Ada (two.example)", "d"];
  expect(["a", "b", "c", "d"].map(directoryOf({ people })(new Map()).words)).toEqual(shown);
});

test("shows the display name of an organization with its id", () => {
  const organization_names = new Map(Object.entries({ org_1: "Acme", org_2: 'A" (org_9)' }));
  const words = (id: string) => organizationWords(id, { organization_names });
  expect(["org_1", "org_2", "org_3"].map(words)).toEqual(['"Acme" (org_1)', `"A' (org_9)" (org_2)`, "org_3"]);
});

const noted = (members_with_notes: object) => members(null, { members_with_notes });
const judged = (before: object, after: object, more?: Partial<PlannedObject>) =>
  judgeMembers([memberSet("set.a", noted(before), noted(after), more)]);

test("names people with notes first when they leave, and people who join with the note of the new list", () => {
  const leaving = judged({ a: "", b: "", c: "", d: "", e: "", ada: "founder", zoe: "on call" }, { a: "" });
  expect(worded(leaving.effects[0]!).text).toBe(
    '6 of 7 members lose access to org_1: ada ("founder"), zoe ("on call") and 4 more.',
  );
  const [change] = leaving.changes;
  expect(change).toMatchObject({
    loses: ["ada", "b", "c", "d", "e", "zoe"],
    people: { ada: 'ada ("founder")', zoe: 'zoe ("on call")' },
  });
  const named = ["ada", "b", "toString"].map((id) => personWords(change!, id));
  expect(named).toEqual(['ada ("founder")', "b", "toString"]);
  const [joining] = judged({ a: "" }, { a: "", zoe: "on call" }).effects;
  expect(worded(joining!).text).toBe('1 member gains access to org_1: zoe ("on call").');
});

test.each<Partial<PlannedObject>>([
  { beforeSensitive: { members_with_notes: { ada: true } } },
  { afterSensitive: { members_with_notes: { ada: true } } },
])("does not show a sensitive note: %j", (marks) => {
  const judgement = judged({ ada: "founder", b: "boss" }, { b: "boss" }, marks);
  expect(worded(judgement.effects[0]!).text).toBe("1 of 2 members loses access to org_1: ada.");
  expect(JSON.stringify(judgement.changes)).not.toContain("founder");
});

test("does not show names of people that the plan hides", () => {
  const marks = { beforeSensitive: { members: true }, afterSensitive: { members: true } };
  const people = new Map([["ada", { name: "Ada Lovelace" }]]);
  const one = memberSet("set.a", members(["ada", "b"]), members(["b"]), marks);
  const judgement = judgeMembers([one], undefined, { people });
  expect(JSON.stringify([judgement.changes, judgement.effects])).not.toMatch(/ada|lovelace/i);
});
