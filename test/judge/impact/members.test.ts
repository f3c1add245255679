/** Member sets: how they are read, and for each change what is lost, gained, or may be, with its level and words. */
import { Session } from "node:inspector/promises";
import { worded as wordsOf } from "./support/worded";
import { isWhollySensitive, type PlannedObject, type Values } from "../../../src/judge/impact/model";
import { judgeMembers } from "../../../src/judge/impact/organization-member-set/effects";
import { few, gainWords, lossWords } from "../../../src/judge/impact/words/members";
import { openAttributes, setFrom, setsIn } from "../../../src/judge/impact/organization-member-set/set";
import { members as values, memberSet, type } from "./support/member-sets";
import { rows } from "./support/table";

const unknown = Symbol("not known yet");
const people = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `u${index + from}`);
const flags: Readonly<Record<string, Values>> = {
  shared: { exclusive: false },
  "exclusive?": { exclusive: unknown },
  adopts: { remove_existing: true },
  "adopts?": { remove_existing: unknown },
  keeps: { on_destroy: "keep" },
  elsewhere: { organization_id: "org_2" },
  nowhere: { organization_id: unknown },
  notes: { members: undefined, members_with_notes: unknown },
};

/** `ab?`: a, b and one who is not known yet. `80`: eighty people. `late`: a list that is not known yet. `-`: no set. */
function side(text: string): Values | undefined {
  const [list = "", ...more] = text.trim().split(" ");
  if (list === "-") return undefined;
  const [, count, open] = /^(\d+)(\??)$/.exec(list) ?? [];
  const named = Array.from(list, (id) => (id === "?" ? unknown : id));
  const ids = count === undefined ? named : [...people(Number(count)), ...(open ? [unknown] : [])];
  const most = more
    .flatMap((flag) => /^most_(\d+)$/.exec(flag)?.[1] ?? [])
    .map((max) => ({ max_removals: Number(max) }));
  return values(list === "late" ? unknown : ids, Object.assign({}, ...more.map((flag) => flags[flag]), ...most));
}
const options: Readonly<Record<string, Partial<PlannedObject>>> = {
  replaced: { actions: ["delete", "create"] },
  unchanged: { actions: ["no-op"] },
  forgotten: { actions: ["forget"] },
  left: { actions: ["forget", "create"], keepsOld: true },
  imported: { actions: ["update"], isImported: true },
  older: { valuesOfDelete: values(["a", "b"]) },
  theirs: { type: "auth0_organization_members" },
  secret: { beforeSensitive: { members: true }, afterSensitive: { members: true } },
  hidden: { beforeSensitive: { members: true, organization_id: true } },
};

const objectsIn = (sets: string) =>
  sets.split(" & ").map((set, index) => {
    const [change, ...names] = set.split(", ");
    const [before, after] = change!.split("->").map(side);
    return memberSet(`set.${"abc"[index]}`, before, after, Object.assign({}, ...names.map((name) => options[name])));
  });

/** `ab shared -> b shared, replaced & - -> a | abc`: two sets, and the members that the tenant has. */
function judged(text: string) {
  const [sets, remote] = text.split(" | ");
  return judgeMembers(
    objectsIn(sets!),
    remote === undefined ? undefined : new Map([["org_1", [...remote.replace("0", "")]]]),
  );
}

const usual = (text: string) => text.replace(/^set\.a /, "").replace(/^org_1 /, "");

/** What each set does, and the code, certainty, level and share of each effect. */
function told(text: string): string {
  const judgement = judged(text);
  const sets = judgement.changes.map((change) => {
    const { address, organization_id: id, gains, may_gain, loses, may_lose, before, after } = change;
    const some = (sign: string, ids: readonly string[]) =>
      ids.length > 8 ? ` ${sign}${ids.length} people` : ids.map((one) => ` ${sign}${one}`).join("");
    const open = `${may_gain ? " +?" : ""}${may_lose === 0 ? "" : ` -${may_lose ?? "any"}?`}`;
    return usual(`${address} ${id} ${before} to ${after}${some("+", gains)}${some("-", loses)}${open}`);
  });
  const effects = [...judgement.effects, ...judgement.kept].map((one) => {
    const { code, level, certainty, address, share } = wordsOf(one);
    const of = share ? ` ${Math.round(share.value * 100)} %` : "";
    return `${code.replace(/^TNF-(MEMBERS-)?/, "")} ${certainty} ${level}${of}${address === "set.a" ? "" : ` ${address}`}`;
  });
  return `${text} => ${[...sets, ...effects].join("; ")}`;
}

test.each(
  rows(`
    100 -> 100 => 100 to 100
    100 -> 99 => 100 to 99 -u99; REMOVED certain low 1 %
    100 -> 90 => 100 to 90 -10 people; REMOVED certain low 10 %
    100 -> 89 => 100 to 89 -11 people; MANY certain high 11 %
    20 -> 15 => 20 to 15 -u15 -u16 -u17 -u18 -u19; REMOVED certain low 25 %
    20 -> 14 => 20 to 14 -u14 -u15 -u16 -u17 -u18 -u19; MANY certain high 30 %
    4 -> 3 => 4 to 3 -u3; REMOVED certain low 25 %
    3 -> 2 => 3 to 2 -u2; MANY certain medium 33 %
    1 -> 0 => 1 to 0 -u0; EMPTIED certain critical 100 %
    80 -> 69? => 80 to null +? -11?; UNKNOWN possible high 14 %; UNKNOWN possible info
    20 -> 15? => 20 to null +? -5?; UNKNOWN possible low 25 %; UNKNOWN possible info
    4 -> 0? => 4 to null +? -4?; UNKNOWN possible high 100 %; UNKNOWN possible info
    - -> 0 adopts => 0 to 0 -any?; UNKNOWN possible high
    - -> 0 adopts most_4 => 0 to 0 -4?; UNKNOWN possible low
    9 -> late most_3 => 9 to null +? -3?; UNKNOWN possible high 33 %; UNKNOWN possible info
    3 shared -> 0 shared & abcdefgh shared -> late shared => 3 to 0 -u0 -u1 -u2; set.b org_1 8 to null +? -8?; REMOVED certain low; UNKNOWN possible high set.b; UNKNOWN possible info set.b
    0 shared -> 0 shared & abcdefgh shared -> late shared => 0 to 0; set.b org_1 8 to null +? -8?; UNKNOWN possible low set.b; UNKNOWN possible info set.b
  `),
)("how many: %s", (row) => {
  expect(told(row.split(" => ")[0]!)).toBe(row);
});

test.each(
  rows(`
    abc -> abc, unchanged => 3 to 3
    ab -> ab, forgotten => 2 to 2
    ab keeps -> - => 2 to 0; REMOVED certain info
    - -> ab => 0 to 2 +a +b; ADDED possible info
    - -> abc shared | ab => 0 to 3 +c; ADDED certain low
    ab -> x => 2 to 1 +x -a -b; EMPTIED certain critical 100 %; ADDED certain low
    abc -> - => 3 to 0 -a -b -c; EMPTIED certain critical 100 %
    abcdef -> -, older => 6 to 0 -a -b; MANY certain high 33 %; REMOVED certain info
    abc shared -> - => 3 to 0 -a -b -c; REMOVED certain low
    a shared -> - | abx => 1 to 0 -a; MANY certain medium 33 %
    11 shared -> - => 11 to 0 -11 people; MANY certain high
    ab shared -> a shared => 2 to 1 -b; REMOVED certain low
    ab shared -> a shared | abcdefgh => 2 to 1 -b; REMOVED certain low 13 %
    0 shared -> a shared => 0 to 1 +a; ADDED possible info
    abc -> ab shared => 3 to 2; REMOVED certain info
    ab -> b exclusive? => 2 to 1 -1?; UNKNOWN possible medium 50 %
    ab -> b exclusive? | abx => 2 to 1 -1?; UNKNOWN possible medium 33 %
    a shared -> 0 exclusive? | abx => 1 to 0 -a -2?; MANY certain medium 33 %; UNKNOWN possible high 67 %
    a shared -> ? | abx => 1 to null +? -3?; UNKNOWN possible high 100 %; UNKNOWN possible info
    - -> a adopts | abx => 0 to 1 -b -x; MANY certain medium 67 %
    - -> a adopts | bx => 0 to 1 +a -b -x; EMPTIED certain critical 100 %; ADDED certain low
    - -> a adopts shared | abx => 0 to 1
    - -> a adopts exclusive? | abx => 0 to 1 -2?; UNKNOWN possible medium 67 %
    - -> a | abx => 0 to 1; OTHER-MEMBERS certain high
    - -> late adopts => 0 to null +? -any?; UNKNOWN possible high; UNKNOWN possible info
    - -> a, imported | abc => 0 to 1 -2?; UNKNOWN possible medium 67 %
    - -> a, imported, unchanged | ab => 0 to 1 -1?; UNKNOWN possible medium 50 %
    ab -> b, replaced => 2 to 1 -a; MANY certain medium 50 %
    ab -> b shared, replaced => 2 to 1 -1?; UNKNOWN possible medium 50 %
    ab -> b shared, replaced, theirs => 2 to 1 -a; MANY certain medium 50 %
    a -> b, left => 1 to 1 +b -a; EMPTIED certain critical 100 %; ADDED certain low
    abc -> ?, replaced => 3 to null +? -3?; UNKNOWN possible high 100 %; UNKNOWN possible info
    abcd -> a? => 4 to null +? -3?; UNKNOWN possible medium 75 %; UNKNOWN possible info
    ab shared -> b exclusive? most_2 | abcd => 2 to 1 -a -1?; REMOVED certain low 25 %; UNKNOWN possible medium 25 %
    ab shared -> b exclusive? most_1 | abcd => 2 to 1 -a; REMOVED certain low 25 %
    ab -> 0 notes => 2 to null +? -2?; UNKNOWN possible high 100 %; UNKNOWN possible info
    - -> late shared => 0 to null +?; UNKNOWN possible info
    abc -> late | 0 => 3 to null +? -3?; UNKNOWN possible high; UNKNOWN possible info
    ab -> b elsewhere, replaced => 2 to 0 -a -b; org_2 0 to 1 +b; EMPTIED certain critical 100 %; ADDED possible info
    ab keeps -> b elsewhere, replaced => 2 to 0; org_2 0 to 1 +b; ADDED possible info; REMOVED certain info
    ab shared -> b elsewhere, replaced => 2 to 0 -a -b; org_2 0 to 1 +b; REMOVED certain low; ADDED possible info
    ab elsewhere -> b adopts, replaced | bxy => org_2 2 to 0 -a -b; 0 to 1 -x -y; EMPTIED certain critical 100 %; MANY certain medium 67 %
    ab elsewhere -> b, replaced | bxy => org_2 2 to 0 -a -b; 0 to 1; EMPTIED certain critical 100 %; OTHER-MEMBERS certain high
    a -> a elsewhere => 1 to 0 -1?; org_2 0 to 1 +a; UNKNOWN possible high 100 %; ADDED possible info
    abc -> n nowhere, replaced => 3 to 0 -a -b -c; null 0 to null +n +?; EMPTIED certain critical 100 %; ADDED possible info; UNKNOWN possible info
    abc -> 0 nowhere, replaced => 3 to 0 -a -b -c; null 0 to null +?; EMPTIED certain critical 100 %; UNKNOWN possible info
    ab -> b nowhere, replaced => 2 to 0 -a -1?; null 0 to null +b +?; MANY certain medium 50 %; UNKNOWN possible high 50 %; ADDED possible info; UNKNOWN possible info
    ab shared -> b nowhere, replaced | abx => 2 to 0 -a -2?; null 0 to null +b +?; MANY certain medium 33 %; UNKNOWN possible high 67 %; ADDED possible info; UNKNOWN possible info
    ab shared -> b shared nowhere, replaced | abx => 2 to 0 -a -1?; null 0 to null +b +?; MANY certain medium 33 %; UNKNOWN possible medium 33 %; ADDED possible info; UNKNOWN possible info
    ab keeps -> b nowhere, replaced | abx => 2 to 0 -3?; null 0 to null +b +?; UNKNOWN possible high 100 %; ADDED possible info; UNKNOWN possible info
    abc -> b nowhere adopts, replaced => 3 to 0 -a -c -1?; null 0 to null +b +? -any?; MANY certain medium 67 %; UNKNOWN possible high 33 %; ADDED possible info; UNKNOWN possible high; UNKNOWN possible info
    - -> a shared nowhere => null 0 to null +a +?; ADDED possible info; UNKNOWN possible info
    abc keeps -> a, replaced => 3 to 1 -b -c; MANY certain medium 67 %
    ab -> bc, secret => 2 to 2 +(sensitive) -(sensitive); MANY certain medium 50 %; ADDED certain low
    abc -> cx, hidden => (sensitive) 3 to 2 +(sensitive) -(sensitive) -(sensitive); MANY certain medium 67 %; ADDED certain low
  `),
)("one set: %s", (row) => {
  expect(told(row.split(" => ")[0]!)).toBe(row);
});

test.each(
  rows(`
    a -> late & b elsewhere -> late elsewhere => 1 to null +? -1?; set.b org_2 1 to null +? -1?; UNKNOWN possible high 100 %; UNKNOWN possible info; UNKNOWN possible high 100 % set.b; UNKNOWN possible info set.b
    ab shared -> a shared & 0 shared -> b shared => 2 to 1; set.b org_1 0 to 1
    a shared -> 0 shared & - -> a shared => 1 to 0; set.b org_1 0 to 1
    a shared -> 0 shared & a shared -> a shared => 1 to 0; set.b org_1 1 to 1
    a shared -> 0 shared & 0 shared -> a shared, unchanged => 1 to 0 -1?; set.b org_1 0 to 1; UNKNOWN possible low
    a shared -> 0 shared & 0 shared -> b shared => 1 to 0 -a; set.b org_1 0 to 1 +b; REMOVED certain low; ADDED possible info set.b
    abc shared -> c shared & 0 shared -> a shared => 3 to 1 -b; set.b org_1 0 to 1; REMOVED certain low
    ab shared -> b shared & cde shared -> 0 shared => 2 to 1 -a; set.b org_1 3 to 0 -c -d -e; REMOVED certain low set.b
    - -> 0 adopts & b -> b => 0 to 0; set.b org_1 1 to 1
    - -> 0 adopts & b shared -> b shared => 0 to 0 -any?; set.b org_1 1 to 1; UNKNOWN possible high
    - -> 0 adopts & b exclusive? -> b => 0 to 0; set.b org_1 1 to 1
    a -> 0, hidden & 0 -> 0 => (sensitive) 1 to 0 -(sensitive); set.b (sensitive) 0 to 0; EMPTIED certain critical 100 %
    a shared -> 0 shared & 0 shared -> late shared => 1 to 0 -a; set.b org_1 0 to null +?; REMOVED certain low; UNKNOWN possible info set.b
    a shared -> 0 shared & 0 -> 0, unchanged => 1 to 0 -a; set.b org_1 0 to 0; EMPTIED certain critical 100 %
    a shared -> 0 shared & 0 -> 0, unchanged & 0 -> b nowhere, replaced => 1 to 0 -a; set.b org_1 0 to 0; set.c org_1 0 to 0; set.c null 0 to null +b +?; EMPTIED certain critical 100 %; ADDED possible info set.c; UNKNOWN possible info set.c
    a shared -> 0 shared & 0 -> 0, unchanged & 0 -> late nowhere, replaced => 1 to 0 -a; set.b org_1 0 to 0; set.c org_1 0 to 0; set.c null 0 to null +?; EMPTIED certain critical 100 %; UNKNOWN possible info set.c
    abc -> a & c shared -> c shared => 3 to 1 -b; set.b org_1 1 to 1; MANY certain medium 33 %
    abc -> - & abc -> abc => 3 to 0; set.b org_1 3 to 3
    a shared -> ax shared & b shared -> by shared | ab => 1 to 2 +x; set.b org_1 1 to 2 +y; ADDED certain low
    - -> a adopts & - -> b shared | 0 => 0 to 1 +a; set.b org_1 0 to 1 +b; ADDED possible info
    - -> late adopts & - -> b shared | 0 => 0 to null +?; set.b org_1 0 to 1 +b; ADDED possible info set.b; UNKNOWN possible info
    a -> a, unchanged & - -> b shared => 1 to 1; set.b org_1 0 to 1 +b; ADDED certain low set.b
    a -> - & - -> b shared => 1 to 0 -a; set.b org_1 0 to 1 +b; EMPTIED certain critical 100 %; ADDED certain low set.b
    a -> b elsewhere, replaced & - -> b shared => 1 to 0 -a; org_2 0 to 1 +b; set.b org_1 0 to 1 +b; EMPTIED certain critical 100 %; ADDED certain low set.b; ADDED possible info
  `),
)("several sets: %s", (row) => {
  expect(told(row.split(" => ")[0]!)).toBe(row);
});

test("the steps grow with the number of sets, and not with its square", async () => {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const steps = async (count: number, organization: (index: number) => string) => {
    const sets = people(count).map((id, index) => {
      const more = { organization_id: organization(index), exclusive: false };
      return memberSet(`set.${id}`, values([id, `${id}x`], more), values([id], more));
    });
    await session.post("Profiler.takePreciseCoverage");
    judgeMembers(sets);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const own = result.filter(({ url }) => url.includes("organization-member-set"));
    return own.flatMap(({ functions }) => functions.map(({ ranges: [first] }) => first!.count)).reduce((a, b) => a + b);
  };
  for (const of of [() => "org_1", (index: number) => `org_${index}`]) {
    const [some, twice] = [await steps(100, of), await steps(200, of)];
    expect(some).toBeGreaterThan(100);
    expect(twice).toBeLessThan(2.1 * some);
  }
  session.disconnect();
});

test("an effect has its people, its share and its cause", () => {
  const set = (before: Values, after?: Values, more?: Partial<PlannedObject>) =>
    judgeMembers([memberSet("set.a", before, after, more)]).effects;
  const [loss] = set(values([..."abcdefgh"]), values([..."efgh"]), { plan: "eu" });
  expect(wordsOf(loss!)).toMatchObject({
    code: "TNF-MEMBERS-MANY",
    level: "high",
    refuses: false,
    address: "set.a",
    plan: "eu",
    apis: [],
    share: { value: 0.5, of: "members of org_1", basis: "the members that the set lists" },
    who: "a, b, c, d",
    text: "4 of 8 members lose access to org_1: a, b and 2 more.",
    brief: "4 of 8 members lose access to org_1.",
    cause: [{ address: "set.a", plan: "eu", change: { kind: "changed" } }],
    certainty: "certain",
    assumptions: [],
    examples: [],
  });
  const [may, join] = judged("abcd -> a?").effects;
  const [hidden] = judged("abc -> c, secret").effects;
  expect([may, join, hidden].map((one) => wordsOf(one!).who)).toEqual([
    "Up to 3 of 4 members of org_1",
    "people who are not known yet",
    "2 members (sensitive)",
  ]);
  const long = people(9).map((id) => `${id}${"x".repeat(300)}`);
  const [shown] = set(values(long, { organization_id: `org_${"y".repeat(300)}` }));
  expect([wordsOf(shown!).text.length < 300, wordsOf(shown!).who!.length < 350]).toEqual([true, true]);
});

test("says how many gain and lose access, names five, and words what is open", () => {
  const change = { gains: ["a"], loses: ["b", "c"], may_gain: false, may_lose: 0 as number | null };
  const row = { address: "", organization_id: "org_1", before: 0, after: 0, ...change };
  const unseen = { ...row, gains: [], loses: [], may_gain: true, may_lose: null };
  expect([row, { ...row, may_gain: true }, unseen].map(gainWords)).toEqual([
    "1 gains access",
    "1 gains access and others may",
    "an unknown number may gain access",
  ]);
  expect(
    [row, { ...row, may_lose: 3 }, { ...row, may_lose: null }, { ...unseen, may_lose: 3 }, unseen].map(lossWords),
  ).toEqual([
    "2 lose access",
    "2 lose access, and up to 3 more may",
    "2 lose access, and any number more may",
    "up to 3 may lose access",
    "any number may lose access",
  ]);
  const named = ["a, b, c", "1, 2, 3, 4, 5", "1, 2, 3, 4, 5, 6", "1, 2, 3, 4, 5 and 2 more"];
  expect(["cba", "12345", "123456", "1234567"].map((ids) => few([...ids], ids.length))).toEqual(named);
});

const sideOf = (given: Values, marks?: object, ofType = type) =>
  setFrom(memberSet("set.a", undefined, given, { type: ofType, ...(marks && { afterSensitive: marks as never }) }))
    .after!;

test("reads the defaults of a set", () => {
  expect(setFrom(memberSet("set.a", undefined, values(["a"])))).toEqual({
    address: "set.a",
    limits: { mayEmpty: false },
    before: undefined,
    after: {
      organization: "org_1",
      isSecretOrganization: false,
      members: ["a"],
      notes: new Map(),
      open: undefined,
      isSecret: false,
      exclusive: true,
      further: 0,
      removesExisting: false,
      maxRemovals: undefined,
    },
    deletes: undefined,
    keeps: false,
    isCreated: true,
    isDestroyed: false,
    defers: true,
    isUnseen: false,
    acts: true,
  });
  const acl = { address: "acl", type: "tenant_network_acl", actions: ["create"] };
  const gone = memberSet("set.a", values([]), undefined, { plan: "edge" });
  expect(setsIn([gone, acl])).toMatchObject([{ plan: "edge", isDestroyed: true }]);
});

test.each<[string, Values, string[], string | undefined]>([
  ["a map of notes", values(null, { members_with_notes: { a: "note", b: null } }), ["a", "b"], undefined],
  ["one user", values(undefined, { user_id: "a" }), ["a"], undefined],
  ["an unknown list", values(unknown), [], "members"],
  ["an unknown member", values(["a", unknown]), ["a"], "members"],
  ["unknown notes", values(["a"], { members_with_notes: unknown }), ["a"], "members_with_notes"],
  ["two unknown forms", values(unknown, { members_with_notes: unknown }), [], "members"],
])("reads members from %s", (_what, given, members, open) => expect(sideOf(given)).toMatchObject({ members, open }));

test.each<[object | true, boolean, boolean]>([
  [{ members: [true] }, true, false],
  [{ user_id: true }, true, false],
  [{ members_with_notes: true }, true, false],
  [{ members_with_notes: { a: true } }, false, false],
  [[{}, { members_with_notes: { a: true } }], false, false],
  [[{}, { members_with_notes: true }], true, false],
  [{ organization_id: true }, false, true],
  [{ exclusive: true }, false, false],
  [true, true, true],
])("which parts are sensitive from %j", (marks, isSecret, isSecretOrganization) => {
  expect(sideOf(values(["a"]), marks as object)).toMatchObject({ isSecret, isSecretOrganization });
});

test.each([[false], [null], [undefined]])("an attribute with the mark %j is not sensitive", (marks) => {
  expect(isWhollySensitive({ marks, names: ["members_with_notes"] })).toBe(false);
});

test("reads flags, limits and notes", () => {
  const open = values([], { exclusive: unknown, remove_existing: unknown, max_removals: unknown });
  expect(sideOf(open)).toMatchObject({ exclusive: undefined, removesExisting: undefined, maxRemovals: undefined });
  const known = values([], { exclusive: false, remove_existing: true, max_removals: 3 });
  expect(sideOf(known)).toMatchObject({ exclusive: false, removesExisting: true, maxRemovals: 3 });
  const one = { organization_id: "org_1", user_id: "a", exclusive: true };
  expect(sideOf(one, undefined, "auth0_organization_member").exclusive).toBe(false);
  const notes = { a: "lead", b: unknown, c: null, d: "" };
  expect([...sideOf(values(["a"], { members_with_notes: notes })).notes]).toEqual([["a", "lead"]]);
});

test.each<[string, string[]]>([
  ["a -> -", []],
  ["0 -> 0", []],
  ["- -> late nowhere exclusive? adopts?", ["organization_id", "members", "exclusive", "remove_existing"]],
  ["0 -> 0 adopts?", []],
  ["0 -> 0 adopts?, replaced", []],
  ["0 elsewhere -> 0 adopts?, replaced", ["remove_existing"]],
  ["0 elsewhere -> 0 adopts?", []],
])("the unknown attributes of %s that affect the outcome", (text, names) => {
  expect(openAttributes(setFrom(objectsIn(text)[0]!))).toEqual(names);
});
