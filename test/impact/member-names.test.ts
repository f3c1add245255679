/** How a review names people and organizations. */
import type { PlannedObject, Values } from "../../src/impact/model";
import { personWords, directoryOf, organizationWords } from "../../src/impact/organization-member-set/changes";
import { memberEffects, judgeMembers } from "../../src/impact/organization-member-set/effects";

const ada = "auth0|ada";
const wordsOf = (person: object, note?: string) =>
  directoryOf({ people: new Map([[ada, person]]) })(new Map(note === undefined ? [] : [[ada, note]])).words(ada);

test.each<[object, string | undefined, string]>([
  [{}, undefined, ada],
  [{ name: "Ada Lovelace" }, undefined, "Ada Lovelace"],
  [{ name: "Ada Lovelace", email: "ada@example.org" }, undefined, "Ada Lovelace (example.org)"],
  [{ name: "Ada", email: "ada@example.org" }, "on call", 'Ada (example.org, "on call")'],
  [{ name: "Zoë O’Neil-Łuk 3.", email: "z@münchen.example" }, undefined, "Zoë O’Neil-Łuk 3. (münchen.example)"],
  [{ name: "ada@example.org", email: "ada@example.org" }, undefined, "ada@example.org"],
  [{ email: "ada@example.org" }, undefined, "ada@example.org"],
  [{ name: " ", email: "no address" }, undefined, ada],
  [{}, "on call", `${ada} ("on call")`],
  [{}, 'ends" here.\nNothing changes', `${ada} ("ends' here. Nothing changes")`],
  [{ name: "Ada, Bob and 28 more" }, undefined, ada],
  [{ name: "x: nobody loses access" }, undefined, ada],
  [{ name: "<img src=x>" }, undefined, ada],
  [{ name: "Ada\u202egnihton" }, undefined, ada],
  [{ name: "Ada\nBob" }, undefined, ada],
  [{ name: "x".repeat(61) }, undefined, ada],
  [{ name: "Ada", email: "ada@example.org) and others" }, undefined, "Ada"],
])("names %j with the note %j as %s", (person, note, words) => {
  expect(wordsOf(person, note)).toBe(words);
});

test("tells people with the same name and domain apart", () => {
  const person = (email: string) => ({ name: "Ada", email });
  const { words } = directoryOf({
    people: new Map([
      ["a", person("1@one.example")],
      ["b", person("2@one.example")],
      ["c", person("1@two.example")],
    ]),
  })(new Map());
  expect(["a", "b", "c", "d"].map(words)).toEqual([
    "Ada (one.example, a)",
    "Ada (one.example, b)",
    "Ada (two.example)",
    "d",
  ]);
});

test("shows the display name of an organization with its id", () => {
  const names = new Map([
    ["org_1", "Acme"],
    ["org_2", 'A" (org_9)'],
  ]);
  const words = (id: string) => organizationWords(id, { organization_names: names });
  expect(["org_1", "org_2", "org_3"].map(words)).toEqual(['"Acme" (org_1)', `"A' (org_9)" (org_2)`, "org_3"]);
});

const set = (before: Values, after: Values, more: Partial<PlannedObject> = {}): PlannedObject => ({
  address: "tenant_organization_member_set.staff",
  type: "tenant_organization_member_set",
  actions: ["update"],
  before: { organization_id: "org_1", ...before },
  after: { organization_id: "org_1", ...after },
  ...more,
});
const notes = (members: object): Values => ({ members_with_notes: members });
const six = { a: "", b: "", c: "", d: "", e: "", ada: "founder", zoe: "on call" };

test("names people with notes first when they leave", () => {
  const judgement = judgeMembers([set(notes(six), notes({ a: "" }))]);
  expect(memberEffects(judgement)[0]!.text).toBe(
    '6 of 7 members lose access to org_1: ada ("founder"), zoe ("on call") and 4 more.',
  );
  const [change] = judgement.changes;
  expect(change).toMatchObject({
    loses: ["ada", "b", "c", "d", "e", "zoe"],
    people: { ada: 'ada ("founder")', zoe: 'zoe ("on call")' },
  });
  expect([personWords(change!, "ada"), personWords(change!, "b"), personWords(change!, "toString")]).toEqual([
    'ada ("founder")',
    "b",
    "toString",
  ]);
});

test("names people who join with the note of the new list", () => {
  const [effect] = memberEffects(judgeMembers([set(notes({ a: "" }), notes({ a: "", zoe: "on call" }))]));
  expect(effect!.text).toBe('1 member gains access to org_1: zoe ("on call").');
});

test.each<[string, Partial<PlannedObject>]>([
  ["before", { beforeSensitive: { members_with_notes: { ada: true } } }],
  ["after", { afterSensitive: { members_with_notes: { ada: true } } }],
])("does not show a note that is sensitive %s", (_side, marks) => {
  const judgement = judgeMembers([set(notes({ ada: "founder", b: "boss" }), notes({ b: "boss" }), marks)]);
  expect(memberEffects(judgement)[0]!.text).toBe("1 of 2 members loses access to org_1: ada.");
  expect(JSON.stringify(judgement.changes)).not.toContain("founder");
});

test("does not show names of people that the plan hides", () => {
  const marks = { beforeSensitive: { members: true }, afterSensitive: { members: true } };
  const directory = { people: new Map([["ada", { name: "Ada Lovelace" }]]) };
  const judgement = judgeMembers([set({ members: ["ada", "b"] }, { members: ["b"] }, marks)], undefined, directory);
  const shown = [judgement.changes, memberEffects(judgement)];
  expect(JSON.stringify(shown)).not.toMatch(/ada|lovelace/i);
});
