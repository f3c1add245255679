/** What the change of one network ACL does, in words, and whether it is one that opens or closes more than it seems to. */
import {
  type Acl,
  type Block,
  countAddresses,
  createComparison,
  criteriaOf,
  difference,
  flagOf,
  parseBlock,
  sides,
} from "../../access/access";
import type { Config, State } from "../../sdk/definition";
import { amount, type Effect } from "../effects";
import type { networkAcl } from "./definition";
import { toWire } from "./wire";

type Definition = typeof networkAcl;

const verbs: Readonly<Record<string, readonly [does: string, did: string]>> = {
  block: ["blocks", "blocked"],
  redirect: ["redirects", "redirected"],
  allow: ["allows", "allowed"],
  log: ["records", "recorded"],
};
const stops = new Set(["block", "redirect"]);

export function effectOf(prior: State<Definition>, planned: Config<Definition>): Effect {
  const [before, after] = [toWire(prior) as Acl, toWire(planned) as Acl];
  const [was, is] = [before, after].map(({ rule }) => flagOf(rule.action) ?? "block") as [string, string];
  const [does] = verbs[is]!;
  const signals = signalWords(before, after, does);
  const words = [
    ...(was === is ? [] : [`${does} what it ${verbs[was]![1]}`]),
    ...(before.active === after.active ? [] : [`is switched ${after.active ? "on" : "off"}`]),
    ...(before.rule.action["redirect_uri"] !== after.rule.action["redirect_uri"] && was === is
      ? ["redirects to another URI"]
      : []),
    ...signals.words,
  ];
  const said = words.length > 0 || before.rule.scope !== after.rule.scope || before.priority !== after.priority;
  const inForce = before.active || after.active;
  const ofAction = stops.has(was) !== stops.has(is);
  const ofRule = stops.has(is) && (signals.lost || before.rule.scope !== after.rule.scope || !after.active);
  return {
    title: `Network ACL ${JSON.stringify(planned.description)} (${prior.id})`,
    words: [
      ...(said ? words : ["does what it did"]),
      told("scope", before.rule.scope, after.rule.scope),
      told("priority", before.priority, after.priority),
    ].join(", "),
    dangerous: inForce && (ofAction || ofRule || opens(before, after)),
  };
}

function told(name: string, was: unknown, is: unknown): string {
  return `${name} ${String(is)}${was === is ? "" : ` in place of ${String(was)}`}`;
}

/** Behind the ACL in question, which alone lets anything through. */
const wall: Acl = {
  active: true,
  priority: 101,
  key: "wall",
  rule: { action: { block: true }, match_all: true, scope: "tenant" },
};

/** Whether requests come through by the change, were the ACL the only one, or the only way. */
function opens(before: Acl, after: Acl): boolean {
  if (before.active === after.active && JSON.stringify(before.rule) === JSON.stringify(after.rule)) return false;
  return [[], [wall]].some((others) => {
    const comparison = createComparison([alone(before), ...others], [alone(after), ...others]);
    return difference(comparison, { perPair: 500, inAll: 5_000 }).changes.some(
      (change) => change.after.outcome === "allowed" && change.certainty !== "not decided",
    );
  });
}

/** In its own place, whatever its priority. */
function alone(acl: Acl): Acl {
  return { ...acl, priority: 1, key: "acl" };
}

/** By signal of each side, what the rule asks for more or less; `lost`: it no longer asks for some signal. */
function signalWords(before: Acl, after: Acl, does: string): { readonly words: string[]; readonly lost: boolean } {
  let lost = false;
  const words = sides.flatMap((side) => {
    const [was, is] = [before, after].map(({ rule }) => listsOf(rule, side)) as [Lists, Lists];
    return [...new Set([...was.keys(), ...is.keys()])].flatMap((property) => {
      const [old, now] = [was.get(property), is.get(property)];
      if (!old) return [side === "match" ? `asks for ${property} too` : `makes an exception of ${property}`];
      if (!now) {
        lost = true;
        return [side === "match" ? `no longer asks for ${property}` : `no longer makes an exception of ${property}`];
      }
      const changed = amounts(property, old, now, side === "match");
      return changed.length > 0 ? [`${does} ${changed.join(" and ")}`] : [];
    });
  });
  const [all, allNow] = [before, after].map(({ rule }) => rule.match_all === true);
  if (all === allNow) return { words, lost };
  return { words: [allNow ? "holds for all requests" : "no longer holds for all requests", ...words], lost: true };
}

type Lists = ReadonlyMap<string, readonly string[]>;

function listsOf(rule: Acl["rule"], side: (typeof sides)[number]): Lists {
  return new Map(
    criteriaOf(rule, side).flatMap(({ properties, entries }) =>
      properties.map((property): [string, string[]] => [
        property,
        entries.filter((entry) => entry.property === property).map(({ text }) => text),
      ]),
    ),
  );
}

const nouns: Readonly<Record<string, readonly [string, string]>> = {
  asns: ["AS number", "AS numbers"],
  geo_country_codes: ["country", "countries"],
  geo_subdivision_codes: ["region", "regions"],
  ja3_fingerprints: ["fingerprint", "fingerprints"],
  ja4_fingerprints: ["fingerprint", "fingerprints"],
  user_agents: ["user agent", "user agents"],
  hostnames: ["host name", "host names"],
  auth0_managed: ["curated list", "curated lists"],
  http_message_signature: ["key", "keys"],
};

/** Of what the rule holds for: entries of `not_match` that come are requests less. */
function amounts(property: string, old: readonly string[], now: readonly string[], isMatch: boolean): string[] {
  const [come, gone] = property.endsWith("cidrs") ? addressCounts(property, old, now) : entryCounts(old, now);
  const noun = nouns[property] ?? ["address", "addresses"];
  const named = property.endsWith("ipv6_cidrs") ? (["IPv6 address", "IPv6 addresses"] as const) : noun;
  const host = property.startsWith("connecting_") ? " of connecting hosts" : "";
  return [...amount(isMatch ? come : gone, named, "more"), ...amount(isMatch ? gone : come, named, "less")].map(
    (words) => words + host,
  );
}

function entryCounts(old: readonly string[], now: readonly string[]): [number, number] {
  const count = (these: readonly string[], those: readonly string[]) =>
    these.filter((entry) => !those.includes(entry)).length;
  return [count(now, old), count(old, now)];
}

function addressCounts(property: string, old: readonly string[], now: readonly string[]): [bigint, bigint] {
  const family = property.includes("ipv4") ? 4 : 6;
  const blocks = (texts: readonly string[]) =>
    texts.map(parseBlock).filter((block): block is Block => block !== undefined);
  const both = countAddresses([...blocks(old), ...blocks(now)], family);
  return [both - countAddresses(blocks(old), family), both - countAddresses(blocks(now), family)];
}
