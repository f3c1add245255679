/** Words the differences between the meanings of two changes. */
import type { EffectDifference } from "../../access/access";
import { instantWords } from "../../text/instant";
import { clipped } from "../clipped";
import { requestWords } from "../network-acl/witness";
import { limitWords } from "../rate-limit-policy/limit";
import type { MeantEnd } from "./ends";
import type { MeantKey, MeantLimit, MeantMembers } from "./meaning";
import type { Both, MeaningComparison } from "./same";

/** How to name the two changes: "Approved" and "Now". */
export interface Names {
  readonly one: string;
  readonly other: string;
}

const none: ReadonlySet<string> = new Set();

/** One line for each difference. */
export function differenceLines(found: MeaningComparison, names: Names): string[] {
  return [
    ...found.requests.map((each) => requestLine(each, names, outcomeWords)),
    ...found.records.map((each) => requestLine(each, names, recordWords)),
    ...found.limits.map((each) => line(limitTitle(each), each, names, limitSides)),
    ...found.members.map((each) => line(memberTitle(each), each, names, memberSides)),
    ...found.keys.map((each) => line(keyTitle(each), each, names, keySides)),
    ...found.ends.map((each) => endLine(each, names)),
    ...found.unknown.map((what) => `Not known: ${what}.`),
  ];
}

function endLine(both: Both<MeantEnd>, names: Names): string {
  const side = (end: MeantEnd | undefined) =>
    end ? `ends on ${instantWords(end.end)}` : "has no end or is not in force";
  return `${clipped(own(both).what, 200)}. ${names.one}: ${side(both.one)}. ${names.other}: ${side(both.other)}.`;
}

type Side = EffectDifference["one"];

function requestLine({ witness, one, other }: EffectDifference, names: Names, words: (side: Side) => string): string {
  return `A request such as ${requestWords(witness, none)}. ${names.one}: ${words(one)}. ${names.other}: ${words(other)}.`;
}

function outcomeWords({ before, after }: Side): string {
  const [was, is] = [before, after].map(resultWords);
  return was === is ? `stays ${was}` : `${was} becomes ${is}`;
}

const resultWords = ({ outcome, redirect_uri: uri }: Side["before"]) =>
  uri === undefined ? outcome : `${outcome} to ${clipped(uri, 200)}`;

function recordWords({ before, after }: Side): string {
  const [was, is] = [before, after].map(({ outcome }) => (outcome === "blocked" ? "recorded" : "not recorded"));
  return was === is ? `stays ${was}` : `${was} becomes ${is}`;
}

/** The words of each side; "unchanged" for a side that leaves the object alone. */
function line<T>(title: string, { one, other }: Both<T>, names: Names, words: (side: T) => string): string {
  const side = (own: T | undefined) => (own === undefined ? "unchanged" : words(own));
  return `${title}. ${names.one}: ${side(one)}. ${names.other}: ${side(other)}.`;
}

const own = <T>({ one, other }: Both<T>): T => (one ?? other)!;

const limitTitle = (both: Both<MeantLimit>) => `The limit of ${clipped(own(both).selector)}`;
const limitSides = ({ before, after }: MeantLimit) => {
  const [was, is] = [before, after].map((rate) =>
    rate === null ? "no limit" : limitWords({ ...rate, redirect_uri: rate.redirect_uri ?? "" }),
  );
  return `${was} becomes ${is}`;
};

const memberTitle = (both: Both<MeantMembers>) => `The members of ${clipped(own(both).organization)}`;
const memberSides = ({ gains, loses }: MeantMembers) =>
  [
    ...(gains.length > 0 ? [`gains ${peopleWords(gains)}`] : []),
    ...(loses.length > 0 ? [`loses ${peopleWords(loses)}`] : []),
  ].join(" and ");

const mostNamed = 5;

function peopleWords(ids: readonly string[]): string {
  const rest = ids.length - mostNamed;
  return [...ids.slice(0, mostNamed).map((id) => clipped(id)), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

const keyTitle = (both: Both<MeantKey>) => `The key ${JSON.stringify(clipped(own(both).name))}`;
function keySides({ before, after }: MeantKey): string {
  if (!before) return "is created";
  return after ? "gets other material" : "is destroyed";
}
