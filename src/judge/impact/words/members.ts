/** Words what happens to the members of an organization. */
import { amount, clipped, counted, hidden } from "../../../formats/text/lists";
import type { MemberFacts, People } from "../organization-member-set/facts";
import type { MemberChange } from "../organization-member-set/changes";
import { assumptionWords } from "./assumption";
import type { Beside, Template } from "./template";

export const membersWord = (count: number): string => counted(count, "member");

/** `3 of 80 members lose access to "Acme" (org_1): Ada, Bob and 1 more.` */
export const membersTemplate: Template<MemberFacts> = {
  sentence: (facts, effect) => `${happening(facts, effect)}${endOf(facts, effect)}.`,
  brief: (facts, effect) => `${happening(facts, effect)}.`,
  who: (facts) => {
    const { loses, gains, stays, others, mayLose, organization } = facts;
    if (stays || others) return undefined;
    const people = loses ?? gains;
    if (people) return people.some.length === 0 ? `${membersWord(people.count)} ${hidden}` : namesOf(people, 5);
    return mayLose === undefined ? "people who are not known yet" : `${countOf(facts)} of ${organization.words}`;
  },
};

function happening(facts: MemberFacts, { certainty, cause: [first] }: Beside): string {
  const { loses, gains, stays, others, refusedBy, mayLose, mayGain, before, after, organization } = facts;
  const place = organization.words;
  if (loses) {
    const isOne = loses.count === 1;
    const most = refusedBy?.most === undefined ? "" : `, and \`max_removals\` is ${refusedBy.most}`;
    const count =
      before === null
        ? `${membersWord(loses.count)} (the number of all members is not known)`
        : loses.count === before && !isOne
          ? `All ${membersWord(before)}`
          : `${amount(loses.count)} of ${membersWord(before)}`;
    return `${count} ${isOne ? "loses" : "lose"} access to ${place}${after === 0 ? ", so nobody is left" : ""}${most}`;
  }
  if (gains) {
    const verb = certainty !== "certain" ? "may gain" : gains.count === 1 ? "gains" : "gain";
    return `${membersWord(gains.count)} ${verb} access to ${place}`;
  }
  if (stays) {
    const set = first
      ? `, although ${first.address} no longer lists ${stays.count === 1 ? "this member" : "them"}`
      : "";
    return `${membersWord(stays.count)} ${stays.count === 1 ? "stays" : "stay"} in ${place}${set}`;
  }
  if (others) {
    const set = first?.address || "the new set";
    return `${place} has ${membersWord(others.count)} that ${set} does not list, and \`remove_existing\` is false`;
  }
  if (mayGain) return `More members may gain access to ${place}`;
  return mayLose === undefined ? "" : `${countOf(facts)} may lose access to ${place}`;
}

/** `Up to 3 of 80 members` */
function countOf({ mayLose = 0, before }: MemberFacts): string {
  if (mayLose === null) return "Any number of members";
  return before === null || mayLose > before
    ? `Up to ${membersWord(mayLose)}`
    : `Up to ${amount(mayLose)} of ${membersWord(before)}`;
}

/** The names of the people, or why the number is not known. */
function endOf({ loses, gains, stays, others }: MemberFacts, { assumptions: [first] }: Beside): string {
  const people = loses ?? gains ?? stays ?? others;
  if (!people) return first ? `: ${assumptionWords(first)}` : "";
  if (people.some.length > 0)
    return `: ${namesOf(people, people.count > 3 && !stays && !others ? 2 : stays || others ? 5 : 3)}`;
  return people.count === 1 ? " (the name is sensitive)" : " (their names are sensitive)";
}

const namesOf = ({ count, some }: People, most: number): string =>
  listed(
    some.map(({ words }) => words),
    count,
    most,
  );

export const few = (ids: readonly string[], count: number): string =>
  listed(
    ids.toSorted().map((id) => clipped(id, 64)),
    count,
    5,
  );

/** `a, b and 3 more` */
function listed(words: readonly string[], count: number, most: number): string {
  // A count of one would take the place of the name.
  const shown = count === most + 1 ? count : most;
  const rest = count - Math.min(shown, words.length);
  return words.slice(0, shown).join(", ") + (rest > 0 ? ` and ${amount(rest)} more` : "");
}

/** `2 gain access`, or how many may. */
export function gainWords({ gains, may_gain: mayGain }: MemberChange): string {
  const some = `${gains.length} ${gains.length === 1 ? "gains" : "gain"} access`;
  if (!mayGain) return some;
  return gains.length > 0 ? `${some} and others may` : "an unknown number may gain access";
}

/** `2 lose access`, or how many may. */
export function lossWords({ loses, may_lose: mayLose }: MemberChange): string {
  const some = `${loses.length} ${loses.length === 1 ? "loses" : "lose"} access`;
  if (mayLose === 0) return some;
  const most = mayLose === null ? "any number" : `up to ${mayLose}`;
  return loses.length > 0 ? `${some}, and ${most} more may` : `${most} may lose access`;
}
