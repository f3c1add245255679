/** Member sets: how they are read, and for each change what is lost, gained, or may be, with its level and words. */
import type { PlannedObject, Values } from "../../src/impact/model";
import {
  memberEffects,
  few,
  gainWords,
  judgeMembers,
  lossWords,
  openWords,
} from "../../src/impact/organization-member-set/effects";
import { isWhollyMarked, openAttributes, setFrom, setsIn } from "../../src/impact/organization-member-set/set";
import { members as values, memberSet, type } from "./support/member-sets";

const unknown = Symbol("not known yet");
const people = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `u${index + from}`);
/** `ab?`: the members a and b, and one who is not known yet. */
const m = (ids: string, more?: Values) =>
  values(
    Array.from(ids, (id) => (id === "?" ? unknown : id)),
    more,
  );
const late = (more?: Values) => values(unknown, more);
const set = (before?: Values, after?: Values, more?: Partial<PlannedObject>) => memberSet("set.a", before, after, more);
const other = (before?: Values, after?: Values, more?: Partial<PlannedObject>) =>
  memberSet("set.b", before, after, more);
const shared = { exclusive: false };
const adopts = { remove_existing: true };
const keeps = { on_destroy: "keep" };
const elsewhere = { organization_id: "org_2" };
const nowhere = { organization_id: unknown };
const replaced = { actions: ["delete", "create"] };
const unchanged = { actions: ["no-op"] };
const imported = { actions: ["update"], isImported: true as const };
const secret = (...names: string[]) => {
  const marks = Object.fromEntries(names.map((name) => [name, true]));
  return { beforeSensitive: marks, afterSensitive: marks };
};

/** What is judged of a change in one line, or all of its words. `remote`: the members of org_1, or of several organizations. */
function told(isWorded: boolean, objects: PlannedObject | readonly PlannedObject[], remote?: string | Remote): string {
  const present = remote === undefined ? undefined : typeof remote === "string" ? { org_1: remote } : remote;
  const all = present && new Map(Object.entries(present).map(([id, letters]) => [id, [...letters]]));
  const judgement = judgeMembers([objects].flat(), all);
  const { changes, kept } = judgement;
  const rows = changes.map(({ address, organization_id: id, gains, may_gain, loses, may_lose, before, after }) => {
    const moved = [...gains.map((one) => ` +${one}`), ...loses.map((one) => ` -${one}`)].join("");
    const open = `${may_gain ? " +?" : ""}${may_lose === 0 ? "" : ` -${may_lose ?? "any"}?`}`;
    return `${address} ${id} ${before} to ${after}${moved}${open}`;
  });
  const effects = [...memberEffects(judgement), ...kept].map((one) => {
    const { code, level, certainty, text, address, cause, assumptions, share } = one;
    const causes = cause.map(({ address: changed, words }) => `${changed} ${words}`).join(", ");
    const of = share ? ` ${Math.round(share.value * 100)} %${isWorded ? ` of ${share.basis}` : ""}` : "";
    const words = isWorded ? `: ${text} (${[causes, ...assumptions].join("; ")})` : "";
    return `${code.slice("TNF-MEMBERS-".length)} ${certainty} ${level}${of}${address === "set.a" ? "" : ` ${address}`}${words}`;
  });
  return [...rows, ...effects].join(isWorded ? "\n    " : "; ");
}
type Remote = Record<string, string>;
type Case = readonly [string, PlannedObject | readonly PlannedObject[], (string | Remote)?];

const lines = (cases: readonly Case[]) =>
  `\n${cases.map(([what, ...given]) => `${what}: ${told(false, ...given)}`).join("\n")}\n`;

const leaving = (of: number, count: number) => set(values(people(of)), values(people(of - count, count)));
test.each([
  [100, 0, []],
  [100, 1, ["TNF-MEMBERS-REMOVED low"]],
  [100, 10, ["TNF-MEMBERS-REMOVED low"]],
  [100, 11, ["TNF-MEMBERS-MANY high"]],
  [20, 5, ["TNF-MEMBERS-REMOVED low"]],
  [20, 6, ["TNF-MEMBERS-MANY high"]],
  [4, 1, ["TNF-MEMBERS-REMOVED low"]],
  [3, 1, ["TNF-MEMBERS-MANY medium"]],
  [2, 1, ["TNF-MEMBERS-MANY medium"]],
  [1, 1, ["TNF-MEMBERS-EMPTIED critical"]],
  [30, 30, ["TNF-MEMBERS-EMPTIED critical"]],
])("judges an organization of %d members that loses %d: %j", (of, count, found) => {
  const { losses } = judgeMembers([leaving(of, count)]);
  expect(losses.map(({ code, level }) => `${code} ${level}`)).toEqual(found);
});

test.each<[string, PlannedObject, string]>([
  ["any number", set(undefined, m("", adopts)), "high"],
  ["all", set(m("abc"), late()), "high"],
  ["more than ten", set(values(people(80)), values([...people(69), unknown])), "high"],
  ["more than a quarter", set(values(people(20)), values([...people(14), unknown])), "high"],
  ["ten of many", set(values(people(80)), values([...people(70), unknown])), "low"],
  ["a quarter", set(values(people(20)), values([...people(15), unknown])), "low"],
  ["a few of an unknown number", set(undefined, m("", { ...adopts, max_removals: 4 })), "low"],
])("judges a possible loss of %s members by its largest share", (_what, object, level) => {
  expect(judgeMembers([object]).possibleLosses.map(({ level: own }) => own)).toEqual([level]);
});

test("adds a possible loss to the certain loss of the organization", () => {
  const opens = other(values(people(8, 50), shared), late(shared));
  const levels = [0, 2, 3].map((count) => {
    const drops = set(values(people(count), shared), m("", shared));
    return judgeMembers([drops, opens]).possibleLosses.map(({ level: own }) => own);
  });
  expect(levels).toEqual([["low"], ["low"], ["high"]]);
});

test("one set", () => {
  expect(
    lines([
      ["is unchanged", set(m("abc"), m("abc"), unchanged)],
      ["has another order", set(m("ab"), m("ba"))],
      ["has another setting", set(m("ab"), m("ab", { max_removals: 3 }))],
      ["is forgotten", set(m("ab"), m("ab"), { actions: ["forget"] })],
      ["is destroyed and keeps its members", set(m("ab", keeps))],
      ["is created", set(undefined, m("ab"))],
      ["is created, and somebody is a member", set(undefined, m("abc", shared)), "ab"],
      ["loses some", set(m("abcdefgh"), m("h"), { plan: "eu" })],
      ["loses three of many", set(values(people(80)), values(people(77)))],
      ["loses all, while others join", set(m("ab"), m("x"))],
      ["is destroyed", set(m("abc"))],
      ["is destroyed with the members of older values", set(m("abcdef"), undefined, { deleted: m("ab") })],
      ["of some members is destroyed", set(m("abc", shared))],
      ["of some members is destroyed, of an organization that was read", set(m("a", shared)), "abx"],
      ["of many members is destroyed", set(values(people(11), shared))],
      ["loses one of some members", set(m("ab", shared), m("a", shared))],
      ["loses one of some members, of an organization that was read", set(m("ab", shared), m("a", shared)), "abcdefgh"],
      ["gets somebody new", set(m("", shared), m("a", shared))],
      ["gets somebody new, of an organization that was read", set(m("", shared), m("a", shared)), "bc"],
      ["stops being exclusive", set(m("abc"), m("ab", shared))],
      ["may stop being exclusive", set(m("ab"), m("b", { exclusive: unknown }))],
      [
        "may stop being exclusive, and some members are not listed",
        set(m("ab"), m("b", { exclusive: unknown })),
        "abx",
      ],

      ["of some members may become exclusive", set(m("a", shared), m("", { exclusive: unknown })), "abx"],
      ["becomes exclusive", set(m("a", shared), m("ab")), "abx"],
      ["becomes exclusive with an unknown list", set(m("a", shared), m("?")), "abx"],
      ["adopts", set(undefined, m("a", adopts)), "abx"],
      ["adopts an organization that was not read", set(undefined, m("", { ...adopts, max_removals: 3 }))],
      ["adopts as one of several", set(undefined, m("a", { ...adopts, ...shared })), "abx"],
      ["may adopt", set(undefined, m("a", { remove_existing: unknown })), "abx"],
      ["may be exclusive as it adopts", set(undefined, m("a", { ...adopts, exclusive: unknown })), "abx"],
      ["does not adopt", set(undefined, m("a")), "abx"],
      ["adopts with unknown members", set(undefined, late(adopts))],
      ["is imported", set(undefined, m("a"), imported), "abc"],
      ["is imported, and nothing changes", set(undefined, m("a"), { ...imported, ...unchanged }), "ab"],
      ["is replaced", set(m("ab"), m("b"), replaced)],
      ["is replaced by one that is not exclusive", set(m("ab"), m("b", shared), replaced)],
      [
        "of the Go provider is replaced",
        set(m("ab"), m("b", shared), { ...replaced, type: "auth0_organization_members" }),
      ],

      ["is left behind and created again", set(m("a"), m("b"), { actions: ["forget", "create"], leaves: true })],
      ["is replaced with unknown members", set(m("abc"), m("?"), replaced)],
      ["has unknown members", set(m("abcd"), m("a?"))],
      ["has an unknown list", set(m("ab"), late())],
      ["has an unknown list and max_removals", set(values(people(9)), late({ max_removals: 3 }))],
      [
        "loses one, and may lose others up to max_removals",
        set(m("ab", shared), m("b", { exclusive: unknown, max_removals: 2 })),
        "abcd",
      ],

      ["loses as many as max_removals", set(m("ab", shared), m("b", { exclusive: unknown, max_removals: 1 })), "abcd"],
      ["has unknown notes", set(m("ab"), { ...m(""), members: undefined, members_with_notes: unknown })],
      ["can only add unknown members", set(undefined, late(shared))],
      ["lists more members than the tenant", set(m("abc"), late()), ""],
      ["moves", set(m("ab"), m("b", elsewhere), replaced)],
      ["moves with all members", set(m("a"), m("a", elsewhere), replaced)],
      ["moves and keeps its members", set(m("ab", keeps), m("b", elsewhere), replaced)],
      ["of some members moves", set(m("ab", shared), m("b", elsewhere), replaced)],
      ["moves in place", set(m("a"), m("a", elsewhere))],
      ["moves to an organization that is not known", set(m("abc"), m("n", nowhere), replaced)],
      ["moves to an organization that is not known, and is empty", set(m("abc"), m("", nowhere), replaced)],
      ["may come back", set(m("ab"), m("b", nowhere), replaced)],
      ["of some members may come back as exclusive", set(m("ab", shared), m("b", nowhere), replaced), "abx"],
      ["of some members may come back", set(m("ab", shared), m("b", { ...shared, ...nowhere }), replaced), "abx"],
      ["keeps its members and may come back", set(m("ab", keeps), m("b", nowhere), replaced), "abx"],
      ["adopts an organization that is not known", set(m("abc"), m("b", { ...nowhere, ...adopts }), replaced)],
      ["is created in an organization that is not known", set(undefined, m("a", { ...shared, ...nowhere }))],
      ["is replaced and kept its members when destroyed", set(m("abc", keeps), m("a"), replaced)],
      [
        "of the Go provider gets another member",
        set(
          { organization_id: "org_1", user_id: "a" },
          { organization_id: "org_1", user_id: "b" },
          { ...replaced, type: "auth0_organization_member" },
        ),
      ],

      ["keeps a new list that is not known", set(m("a"), late(shared))],
      ["is sensitive", set(m("abc"), m("cx"), secret("members", "organization_id"))],
      ["is sensitive, with one name", set(m("ab"), m("b"), { beforeSensitive: { members: true } })],
      ["is sensitive, and its members stay", set(m("a"), m("", shared), secret("members"))],
      ["has new sensitive members", set(m("ab"), m("bc"), { afterSensitive: { members: true } })],
    ]),
  ).toMatchInlineSnapshot(`
    "
    is unchanged: set.a org_1 3 to 3
    has another order: set.a org_1 2 to 2
    has another setting: set.a org_1 2 to 2
    is forgotten: set.a org_1 2 to 2
    is destroyed and keeps its members: set.a org_1 2 to 0; REMOVED certain info
    is created: set.a org_1 0 to 2 +a +b; ADDED possible info
    is created, and somebody is a member: set.a org_1 0 to 3 +c; ADDED certain low
    loses some: set.a org_1 8 to 1 -a -b -c -d -e -f -g; MANY certain high 88 %
    loses three of many: set.a org_1 80 to 77 -u77 -u78 -u79; REMOVED certain low 4 %
    loses all, while others join: set.a org_1 2 to 1 +x -a -b; MANY certain high 100 %; ADDED certain low
    is destroyed: set.a org_1 3 to 0 -a -b -c; EMPTIED certain critical 100 %
    is destroyed with the members of older values: set.a org_1 6 to 0 -a -b; MANY certain high 33 %; REMOVED certain info
    of some members is destroyed: set.a org_1 3 to 0 -a -b -c; REMOVED certain low
    of some members is destroyed, of an organization that was read: set.a org_1 1 to 0 -a; MANY certain medium 33 %
    of many members is destroyed: set.a org_1 11 to 0 -u0 -u1 -u10 -u2 -u3 -u4 -u5 -u6 -u7 -u8 -u9; MANY certain high
    loses one of some members: set.a org_1 2 to 1 -b; REMOVED certain low
    loses one of some members, of an organization that was read: set.a org_1 2 to 1 -b; REMOVED certain low 13 %
    gets somebody new: set.a org_1 0 to 1 +a; ADDED possible info
    gets somebody new, of an organization that was read: set.a org_1 0 to 1 +a; ADDED certain low
    stops being exclusive: set.a org_1 3 to 2; REMOVED certain info
    may stop being exclusive: set.a org_1 2 to 1 -1?; UNKNOWN possible medium 50 %
    may stop being exclusive, and some members are not listed: set.a org_1 2 to 1 -1?; UNKNOWN possible medium 33 %
    of some members may become exclusive: set.a org_1 1 to 0 -a -2?; MANY certain medium 33 %; UNKNOWN possible high 67 %
    becomes exclusive: set.a org_1 1 to 2 -x; MANY certain medium 33 %
    becomes exclusive with an unknown list: set.a org_1 1 to null +? -3?; UNKNOWN possible high 100 %; UNKNOWN possible info
    adopts: set.a org_1 0 to 1 -b -x; MANY certain medium 67 %
    adopts an organization that was not read: set.a org_1 0 to 0 -3?; UNKNOWN possible low
    adopts as one of several: set.a org_1 0 to 1
    may adopt: set.a org_1 0 to 1 -2?; UNKNOWN possible medium 67 %
    may be exclusive as it adopts: set.a org_1 0 to 1 -2?; UNKNOWN possible medium 67 %
    does not adopt: set.a org_1 0 to 1
    adopts with unknown members: set.a org_1 0 to null +? -any?; UNKNOWN possible high; UNKNOWN possible info
    is imported: set.a org_1 0 to 1 -2?; UNKNOWN possible medium 67 %
    is imported, and nothing changes: set.a org_1 0 to 1 -1?; UNKNOWN possible medium 50 %
    is replaced: set.a org_1 2 to 1 -a; MANY certain medium 50 %
    is replaced by one that is not exclusive: set.a org_1 2 to 1 -1?; UNKNOWN possible medium 50 %
    of the Go provider is replaced: set.a org_1 2 to 1 -a; MANY certain medium 50 %
    is left behind and created again: set.a org_1 1 to 1 +b -a; MANY certain high 100 %; ADDED certain low
    is replaced with unknown members: set.a org_1 3 to null +? -3?; UNKNOWN possible high 100 %; UNKNOWN possible info
    has unknown members: set.a org_1 4 to null +? -3?; UNKNOWN possible medium 75 %; UNKNOWN possible info
    has an unknown list: set.a org_1 2 to null +? -2?; UNKNOWN possible high 100 %; UNKNOWN possible info
    has an unknown list and max_removals: set.a org_1 9 to null +? -3?; UNKNOWN possible high 33 %; UNKNOWN possible info
    loses one, and may lose others up to max_removals: set.a org_1 2 to 1 -a -1?; REMOVED certain low 25 %; UNKNOWN possible medium 25 %
    loses as many as max_removals: set.a org_1 2 to 1 -a; REMOVED certain low 25 %
    has unknown notes: set.a org_1 2 to null +? -2?; UNKNOWN possible high 100 %; UNKNOWN possible info
    can only add unknown members: set.a org_1 0 to null +?; UNKNOWN possible info
    lists more members than the tenant: set.a org_1 3 to null +? -3?; UNKNOWN possible high; UNKNOWN possible info
    moves: set.a org_1 2 to 0 -a -b; set.a org_2 0 to 1 +b; EMPTIED certain critical 100 %; ADDED possible info
    moves with all members: set.a org_1 1 to 0 -a; set.a org_2 0 to 1 +a; EMPTIED certain critical 100 %; ADDED possible info
    moves and keeps its members: set.a org_1 2 to 0; set.a org_2 0 to 1 +b; ADDED possible info; REMOVED certain info
    of some members moves: set.a org_1 2 to 0 -a -b; set.a org_2 0 to 1 +b; REMOVED certain low; ADDED possible info
    moves in place: set.a org_1 1 to 0 -1?; set.a org_2 0 to 1 +a; UNKNOWN possible high 100 %; ADDED possible info
    moves to an organization that is not known: set.a org_1 3 to 0 -a -b -c; set.a null 0 to null +n +?; MANY certain high 100 %; ADDED possible info; UNKNOWN possible info
    moves to an organization that is not known, and is empty: set.a org_1 3 to 0 -a -b -c; set.a null 0 to null +?; EMPTIED certain critical 100 %; UNKNOWN possible info
    may come back: set.a org_1 2 to 0 -a -1?; set.a null 0 to null +b +?; MANY certain medium 50 %; UNKNOWN possible high 50 %; ADDED possible info; UNKNOWN possible info
    of some members may come back as exclusive: set.a org_1 2 to 0 -a -2?; set.a null 0 to null +b +?; MANY certain medium 33 %; UNKNOWN possible high 67 %; ADDED possible info; UNKNOWN possible info
    of some members may come back: set.a org_1 2 to 0 -a -1?; set.a null 0 to null +b +?; MANY certain medium 33 %; UNKNOWN possible medium 33 %; ADDED possible info; UNKNOWN possible info
    keeps its members and may come back: set.a org_1 2 to 0 -3?; set.a null 0 to null +b +?; UNKNOWN possible high 100 %; ADDED possible info; UNKNOWN possible info
    adopts an organization that is not known: set.a org_1 3 to 0 -a -c -1?; set.a null 0 to null +b +? -any?; MANY certain medium 67 %; UNKNOWN possible high 33 %; ADDED possible info; UNKNOWN possible high; UNKNOWN possible info
    is created in an organization that is not known: set.a null 0 to null +a +?; ADDED possible info; UNKNOWN possible info
    is replaced and kept its members when destroyed: set.a org_1 3 to 1 -b -c; MANY certain medium 67 %
    of the Go provider gets another member: set.a org_1 1 to 1 +b -a; REMOVED certain low; ADDED possible info
    keeps a new list that is not known: set.a org_1 1 to null +?; UNKNOWN possible info
    is sensitive: set.a (sensitive) 3 to 2 +(sensitive) -(sensitive) -(sensitive); MANY certain medium 67 %; ADDED certain low
    is sensitive, with one name: set.a org_1 2 to 1 -(sensitive); MANY certain medium 50 %
    is sensitive, and its members stay: set.a org_1 1 to 0; REMOVED certain info
    has new sensitive members: set.a org_1 2 to 2 +(sensitive) -(sensitive); MANY certain medium 50 %; ADDED certain low
    "
  `);
});

test("several sets", () => {
  const goes = set(m("a", shared), m("", shared));
  const whole = memberSet("set.all", m(""), m(""), unchanged);
  expect(
    lines([
      ["in two organizations", [set(m("a"), late()), other(m("b", elsewhere), late(elsewhere))]],
      ["one adds whom the other removes", [set(m("ab", shared), m("a", shared)), other(m("", shared), m("b", shared))]],
      ["one is new and adds whom the other removes", [goes, other(undefined, m("a", shared))]],
      ["the other had them before", [goes, other(m("a", shared), m("a", shared))]],
      ["the other does nothing", [goes, other(m("", shared), m("a", shared), unchanged)]],
      ["the other adds somebody else", [goes, other(m("", shared), m("b", shared))]],
      [
        "some leave for certain, some perhaps",
        [set(m("abc", shared), m("c", shared)), other(m("", shared), m("a", shared))],
      ],

      ["both remove, the other more", [set(m("ab", shared), m("b", shared)), other(m("cde", shared), m("", shared))]],
      ["the other keeps its members", [other(m("c", shared), m("c", shared)), goes]],
      ["an exclusive one shows all members", [set(undefined, m("", adopts)), other(m("b"), m("b"))]],
      ["a shared one does not", [set(undefined, m("", adopts)), other(m("b", shared), m("b", shared))]],
      [
        "one that becomes exclusive shows all",
        [set(undefined, m("", adopts)), other(m("b", { exclusive: unknown }), m("b"))],
      ],

      [
        "one hides the organization",
        [set(m("a"), m(""), { beforeSensitive: { organization_id: true } }), other(m(""), m(""))],
      ],

      ["one may get members", [goes, other(m("", shared), late(shared))]],
      ["nobody may come back", [goes, whole]],
      ["listed members may come", [goes, whole, other(m(""), m("b", nowhere), replaced)]],
      ["unknown members may come", [goes, whole, other(m(""), late(nowhere), replaced)]],
      ["one removes whom a shared one keeps", [set(m("abc"), m("a")), other(m("c", shared), m("c", shared))]],
      ["a deposed one goes, and another one lists its members", [set(m("abc")), other(m("abc"), m("abc"))]],
      ["both list somebody new", [set(m("a", shared), m("ax", shared)), other(m("b", shared), m("by", shared))], "ab"],
      ["an exclusive one may remove who joins", [set(undefined, m("a", adopts)), other(undefined, m("b", shared))], ""],
      ["an unknown one may remove who joins", [set(undefined, late(adopts)), other(undefined, m("b", shared))], ""],
      ["beside an unchanged one", [set(m("a"), m("a"), unchanged), other(undefined, m("b", shared))]],
      ["beside a destroyed one", [set(m("a")), other(undefined, m("b", shared))]],
      [
        "beside one that moves",
        [set(m("a"), m("a", elsewhere), replaced), other(undefined, m("b", shared))],
        { org_1: "a", org_2: "a" },
      ],

      ["one leaves as the other joins", [set(m("a"), m("b", elsewhere), replaced), other(undefined, m("b", shared))]],
    ]),
  ).toMatchInlineSnapshot(`
    "
    in two organizations: set.a org_1 1 to null +? -1?; set.b org_2 1 to null +? -1?; UNKNOWN possible high 100 %; UNKNOWN possible info; UNKNOWN possible high 100 % set.b; UNKNOWN possible info set.b
    one adds whom the other removes: set.a org_1 2 to 1 -1?; set.b org_1 0 to 1; UNKNOWN possible low
    one is new and adds whom the other removes: set.a org_1 1 to 0 -1?; set.b org_1 0 to 1; UNKNOWN possible low
    the other had them before: set.a org_1 1 to 0 -a; set.b org_1 1 to 1; REMOVED certain low
    the other does nothing: set.a org_1 1 to 0 -a; set.b org_1 0 to 1; REMOVED certain low
    the other adds somebody else: set.a org_1 1 to 0 -a; set.b org_1 0 to 1 +b; REMOVED certain low; ADDED possible info set.b
    some leave for certain, some perhaps: set.a org_1 3 to 1 -b -1?; set.b org_1 0 to 1; REMOVED certain low; UNKNOWN possible low
    both remove, the other more: set.a org_1 2 to 1 -a; set.b org_1 3 to 0 -c -d -e; REMOVED certain low set.b
    the other keeps its members: set.b org_1 1 to 1; set.a org_1 1 to 0 -a; REMOVED certain low
    an exclusive one shows all members: set.a org_1 0 to 0 -b; set.b org_1 1 to 1; EMPTIED certain critical 100 %
    a shared one does not: set.a org_1 0 to 0 -b -any?; set.b org_1 1 to 1; REMOVED certain low; UNKNOWN possible high
    one that becomes exclusive shows all: set.a org_1 0 to 0 -b; set.b org_1 1 to 1; EMPTIED certain critical 100 %
    one hides the organization: set.a (sensitive) 1 to 0 -a; set.b (sensitive) 0 to 0; EMPTIED certain critical 100 %
    one may get members: set.a org_1 1 to 0 -a; set.b org_1 0 to null +?; REMOVED certain low; UNKNOWN possible info set.b
    nobody may come back: set.a org_1 1 to 0 -a; set.all org_1 0 to 0; EMPTIED certain critical 100 %
    listed members may come: set.a org_1 1 to 0 -a; set.all org_1 0 to 0; set.b org_1 0 to 0; set.b null 0 to null +b +?; MANY certain high 100 %; ADDED possible info set.b; UNKNOWN possible info set.b
    unknown members may come: set.a org_1 1 to 0 -a; set.all org_1 0 to 0; set.b org_1 0 to 0; set.b null 0 to null +?; MANY certain high 100 %; UNKNOWN possible info set.b
    one removes whom a shared one keeps: set.a org_1 3 to 1 -b -c; set.b org_1 1 to 1; MANY certain medium 67 %
    a deposed one goes, and another one lists its members: set.a org_1 3 to 0 -a -b -c; set.b org_1 3 to 3; EMPTIED certain critical 100 %
    both list somebody new: set.a org_1 1 to 2 +x; set.b org_1 1 to 2 +y; ADDED certain low
    an exclusive one may remove who joins: set.a org_1 0 to 1 +a; set.b org_1 0 to 1 +b; ADDED possible info
    an unknown one may remove who joins: set.a org_1 0 to null +?; set.b org_1 0 to 1 +b; ADDED possible info set.b; UNKNOWN possible info
    beside an unchanged one: set.a org_1 1 to 1; set.b org_1 0 to 1 +b; ADDED certain low set.b
    beside a destroyed one: set.a org_1 1 to 0 -a; set.b org_1 0 to 1 +b; MANY certain high 100 %; ADDED certain low set.b
    beside one that moves: set.a org_1 1 to 0 -a; set.a org_2 0 to 1; set.b org_1 0 to 1 +b; MANY certain high 100 %; ADDED certain low set.b
    one leaves as the other joins: set.a org_1 1 to 0 -a; set.a org_2 0 to 1 +b; set.b org_1 0 to 1 +b; MANY certain high 100 %; ADDED certain low set.b; ADDED possible info
    "
  `);
});

test("words each effect and effect, with its causes and assumptions", () => {
  const marks = secret("members", "organization_id");
  const cases: Case[] = [
    ["a loss of many", set(m("abcdefgh"), m("h"))],
    ["a loss of all, and a gain", set(m("ab"), m("x"))],
    ["nobody is left", set(m("abc"))],
    ["a loss of some of an unknown number", set(m("abc", shared), m("b", shared))],
    ["a loss that the tenant counts", set(m("ab", shared), m("a", shared)), "abcdefgh"],
    ["members who stay", set(m("ab"), m("", shared))],
    ["a gain that is not certain", set(m("", shared), m("a", shared))],
    ["a gain in an organization that is not known", set(undefined, m("a", { ...shared, ...nowhere }))],
    ["a gain that another set may remove", [set(undefined, m("a", adopts)), other(undefined, m("b", shared))], ""],
    ["a loss of up to some", set(m("abcd"), m("a?"))],
    ["a loss of any number", set(undefined, late({ ...adopts, organization_id: unknown }))],
    ["a loss up to max_removals", set(undefined, m("", { ...adopts, max_removals: 3 }))],
    ["a gain only", set(undefined, late(shared))],
    ["a loss of an imported set", set(undefined, m("a"), imported), "abc"],
    ["a loss of whom another set adds", [set(m("ab", shared), m("a", shared)), other(m("", shared), m("b", shared))]],
    ["more than the tenant lists", set(m("abc"), late()), ""],
    ["sensitive names", set(m("abc"), m("cx"), marks)],
    ["one sensitive name", set(m("ab"), m("b"), { beforeSensitive: { members: true } })],
    ["sensitive members who stay", set(m("a"), m("", shared), secret("members"))],
    ["a set that moves", set(m("ab"), m("b", elsewhere), replaced)],
    ["a set that becomes exclusive", set(m("a", shared), m("ab")), "abx"],
    ["a set that is no longer exclusive", set(m("a"), m("ax", shared)), "a"],
    ["a set that is replaced", set(m("ab"), m("b"), replaced)],
  ];
  const words = cases.map(([what, ...given]) => `${what}:\n    ${told(true, ...given)}`);
  expect(`\n${words.join("\n")}\n`).toMatchInlineSnapshot(`
    "
    a loss of many:
        set.a org_1 8 to 1 -a -b -c -d -e -f -g
        MANY certain high 88 % of the members that the set lists: 7 of 8 members lose access to org_1: a, b and 5 more. (set.a changes)
    a loss of all, and a gain:
        set.a org_1 2 to 1 +x -a -b
        MANY certain high 100 % of the members that the set lists: All 2 members lose access to org_1: a, b. (set.a changes)
        ADDED certain low: 1 member gains access to org_1: x. (set.a changes)
    nobody is left:
        set.a org_1 3 to 0 -a -b -c
        EMPTIED certain critical 100 % of the members that the set lists: All 3 members lose access to org_1, so nobody is left: a, b, c. (set.a is destroyed)
    a loss of some of an unknown number:
        set.a org_1 3 to 1 -a -c
        REMOVED certain low: 2 members (the number of all members is not known) lose access to org_1: a, c. (set.a changes)
    a loss that the tenant counts:
        set.a org_1 2 to 1 -b
        REMOVED certain low 13 % of the members that the tenant lists: 1 of 8 members loses access to org_1: b. (set.a changes)
    members who stay:
        set.a org_1 2 to 0
        REMOVED certain info: 2 members stay in org_1, although set.a no longer lists them: a, b. ()
    a gain that is not certain:
        set.a org_1 0 to 1 +a
        ADDED possible info: 1 member may gain access to org_1: a. (set.a changes; whether they are members already is not known)
    a gain in an organization that is not known:
        set.a null 0 to null +a +?
        ADDED possible info: 1 member may gain access to an organization that is not known yet: a. (set.a is created; the organization is known only after the apply)
        UNKNOWN possible info: More members may gain access to an organization that is not known yet: \`organization_id\` is known only after the apply. (set.a is created; \`organization_id\` is known only after the apply)
    a gain that another set may remove:
        set.a org_1 0 to 1 +a
        set.b org_1 0 to 1 +b
        ADDED possible info: 2 members may gain access to org_1: a, b. (set.a is created, set.b is created; another set may remove them in the same apply)
    a loss of up to some:
        set.a org_1 4 to null +? -3?
        UNKNOWN possible medium 75 % of the members that the set lists: Up to 3 of 4 members may lose access to org_1: \`members\` is known only after the apply. (set.a changes; \`members\` is known only after the apply)
        UNKNOWN possible info: More members may gain access to org_1: \`members\` is known only after the apply. (set.a changes; \`members\` is known only after the apply)
    a loss of any number:
        set.a null 0 to null +? -any?
        UNKNOWN possible high: Any number of members may lose access to an organization that is not known yet: \`organization_id\` and \`members\` are known only after the apply. (set.a is created; \`organization_id\` and \`members\` are known only after the apply; the set removes every member that it does not list, and the number of members is not known (give --tenant, or read data.tenant_organization_members))
        UNKNOWN possible info: More members may gain access to an organization that is not known yet: \`organization_id\` and \`members\` are known only after the apply. (set.a is created; \`organization_id\` and \`members\` are known only after the apply; the set removes every member that it does not list, and the number of members is not known (give --tenant, or read data.tenant_organization_members))
    a loss up to max_removals:
        set.a org_1 0 to 0 -3?
        UNKNOWN possible low: Up to 3 members may lose access to org_1: the set removes every member that it does not list, and the number of members is not known. (set.a is created; the set removes every member that it does not list, and the number of members is not known (give --tenant, or read data.tenant_organization_members))
    a gain only:
        set.a org_1 0 to null +?
        UNKNOWN possible info: More members may gain access to org_1: \`members\` is known only after the apply. (set.a is created; \`members\` is known only after the apply)
    a loss of an imported set:
        set.a org_1 0 to 1 -2?
        UNKNOWN possible medium 67 % of the members that the tenant lists: Up to 2 of 3 members may lose access to org_1: the set is imported, and the plan does not show its members. (set.a is imported; the set is imported, and the plan does not show its members)
    a loss of whom another set adds:
        set.a org_1 2 to 1 -1?
        set.b org_1 0 to 1
        UNKNOWN possible low: Up to 1 member may lose access to org_1: another set adds them in the same apply, and the order is not known. (set.a changes; another set adds them in the same apply, and the order is not known)
    more than the tenant lists:
        set.a org_1 3 to null +? -3?
        UNKNOWN possible high: Up to 3 members may lose access to org_1: \`members\` is known only after the apply. (set.a changes; \`members\` is known only after the apply)
        UNKNOWN possible info: More members may gain access to org_1: \`members\` is known only after the apply. (set.a changes; \`members\` is known only after the apply)
    sensitive names:
        set.a (sensitive) 3 to 2 +(sensitive) -(sensitive) -(sensitive)
        MANY certain medium 67 % of the members that the set lists: 2 of 3 members lose access to (sensitive) (their names are sensitive). (set.a changes)
        ADDED certain low: 1 member gains access to (sensitive) (the name is sensitive). (set.a changes)
    one sensitive name:
        set.a org_1 2 to 1 -(sensitive)
        MANY certain medium 50 % of the members that the set lists: 1 of 2 members loses access to org_1 (the name is sensitive). (set.a changes)
    sensitive members who stay:
        set.a org_1 1 to 0
        REMOVED certain info: 1 member stays in org_1, although set.a no longer lists them. ()
    a set that moves:
        set.a org_1 2 to 0 -a -b
        set.a org_2 0 to 1 +b
        EMPTIED certain critical 100 % of the members that the set lists: All 2 members lose access to org_1, so nobody is left: a, b. (set.a moves to another organization)
        ADDED possible info: 1 member may gain access to org_2: b. (set.a moves to another organization; whether they are members already is not known)
    a set that becomes exclusive:
        set.a org_1 1 to 2 -x
        MANY certain medium 33 % of the members that the tenant lists: 1 of 3 members loses access to org_1: x. (set.a becomes exclusive)
    a set that is no longer exclusive:
        set.a org_1 1 to 2 +x
        ADDED certain low: 1 member gains access to org_1: x. (set.a is no longer exclusive)
    a set that is replaced:
        set.a org_1 2 to 1 -a
        MANY certain medium 50 % of the members that the set lists: 1 of 2 members loses access to org_1: a. (set.a is replaced)
    "
  `);
});

test("an effect has its people, its share and its cause", () => {
  const [loss] = memberEffects(judgeMembers([set(m("abcdefgh"), m("efgh"), { plan: "eu" })]));
  expect(loss).toStrictEqual({
    code: "TNF-MEMBERS-MANY",
    level: "high",
    address: "set.a",
    plan: "eu",
    apis: [],
    share: { value: 0.5, of: "members of org_1", basis: "the members that the set lists" },
    who: "a, b, c, d",
    text: "4 of 8 members lose access to org_1: a, b and 2 more.",
    brief: "4 of 8 members lose access to org_1.",
    cause: [{ address: "set.a", plan: "eu", words: "changes" }],
    certainty: "certain",
    assumptions: [],
    examples: [],
  });
  const [may, join] = memberEffects(judgeMembers([set(m("abcd"), m("a?"))]));
  expect([may!.who, join!.who]).toEqual(["Up to 3 of 4 members of org_1", "people who are not known yet"]);
  const [hidden] = memberEffects(judgeMembers([set(m("abc"), m("c"), secret("members"))]));
  expect(hidden!.who).toBe("2 members (sensitive)");
  const long = people(9).map((id) => `${id}${"x".repeat(300)}`);
  const [shown] = memberEffects(judgeMembers([set(values(long, { organization_id: `org_${"y".repeat(300)}` }))]));
  expect([shown!.text.length < 300, shown!.who!.length < 350]).toEqual([true, true]);
  const [many] = memberEffects(judgeMembers([set(values(people(5000)), values(people(2000)))]));
  expect(many!.text).toMatch(/^3,000 of 5,000 members lose .* and 2,998 more\.$/);
});

test("says how many gain and lose access, names five, and words what is open", () => {
  const change = { gains: ["a"], loses: ["b", "c"], may_gain: false, may_lose: 0 as number | null };
  const row = { address: "", organization_id: "org_1", before: 0, after: 0, ...change };
  const unseen = { ...row, gains: [], loses: [], may_gain: true, may_lose: null };
  expect([gainWords(row), gainWords({ ...row, may_gain: true }), gainWords(unseen)]).toEqual([
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
  expect([few(["c", "b", "a"]), few([..."12345"]), few([..."1234567"])]).toEqual([
    "a, b, c",
    "1, 2, 3, 4, 5",
    "1, 2, 3, 4, 5 and 2 more",
  ]);
  expect([openWords(["members"]), openWords(["members", "exclusive"])]).toEqual([
    "`members` is known only after the apply",
    "`members` and `exclusive` are known only after the apply",
  ]);
});

describe("reads", () => {
  const sideOf = (given: Values, marks?: object, ofType = type) =>
    setFrom(set(undefined, given, { type: ofType, ...(marks && { afterSensitive: marks as never }) })).after!;

  test("the defaults of a set", () => {
    expect(setFrom(set(undefined, m("a")))).toEqual({
      address: "set.a",
      before: undefined,
      after: {
        organization: "org_1",
        isSecretOrganization: false,
        members: ["a"],
        notes: new Map(),
        open: undefined,
        isSecret: false,
        exclusive: true,
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
    expect(setsIn([set(m(""), undefined, { plan: "edge" }), acl])).toMatchObject([{ plan: "edge", isDestroyed: true }]);
    expect(setFrom(set(m("")))).not.toHaveProperty("plan");
  });

  test.each<[string, Values, string[], string | undefined]>([
    ["a list", m("ab"), ["a", "b"], undefined],
    ["a map of notes", values(null, { members_with_notes: { a: "note", b: null } }), ["a", "b"], undefined],
    ["one user", values(undefined, { user_id: "a" }), ["a"], undefined],
    ["an unknown list", late(), [], "members"],
    ["an unknown member", m("a?"), ["a"], "members"],
    ["unknown notes", m("a", { members_with_notes: unknown }), ["a"], "members_with_notes"],
    ["two unknown forms", late({ members_with_notes: unknown }), [], "members"],
    ["a list of an expired member", m("ab", { expired_members: ["a"] }), ["b"], undefined],
    ["a list of no expired member", m("ab", { expired_members: null }), ["a", "b"], undefined],
    ["a list whose ends are not known", m("ab", { expired_members: unknown }), ["a", "b"], "members"],
  ])("members from %s", (_what, given, members, open) => {
    expect(sideOf(given)).toMatchObject({ members, open });
  });

  test.each<[object | true, boolean, boolean]>([
    [{ members: true }, true, false],
    [{ members: [true] }, true, false],
    [{ user_id: true }, true, false],
    [{ expired_members: true }, true, false],
    [{ members_with_notes: true }, true, false],
    [{ members_with_notes: { a: true } }, false, false],
    [[{ members_with_notes: true }], true, false],
    [[{}, { members_with_notes: { a: true } }], false, false],
    [[{}, { members_with_notes: true }], true, false],
    [{ organization_id: true }, false, true],
    [{ exclusive: true }, false, false],
    [true, true, true],
  ])("which parts are sensitive from %j", (marks, isSecret, isSecretOrganization) => {
    expect(sideOf(m("a"), marks as object)).toMatchObject({ isSecret, isSecretOrganization });
  });

  test("whether an attribute is sensitive as a whole", () => {
    const marks = [
      true,
      { expires_at: true },
      [{ expires_at: true }],
      { expires_at: { a: true } },
      false,
      null,
      undefined,
    ];
    const wholly = marks.map((one) => isWhollyMarked(one as never, "expires_at"));
    expect(wholly).toEqual([true, true, true, false, false, false, false]);
  });

  test("flags, limits and notes", () => {
    const open = m("", { exclusive: unknown, remove_existing: unknown, max_removals: unknown });
    expect(sideOf(open)).toMatchObject({ exclusive: undefined, removesExisting: undefined, maxRemovals: undefined });
    const known = m("", { ...shared, ...adopts, max_removals: 3 });
    expect(sideOf(known)).toMatchObject({ exclusive: false, removesExisting: true, maxRemovals: 3 });
    const one = { organization_id: "org_1", user_id: "a", exclusive: true };
    expect(sideOf(one, undefined, "auth0_organization_member").exclusive).toBe(false);
    expect(sideOf({ ...nowhere, members: [] }).organization).toBeUndefined();
    const notes = { a: "lead", b: unknown, c: null, d: "" };
    expect([...sideOf(m("ab", { members_with_notes: notes })).notes]).toEqual([["a", "lead"]]);
    expect([...sideOf(m("ab", { members_with_notes: null })).notes]).toEqual([]);
  });

  test.each<[string, PlannedObject, string[]]>([
    ["nothing of a destroyed set", set(m("a")), []],
    ["nothing of a known set", set(m(""), m("")), []],
    [
      "every unknown attribute of a new set",
      set(undefined, { ...nowhere, members: unknown, exclusive: unknown, remove_existing: unknown }),
      ["organization_id", "members", "exclusive", "remove_existing"],
    ],
    ["no remove_existing of a set that stays", set(m(""), m("", { remove_existing: unknown })), []],
    ["no remove_existing of a replaced set", set(m(""), m("", { remove_existing: unknown }), replaced), []],
    [
      "remove_existing of a set that moves",
      set(m("", elsewhere), m("", { remove_existing: unknown }), replaced),
      ["remove_existing"],
    ],
    ["no remove_existing of a set that moves in place", set(m("", elsewhere), m("", { remove_existing: unknown })), []],
  ])("unknown attributes that affect the outcome: %s", (_what, object, names) => {
    expect(openAttributes(setFrom(object))).toEqual(names);
  });
});
