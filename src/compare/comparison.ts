/**
 * Compares two sides: one object of both is a change from the first side to the second, which the judges of reviews judge. Objects are
 * paired by what a tenant has only once: the priority of an ACL, the callers of a policy, the organization of a member set, the name of a
 * key. Two sides are equal if no request, limit, member or key differs, so an ACL that decides nothing makes no difference.
 */
import { analyseAcls } from "../impact/network-acl/analysis";
import { aclVersions } from "../impact/network-acl/acl";
import { aclEffects, logEffects } from "../impact/network-acl/effects";
import { judgedEffects, judgeObjects } from "../impact/objects/judged";
import { counts, effect, inOrder, type Effect } from "../impact/effect";
import { isOnPeople } from "../impact/facts";
import { verdictOf } from "../impact/verdict";
import { verdictParts, type LineParts } from "../impact/words/verdict";
import { sentence } from "../impact/words/words";
import { andWords, clipped } from "../impact/phrases";
import { nothingElse, type PlannedObject, type Values } from "../impact/model";
import { comparable, isMarked, meant } from "../impact/value";
import { unknownIn } from "../access/access";
import { networkAcl } from "../kinds/network-acl";
import { networkAclKey } from "../kinds/network-acl-key";
import { kindOf } from "../kinds/kinds";
import type { Page } from "../review/render/section";
import type { Side, SideObject } from "./side";

export interface Comparison {
  readonly verdict: "equal" | "different" | "not known";
  readonly one: string;
  readonly other: string;
  /** The parts that are not known, in clauses without a verb. */
  readonly unknown: readonly string[];
  /** What the second side does otherwise than the first. */
  readonly effects: readonly Effect[];
  /** Label of each object that differs -> how, in words. */
  readonly objects: readonly (readonly [label: string, how: string])[];
}

export function compareSides(one: Side, other: Side): Comparison {
  const unread = new Set([...one.unread, ...other.unread]);
  const [first, second] = [one, other].map((side) => prepared(side).filter(({ kind }) => !unread.has(kind))) as [
    SideObject[],
    SideObject[],
  ];
  const open = [...first, ...second].flatMap(openParts);
  const isKnown = (object: SideObject) => openParts(object).length === 0;
  const pairs = pairsOf(first.filter(isKnown), second.filter(isKnown));
  const objects = pairs.map(({ object }) => object);
  const acls = analyseAcls(aclVersions([objects.filter(({ type }) => kindOf(type) === networkAcl)], []));
  const judged = [...aclEffects(acls), ...logEffects(acls), ...judgedEffects(judgeObjects(objects, nothingElse))];
  const found = [...judged.filter((each) => isOnPeople(each) && counts(each)), ...keyEffects(pairs, one, other)];
  const blind = [...unread].filter((kind) => kind.actsThrough === undefined || namesKeys([...first, ...second]));
  const unknown = [
    ...one.unknown,
    ...other.unknown,
    ...new Set(open),
    ...blind.map(({ plural }) => `${plural}, which a token must not read`),
    ...(acls.proven ? [] : ["some requests, because comparing them depends on what is not known or takes too long"]),
  ];
  const effects = inOrder(
    found.map((each): Effect => ({ ...each, cause: [], certainty: unknown.length > 0 ? "possible" : each.certainty })),
  );
  const verdict = unknown.length > 0 ? "not known" : effects.length > 0 ? "different" : "equal";
  const differing = pairs.filter(({ isSame }) => !isSame);
  return {
    verdict,
    one: one.name,
    other: other.name,
    unknown,
    effects,
    objects: differing.map(({ object: { address, before, after } }) => {
      const where = before && after ? "differs" : `only in ${before ? one.name : other.name}`;
      return [address, where] as const;
    }),
  };
}

/** In a form for people. */
export function pageOf({ verdict, one, other, unknown, effects, objects }: Comparison): Page {
  const rest = unknown.length > 5 ? ", and more" : "";
  const gap = unknown.length === 0 ? undefined : `Not known: ${andWords(unknown.slice(0, 5))}${rest}.`;
  const quiet = `No difference was found, and ${one} and ${other} are not proven equal. ${gap ?? ""}`.trim();
  const equal = `${one} and ${other} are equal: no request, limit, member or key differs.`;
  const nothing: LineParts = verdict === "equal" ? { sign: "✔", words: equal } : { sign: "○", words: quiet };
  const summary = effects.length === 0 ? [nothing] : verdictParts(verdictOf(effects, { unread: gap }));
  return {
    name: other,
    title: `${other} compared with ${one}`,
    summary,
    open:
      objects.length > 0 ? [{ title: "Objects", isOpen: true, rows: objects.map(([label, how]) => [label, how]) }] : [],
    effects: effects.map((each) => ({ effect: each, words: sentence(each) })),
    effectsTitle: `What ${other} does otherwise`,
    closed: [],
    old: [],
  };
}

/** The attributes that decide and are not known, in clauses without a verb. */
function openParts({ kind, label, values, organization }: SideObject): string[] {
  const isOpen = (name: string) => unknownIn(values[name]) !== undefined;
  const names = [
    ...new Set([...kind.uniqueKey, ...(kind.deciding ?? []), ...(kind.list ? [kind.list.attribute] : [])]),
  ];
  const settled = (name: string) => name === "organization_id" && organization !== undefined;
  return names.filter((name) => isOpen(name) && !settled(name)).map((name) => `${name} of ${label}`);
}

/** A rule has the names of its keys: each tenant gives them other ids. */
function prepared({ objects }: Side): SideObject[] {
  const keys = new Map<unknown, string>(
    objects.flatMap(({ kind, values: { id, name } }) =>
      kind === networkAclKey && id !== undefined ? [[id, `key ${String(name)}`] as const] : [],
    ),
  );
  return objects.map((object) => {
    const { kind, values } = object;
    return kind === networkAcl ? { ...object, values: { ...values, rule: renamed(values["rule"], keys) } } : object;
  });
}

function renamed(value: unknown, ids: ReadonlyMap<unknown, string>): unknown {
  if (Array.isArray(value)) return value.map((part) => renamed(part, ids));
  if (typeof value !== "object" || value === null) return ids.get(value) ?? value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, renamed(part, ids)]));
}

interface Pair {
  /** `before`: of the first side. */
  readonly object: PlannedObject;
  readonly isSame: boolean;
}

function pairsOf(first: readonly SideObject[], second: readonly SideObject[]): Pair[] {
  const left = new Set(second);
  const take = (object: SideObject, keyOf: (one: SideObject) => string) => {
    const key = keyOf(object);
    const isOne = (one: SideObject) => (object.kind.list ? isSameOrganization(object, one) : keyOf(one) === key);
    const found = [...left].find((one) => one.kind === object.kind && isOne(one));
    if (found) left.delete(found);
    return found;
  };
  // Equal objects first: several ACLs may have one priority.
  const same = new Map(first.map((object) => [object, take(object, contentOf)]));
  const all = first.map((object) => [object, same.get(object) ?? take(object, keyOf)] as const);
  const pairs = [
    ...all.map(([one, other]) => pairOf(one, other)),
    ...[...left].map((other) => pairOf(undefined, other)),
  ];
  const seen = new Map<string, number>();
  // A tenant may give several objects one name.
  return pairs.map((pair) => {
    const { address } = pair.object;
    const count = (seen.get(address) ?? 0) + 1;
    seen.set(address, count);
    return count === 1 ? pair : { ...pair, object: { ...pair.object, address: `${address} (${count})` } };
  });
}

/** Two names tell two organizations apart, whatever their ids are. */
const isSameOrganization = (one: SideObject, other: SideObject) =>
  one.organization !== undefined && other.organization !== undefined
    ? one.organization === other.organization
    : one.values["organization_id"] === other.values["organization_id"];

const written = ({ kind, values }: SideObject): Values =>
  Object.fromEntries(kind.attributes.map((name) => [name, values[name]]));
/** Each tenant gives an organization another id. */
const contentOf = (object: SideObject) => {
  const { kind, values } = object;
  if (!kind.list) return comparable(meant(written(object)) ?? null);
  const members: unknown = values[kind.list.attribute];
  return comparable(Array.isArray(members) ? members.toSorted() : (members ?? null));
};
const keyOf = ({ kind, values }: SideObject) =>
  comparable(meant(kind.uniqueKey.map((name) => values[name] ?? (name === "priority" ? 50 : null))) ?? null);

function pairOf(one: SideObject | undefined, other: SideObject | undefined): Pair {
  const { label, type } = (other ?? one)!;
  const isSame = one !== undefined && other !== undefined && contentOf(one) === contentOf(other);
  const organization = one?.organization ?? other?.organization ?? (other ?? one)!.values["organization_id"];
  // Each tenant gives an object another id.
  const own = ({ kind, values }: SideObject): Values =>
    kind.list ? { ...values, organization_id: organization, exclusive: true } : { ...values, id: undefined };
  return {
    isSame,
    object: {
      address: label,
      type,
      actions: isSame ? ["no-op"] : one === undefined ? ["create"] : other === undefined ? ["delete"] : ["update"],
      ...(one && { before: own(one), beforeSensitive: one.sensitive }),
      ...(other && { after: own(other), afterSensitive: other.sensitive }),
    },
  };
}

const namesKeys = (objects: readonly SideObject[]) =>
  objects.some(
    ({ kind, values }) => kind === networkAcl && comparable(values["rule"]).includes("http_message_signature"),
  );

function keyEffects(pairs: readonly Pair[], one: Side, other: Side): Effect[] {
  const found = pairs.filter(({ object: { type }, isSame }) => !isSame && kindOf(type) === networkAclKey);
  return found.map(({ object: { before, after, beforeSensitive, afterSensitive } }) => {
    const isHidden = isMarked(beforeSensitive, "name") || isMarked(afterSensitive, "name");
    const name = isHidden ? "" : ` ${JSON.stringify(clipped(String((after ?? before)!["name"])))}`;
    const how = before && after ? "differs" : `is only in ${before ? one.name : other.name}`;
    return effect("TNF-KEY-ROTATED", `The key${name} ${how}.`, { who: "signers of requests" });
  });
}
