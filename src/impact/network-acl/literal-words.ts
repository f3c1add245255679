/** Words the facts that rules name: a host name, a user agent, a network. How many requests have such a fact is not known. */
import { andWords, orWords } from "../list-words";
import { criteriaOf, flagOf, inOrder, shownEntry, sides } from "../../access/access";
import { clipped } from "../clipped";
import { hidden } from "../hidden";
import type { PlannedAcl } from "./acl";
import type { AclAnalysis } from "./analysis";
import { decider, type OutcomePart } from "./outcome-parts";

const mostEntries = 3;

/** `requests with user agent curl or wget and AS number 64500`: the criteria of the rules that decide before and after each change. */
export function criteriaWords({ changes }: Pick<OutcomePart, "changes">): string[] {
  return changes.map(({ before, after, certainty }) => {
    const acls = [before.acl, after.acl].filter((acl) => acl !== undefined);
    const words = new Set(acls.flatMap((acl) => wordsOf(acl, certainty === "certain")));
    return words.size === 0 ? "requests that no other ACL decides" : `requests with ${andWords(words)}`;
  });
}

/** These blocks together match every address. */
const everywhere = ["0.0.0.0/0", "::/0"];

/** Without a certain change, it matters whether only all signals of `not_match` together exclude a request. */
function wordsOf(acl: PlannedAcl, isSure: boolean): string[] {
  const [matching = [], excluding = []] = sides.map((side) =>
    criteriaOf(acl.rule, side).flatMap(({ signal, properties, texts, entries, isUnknown }) => {
      if (everywhere.every((block) => texts.includes(block))) return [];
      const noun = signal?.noun ?? properties[0]!;
      if (properties.some((name) => acl.secret.has(name))) return `${noun} ${hidden}`;
      const rest = entries.length - mostEntries;
      const all = orWords([
        ...texts.slice(0, mostEntries).map((text) => shownEntry(clipped(text))),
        ...(isUnknown ? ["a value known after apply"] : []),
        ...(rest > 0 ? [`${rest} more`] : []),
      ]);
      return side === "match" ? `${noun} ${all}` : `${noun} other than ${all}`;
    }),
  );
  return [...matching, ...(excluding.length > 1 && !isSure ? [orWords(excluding)] : excluding)];
}

/** `requests that rules name by user agent or hostname`: without entries. */
export function criteriaNouns(parts: readonly OutcomePart[]): string {
  const acls = parts.flatMap((part) => decider(part) ?? []);
  const nouns = new Set(acls.flatMap((acl) => sides.flatMap((side) => literalsOf(acl, side))));
  return nouns.size === 0 ? "some requests" : `requests that rules name by ${orWords(nouns)}`;
}

/** Which named facts exempt requests from the effect: `, except requests with certain user agents`. */
export function exceptionWords(parts: readonly OutcomePart[], { after }: AclAnalysis): string {
  const nouns = new Set<string>();
  for (const part of parts) {
    const last = part.isAfter ? part.cause.after : undefined;
    for (const acl of inOrder(after)) {
      if (acl === last) break;
      const flag = flagOf(acl.rule.action);
      const isOther = flag !== "log" && ends[flag ?? ""] !== part.after;
      if (isOther) for (const noun of literalsOf(acl, "match")) nouns.add(noun);
    }
    if (last) for (const noun of literalsOf(last, "not_match")) nouns.add(noun);
  }
  if (nouns.size === 0) return "";
  return `, except requests ${orWords([...nouns].map(exceptional))}`;
}

function exceptional(noun: string): string {
  const special: Readonly<Record<string, string>> = {
    "curated list": "that are on certain curated lists",
    "signature's key": "with certain signatures",
  };
  return special[noun] ?? `with certain ${noun}s`;
}

/** The address blocks that the rules of the causes name. */
export function namedBlocks(parts: readonly Pick<OutcomePart, "cause">[]): string[] {
  const rules = parts.flatMap(({ cause }) => [cause.before, cause.after].flatMap((acl) => acl?.rule ?? []));
  return rules.flatMap((rule) =>
    sides.flatMap((side) =>
      criteriaOf(rule, side).flatMap(({ properties, texts }) => (properties[0]!.endsWith("cidrs") ? texts : [])),
    ),
  );
}

const ends: Readonly<Record<string, string>> = { allow: "allowed", block: "blocked", redirect: "redirected" };

function literalsOf({ rule }: PlannedAcl, side: (typeof sides)[number]): string[] {
  return criteriaOf(rule, side).flatMap(({ signal, properties }) =>
    /cidrs$|country_codes$/.test(properties[0]!) ? [] : (signal?.noun ?? properties[0]!),
  );
}

/** Whether the deciding rule matches by the property. */
export function matchesBy(part: OutcomePart, property: string): boolean {
  const acl = decider(part);
  return acl !== undefined && criteriaOf(acl.rule, "match").some(({ properties }) => properties.includes(property));
}
