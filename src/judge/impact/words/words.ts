/**
 * The renderer: it makes the words of an effect, last, from its facts. No other file has sentences about effects, and nobody takes a
 * sentence apart.
 *
 * | function | example |
 * | --- | --- |
 * | `title` | `Requests are newly blocked` |
 * | `sentence` | `Blocks sign-in and tokens for everyone.` |
 * | `brief` | the same without entries of rules and names of people |
 * | `briefLine` | `Blocks sign-in and tokens for everyone. tenant_network_acl.draft is activated, main.tf:41. [TNF-ACL-TIGHTENED]` |
 * | `withCauses` | the sentence and up to three causes |
 *
 * Each kind of facts has one template.
 */
import { rows } from "../../codes/codes";
import { oneLine } from "../../../formats/text/printable";
import { clipped } from "../../../formats/text/lists";
import type { Effect, Level } from "../effect";
import type { Facts } from "../facts";
import { aclTemplate } from "./acl";
import { causeWords } from "./causes";
import { gapWords } from "./gap";
import { logging, outcome } from "./outcome";
import { limitTemplate, ownLimitTemplate } from "./limits";
import { membersTemplate } from "./members";
import {
  collisionTemplate,
  duplicateTemplate,
  featureTemplate,
  keyNumberTemplate,
  keyTemplate,
  objectTemplate,
  sameKeyTemplate,
  unknownKeyTemplate,
} from "./objects";
import { row, rules, unreviewed } from "./row";
import {
  blindTemplate,
  guardTemplate,
  lockoutTemplate,
  statementTemplate,
  unshownTemplate,
  weakenedTemplate,
} from "./statement";
import type { Beside, Template } from "./template";

type Templates = { readonly [K in Facts["kind"]]: Template<Extract<Facts, { readonly kind: K }>> };

const templates: Templates = {
  outcome,
  logging,
  acl: aclTemplate,
  collision: collisionTemplate,
  gap: { sentence: gapWords },
  duplicate: duplicateTemplate,
  features: featureTemplate,
  key: keyTemplate,
  "number of keys": keyNumberTemplate,
  limit: limitTemplate,
  lockout: lockoutTemplate,
  statement: statementTemplate,
  object: objectTemplate,
  members: membersTemplate,
  "own limit": ownLimitTemplate,
  printed: { sentence: ({ text }) => `In the output of \`terraform plan\`: ${text}` },
  row,
  rules,
  "same key": sameKeyTemplate,
  "unknown key": unknownKeyTemplate,
  unreviewed,
  weakened: weakenedTemplate,
  guard: guardTemplate,
  unshown: unshownTemplate,
  blind: blindTemplate,
};

const templateOf = ({ facts }: Effect) => templates[facts.kind] as Template<Facts>;

export const title = ({ code, certainty }: Effect): string =>
  certainty === "certain" ? rows[code].title : `${rows[code].title} (possible)`;

/** The sentence of facts that are no effect: the reason of a refusal. */
export const factWords = (facts: Facts): string => (templates[facts.kind] as Template<Facts>).sentence(facts, noEffect);

const noEffect: Beside = { assumptions: [], cause: [], certainty: "certain" };

export const sentence = (effect: Effect): string => templateOf(effect).sentence(effect.facts, effect);

/** Entries of rules and names of people may be sensitive, and a provider does not know which ones are. */
export const brief = (effect: Effect): string => templateOf(effect).brief?.(effect.facts, effect) ?? sentence(effect);

/** Undefined: the effect is not on people. */
export const who = (effect: Effect): string | undefined => templateOf(effect).who?.(effect.facts);

export type Sign = "✖" | "●" | "○" | "✔";

export function signOf(level: Level): Sign {
  if (level === "critical" || level === "high") return "✖";
  return level === "info" ? "○" : "●";
}

const mostCauses = 3;

/** The sentence as a whole, with the objects that cause the effect. */
export const withCauses = (effect: Effect): string =>
  [sentence(effect), ...causeWords(effect.cause, mostCauses)].join(" ");

export const causesAlone = ({ cause }: Effect): string => `Causes: ${causeWords(cause, mostCauses).join("")}`;

/** On one line of limited length, with the first cause and the code, without entries of rules and names of people. */
export const briefLine = (effect: Effect): string => `${lineWords(effect, brief(effect))} [${effect.code}]`;

/** The line without its code. */
export const lineWords = (effect: Effect, text = sentence(effect)): string =>
  [shortened(text, mostOf(effect)), ...causeWords(effect.cause, 1)].join(" ");

/** Whether the line has the whole sentence. */
export const isWhole = (effect: Effect): boolean => [...sentence(effect)].length <= mostOf(effect);

/** An effect on people has its causes in the same line. */
const mostOf = ({ cause }: Effect) => (cause.length > 0 ? 280 : mostOfLine);
const mostOfLine = 520;

/** Other people write descriptions and addresses. They must not add a line, or hide the end of one. */
export const shortened = (text: string, most = mostOfLine): string => clipped(oneLine(text), most);
