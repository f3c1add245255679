/** The words of effects by the table of other Auth0 resources. */
import { oneLine } from "../../../formats/text/printable";
import type { RowFacts, RuleSide, RulesFacts, UnreviewedFacts } from "../auth0/facts";
import { amount, andWords, clipped, hidden, listed } from "../../../formats/text/lists";
import type { Effect } from "../effect";
import type { Touched } from "../objects/facts";
import { grouped } from "../model";
import { assumptionWords } from "./assumption";
import type { Beside, Template } from "./template";

/** A line that begins with them still has room for its verb. */
const mostNamed = 4;
const mostOfName = 100;

const shown = (words: readonly string[], most: number) => listed(words, most).map((one) => oneLine(one));
const joined = (words: readonly string[], most = mostNamed) => andWords(shown(words, most));

/** A text has its verbs in the singular, because the words for a placeholder are usually one. */
const plurals: Readonly<Record<string, string>> = {
  is: "are",
  was: "were",
  has: "have",
  does: "do",
  belongs: "belong",
  changes: "change",
  demands: "demand",
  disappears: "disappear",
  gets: "get",
  gives: "give",
  loads: "load",
  loses: "lose",
  matches: "match",
  reads: "read",
  runs: "run",
  sends: "send",
  stops: "stop",
  works: "work",
};
/** `{path} of {name} changes`, `{removed} no longer runs`, not `the value of {path} is` */
const subjects = new RegExp(
  `(?<!\\b(?:at|by|for|from|in|of|on|through|to|with) )\\{(\\w+)\\}((?: (?:of|in) (?:the \\w+ )?\\{\\w+\\})*(?: no longer| also)? )(${Object.keys(plurals).join("|")})\\b`,
  "g",
);

const address = (text: string) => clipped(oneLine(text), mostOfName);

function sentence({ text, values, along }: RowFacts, { assumptions }: Beside): string {
  // First, because a long line is cut at its end.
  const lead = assumptions.length === 0 ? "" : `Possible, if ${andWords(assumptions.map(assumptionWords))}: `;
  const agreeing = text
    .replace(subjects, (whole, name: string, between: string, verb: string) =>
      (values[name]?.length ?? 0) > 1 ? `{${name}}${between}${plurals[verb]}` : whole,
    )
    // `(sensitive)` has its own parentheses.
    .replace(/\((\{(\w+)\})\)/g, (whole, own: string, name: string) => (values[name]?.join() === hidden ? own : whole));
  const filled = agreeing.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const words = values[name];
    return words === undefined ? whole : joined(words);
  });
  return along.length === 0 ? lead + filled : `${lead}${filled} With it: ${joined(along.map(address), 5)}.`;
}

export const row: Template<RowFacts> = { sentence };

const side = (one: RuleSide | undefined) =>
  one === undefined ? "no row" : `${one.level} "${clipped(oneLine(one.text), 2 * mostOfName)}"`;

export const rules: Template<RulesFacts> = {
  sentence: ({ file, change, row: key, was, is }) => {
    const what = `${address(file)} ${change === "refused" ? "has a row that would lower this review" : `${rulesVerbs[change]} a row`}`;
    return `${what}: ${address(key)}: ${side(was)} -> ${side(is)}.${change === "refused" ? " No base branch has this row, so it is not applied." : ""}`;
  },
};

const rulesVerbs = { added: "adds", changed: "changes", removed: "removes" };

const verbs = {
  create: "created",
  destroy: "destroyed",
  replace: "replaced",
  update: "",
  run: "runs programs",
  unknown: "in a way that this version does not know",
};

/** `auth0_pages.p (login.html)`, `auth0_flow.f (destroyed)`, `auth0_branding.b (created: colors)` */
function objectWords(name: string, how: string, paths: readonly string[]): string {
  const parts = [how, paths.length === 0 ? "" : joined(paths.map(address), mostPaths)].filter((part) => part !== "");
  return parts.length === 0 ? address(name) : `${address(name)} (${parts.join(": ")})`;
}

const mostPaths = 5;
const mostObjects = 5;

type Unjudged = Pick<Effect, "facts"> & Partial<Pick<Effect, "subject">>;

const factsOf = ({ facts }: Unjudged) => facts as UnreviewedFacts;

/** Equal for objects of one type that change alike. */
export const unjudgedKey = (one: Unjudged): string =>
  JSON.stringify([one.subject?.type, factsOf(one).change, factsOf(one).paths]);

/** `auth0_flow.f (destroyed)`, or `3 of auth0_flow (destroyed): auth0_flow.f, auth0_flow.g and auth0_flow.h`. */
function unjudgedGroup(group: readonly Unjudged[]): string[] {
  const { change, paths } = factsOf(group[0]!);
  if (group.length <= mostAlone) return group.map((one) => objectWords(factsOf(one).address, verbs[change], paths));
  const type = group[0]!.subject?.type ?? "";
  const addresses = group.map((one) => factsOf(one).address);
  const names = andWords(listed(addresses, mostObjects).map(address));
  return [`${objectWords(`${amount(group.length)} of ${type}`, verbs[change], paths)}: ${names}`];
}

/** As many objects of one type are named each. */
const mostAlone = 2;

/** `Changed, and not judged: auth0_pages.p (login.html) and auth0_flow.f (destroyed).` */
export function unjudgedWords(effects: readonly Unjudged[]): string {
  const groups = [...grouped(effects, unjudgedKey).values()];
  const words = groups.flatMap(unjudgedGroup);
  const isGrouped = words.length < effects.length;
  return `Changed, and not judged: ${isGrouped ? shown(words, mostObjects).join("; ") : joined(words, mostObjects)}.`;
}

export const objectList = (objects: readonly Touched[]): string =>
  joined(
    objects.map((one) => objectWords(one.address, "", one.change === "changed" ? one.paths : [])),
    mostObjects,
  );

export const unreviewed: Template<UnreviewedFacts> = { sentence: (facts) => unjudgedWords([{ facts }]) };
