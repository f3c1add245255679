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
import type { Effect, Facts, Level } from "../effect";
import { aclTemplate } from "./acl";
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
import type { Cause, Change, ChangedAttribute } from "../cause";

/** None for no cause. */
export function causeWords(all: readonly Cause[], most: number): string[] {
  const rest = all.length - most;
  const others = rest > 0 ? `, and ${rest} more ${rest === 1 ? "object changes" : "objects change"}` : "";
  const words = all.slice(0, most).map(({ address, plan, change, file, line }) => {
    const place = file === undefined ? "" : `, ${shortAddress(file)}:${line}`;
    const name = plan === undefined ? "" : ` of ${shortAddress(plan)}`;
    return `${shortAddress(address)}${name} ${oneLine(changeWords(change))}${place}`;
  });
  return words.length === 0 ? [] : [`${words.join("; ")}${others}.`];
}

const mostOfName = 100;

/** Keeps the end of a long address, which names the resource. */
function shortAddress(address: string): string {
  const characters = [...oneLine(address)];
  return characters.length > mostOfName ? `…${characters.slice(1 - mostOfName).join("")}` : characters.join("");
}

const verbs = {
  requests: ["decides", "this request"],
  policy: ["sets", "this limit"],
  members: ["sets", "these members"],
};

export function changeWords(change: Change): string {
  switch (change.kind) {
    case "activated":
      return "is switched on";
    case "deactivated":
      return "is switched off";
    case "forgotten":
      return "is no longer managed";
    case "decides": {
      const [verb, object] = verbs[change.what] as [string, string];
      return change.before ? `decided ${object} before` : `${verb} ${object}`;
    }
    case "changed":
      return changedWords(change);
    default:
      return `is ${change.kind}`;
  }
}

type Changed = Extract<Change, { readonly kind: "changed" }>;

function changedWords(change: Changed): string {
  const [first] = change.attributes;
  const moved = movedBetween(change);
  if (moved) return `moves from priority ${moved[0]} to ${moved[1]}`;
  return first ? attributeWords(first) : "changes";
}

function attributeWords({ path, was, is }: ChangedAttribute): string {
  if (path === "active") return "is switched on or off after apply";
  if (path === "exclusive") return is === true ? "becomes exclusive" : "is no longer exclusive";
  if (path === "organization_id") return "moves to another organization";
  if (path === "rule.action") return was === undefined ? "gets another action" : `changes from ${was} to ${is}`;
  return `changes its ${path}`;
}

/** The priorities between which an ACL moves, if both may be shown. */
function movedBetween(change: Changed): readonly [number, number] | undefined {
  const priority = change.attributes.find(({ path }) => path === "priority");
  return typeof priority?.was === "number" && typeof priority.is === "number" ? [priority.was, priority.is] : undefined;
}

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
