/** Words the changes of members for the people that they affect. */
import { hidden } from "../hidden";
import { effect, type Cause, type Effect, type Level } from "../effect";
import type { Organization } from "./changes";
import { fewOf, hidesNames, type Loss, type MemberJudgement, type PossibleLoss } from "./findings";
import { causeWords, type MemberSet } from "./set";

/** For each organization: the certain loss, the gain, and then all that is not known. */
export function memberEffects({ organizations, losses, possibleLosses }: MemberJudgement): Effect[] {
  return organizations.flatMap((about) => [
    ...losses.filter((loss) => loss.about === about).map(lossEffect),
    ...gainEffects(about),
    ...possibleLosses.filter((loss) => loss.about === about).flatMap(possibleEffects),
  ]);
}

function lossEffect({ leaving, of, isWhole, code, level, about }: Loss): Effect {
  const { fates, basis } = about;
  const place = about.words;
  const isOne = leaving.length === 1;
  const count = isWhole
    ? leaving.length === of && !isOne
      ? `All ${membersWord(of)}`
      : `${numberWord(leaving.length)} of ${membersWord(of)}`
    : `${membersWord(leaving.length)} (the number of all members is not known)`;
  const end = code === "TNF-MEMBERS-EMPTIED" ? ", so nobody is left" : "";
  const words = `${count} ${isOne ? "loses" : "lose"} access to ${place}${end}`;
  const causes = [...fates]
    .filter(([, { certain }]) => certain.length > 0)
    .toSorted(([, one], [, other]) => other.certain.length - one.certain.length);
  return effect(code, `${words}${namesOf(about, leaving)}.`, {
    level,
    share: isWhole ? { value: leaving.length / of, of: `members of ${place}`, basis } : null,
    who: whoOf(about, leaving),
    brief: `${words}.`,
    cause: causes.map(([set]) => causeOf(set)),
  });
}

function gainEffects(about: Organization): Effect[] {
  const { id, sets, all, joins } = about;
  if (joins.length === 0) return [];
  const joining = new Set(joins);
  const listing = sets.filter(
    ({ after }) => after && after.organization === id && after.members.some((person) => joining.has(person)),
  );
  const assumptions = [
    ...(id === undefined ? ["the organization is known only after the apply"] : []),
    ...(id !== undefined && all === undefined ? ["whether they are members already is not known"] : []),
    ...(mayBeRemoved(about) ? ["another set may remove them in the same apply"] : []),
  ];
  const isCertain = assumptions.length === 0;
  const verb = isCertain ? (joins.length === 1 ? "gains" : "gain") : "may gain";
  const words = `${membersWord(joins.length)} ${verb} access to ${about.words}`;
  return [
    effect("TNF-MEMBERS-ADDED", `${words}${namesOf(about, joins)}.`, {
      level: isCertain ? "low" : "info",
      who: whoOf(about, joins),
      brief: `${words}.`,
      cause: listing.map(causeOf),
      certainty: isCertain ? "certain" : "possible",
      assumptions,
    }),
  ];
}

/** Whether an exclusive set that the apply changes does not list everyone who joins through other sets. */
function mayBeRemoved({ id, sets, joins }: Organization): boolean {
  return sets.some(({ after, acts }) => {
    if (!acts || !after || after.organization !== id || after.exclusive === false) return false;
    const listed = new Set(after.members);
    return joins.some((person) => !listed.has(person));
  });
}

function possibleEffects({ atMost, mayGain, reasons, level, about, set }: PossibleLoss): Effect[] {
  const { all, basis } = about;
  const place = about.words;
  const possible = (words: string, rest: Partial<Effect>) =>
    effect("TNF-MEMBERS-UNKNOWN", `${words}: ${shortReason(reasons)}.`, {
      cause: [causeOf(set)],
      certainty: "possible",
      assumptions: reasons,
      ...rest,
    });
  const whole = all && atMost !== null && atMost <= all.size ? all.size : undefined;
  const most = whole === undefined ? membersWord(atMost ?? 0) : `${numberWord(atMost!)} of ${membersWord(whole)}`;
  const count = atMost === null ? "Any number of members" : `Up to ${most}`;
  const share = atMost && whole ? { value: atMost / whole, of: `members of ${place}`, basis } : null;
  const loss = { level, who: `${count} of ${place}`, share };
  const gain = { level: "info" as Level, who: "people who are not known yet" };
  return [
    ...(atMost === 0 ? [] : [possible(`${count} may lose access to ${place}`, loss)]),
    ...(mayGain ? [possible(`More members may gain access to ${place}`, gain)] : []),
  ];
}

/** The first reason, up to its hint. */
const shortReason = (reasons: readonly string[]) => reasons[0]!.split(" (")[0]!;

function causeOf(set: MemberSet): Cause {
  const { address, plan } = set;
  return { address, ...(plan !== undefined && { plan }), words: causeWords(set) };
}

const whoOf = (about: Organization, people: readonly string[]) =>
  hidesNames(about) ? `${membersWord(people.length)} ${hidden}` : fewOf(about, people);

/** `: ada, bob`, or the first two of many. */
function namesOf(about: Organization, people: readonly string[]): string {
  if (hidesNames(about)) return people.length === 1 ? " (the name is sensitive)" : " (their names are sensitive)";
  return `: ${fewOf(about, people, people.length > 3 ? 2 : 3)}`;
}

const numberWord = (count: number) => count.toLocaleString("en-US");

const membersWord = (count: number) => `${numberWord(count)} member${count === 1 ? "" : "s"}`;
