/** The words of effects by the table of other Auth0 resources. */
import { oneLine } from "../../text/printable";
import type { RowFacts, RuleSide, RulesFacts, UnreviewedFacts } from "../auth0/facts";
import { andWords, clipped } from "../phrases";
import type { Template } from "./template";

const mostNamed = 10;
const mostOfName = 100;

function listed(words: readonly string[], most = mostNamed): string {
  const rest = words.length - most;
  const shown = words.slice(0, rest === 1 ? most + 1 : most).map((one) => oneLine(one));
  return andWords(rest > 1 ? [...shown, `${rest} more`] : shown);
}

const address = (text: string) => clipped(oneLine(text), mostOfName);

function sentence({ text, values, along }: RowFacts): string {
  const filled = text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const words = values[name];
    return words === undefined ? whole : listed(words);
  });
  return along.length === 0 ? filled : `${filled} With it: ${listed(along.map(address), 5)}.`;
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
  create: "is created",
  destroy: "is destroyed",
  replace: "is replaced",
  update: "is updated",
  unknown: "changes in a way that this version does not know",
};

export const unreviewed: Template<UnreviewedFacts> = {
  sentence: ({ address: own, change, paths }) => {
    const parts = paths.length === 0 ? "" : ` (${listed(paths.map(address))})`;
    return `Not reviewed: ${address(own)} ${verbs[change]}${parts}.`;
  },
};
