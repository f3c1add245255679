/** Words the changes of members for the people that they affect. */
import { hidden } from "../hidden";
import type { Cause, Effect } from "../verdict/effect";
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

const common = { kind: "members", apis: [], examples: [] } as const;

function lossEffect({ leaving, of, isWhole, finding, about }: Loss): Effect {
  const { fates, basis } = about;
  const place = about.words;
  const isOne = leaving.length === 1;
  const count = isWhole
    ? leaving.length === of && !isOne
      ? `All ${membersWord(of)}`
      : `${numberWord(leaving.length)} of ${membersWord(of)}`
    : `${membersWord(leaving.length)} (the number of all members is not known)`;
  const isEmptied = finding.code === "TNF-MEMBERS-EMPTIED";
  const end = isEmptied ? ", so nobody is left" : "";
  const words = `${count} ${isOne ? "loses" : "lose"} access to ${place}${end}`;
  const causes = [...fates]
    .filter(([, { certain }]) => certain.length > 0)
    .toSorted(([, one], [, other]) => other.certain.length - one.certain.length);
  return {
    ...common,
    level: finding.level,
    share: isWhole ? { value: leaving.length / of, of: `members of ${place}`, basis } : null,
    who: whoOf(about, leaving),
    text: `${words}${namesOf(about, leaving)}.`,
    brief: `${words}.`,
    cause: causes.map(([set]) => causeOf(set)),
    certainty: "certain",
    assumptions: [],
  };
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
    {
      ...common,
      level: isCertain ? "low" : "info",
      share: null,
      who: whoOf(about, joins),
      text: `${words}${namesOf(about, joins)}.`,
      brief: `${words}.`,
      cause: listing.map(causeOf),
      certainty: isCertain ? "certain" : "possible",
      assumptions,
    },
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

function possibleEffects({ atMost, mayGain, reasons, finding, about, set }: PossibleLoss): Effect[] {
  const { all, basis } = about;
  const place = about.words;
  const effect = (level: Effect["level"], who: string, text: string): Effect => ({
    ...common,
    level,
    share: null,
    who,
    text: `${text}: ${shortReason(reasons)}.`,
    cause: [causeOf(set)],
    certainty: "possible",
    assumptions: reasons,
  });
  const whole = all && atMost !== null && atMost <= all.size ? all.size : undefined;
  const most = whole === undefined ? membersWord(atMost ?? 0) : `${numberWord(atMost!)} of ${membersWord(whole)}`;
  const count = atMost === null ? "Any number of members" : `Up to ${most}`;
  const share = atMost && whole ? { value: atMost / whole, of: `members of ${place}`, basis } : null;
  const loss = { ...effect(finding.level, `${count} of ${place}`, `${count} may lose access to ${place}`), share };
  const gain = effect("info", "people who are not known yet", `More members may gain access to ${place}`);
  return [...(atMost === 0 ? [] : [loss]), ...(mayGain ? [gain] : [])];
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
