/** Pairs the objects of two sides by unique keys and names, as a plan that turns the first side into the second. */
import { notKnown } from "../access/access";
import type { PlannedObject, Values } from "../impact/model";
import { setFrom } from "../impact/organization-member-set/set";
import { keyOf, policyFrom } from "../impact/rate-limit-policy/policy";
import { canonical, comparable, meant } from "../impact/value";
import { networkAcl } from "../kinds/network-acl";
import { networkAclKey } from "../kinds/network-acl-key";
import { organizationMemberSet } from "../kinds/organization-member-set";
import { rateLimitPolicy } from "../kinds/rate-limit-policy";
import type { Kind } from "../kinds/kind";
import type { Plan, ResourceChange } from "../review/input/plan";
import type { Side, SideObject } from "./side";

interface Pair {
  readonly one?: SideObject;
  readonly other?: SideObject;
}

/** How the member sets of the two sides were paired. */
export type Pairing = "name" | "id" | "address";

export interface Between {
  readonly plan: Plan;
  /** Empty if there are no member sets. */
  readonly organizations: ReadonlySet<Pairing>;
  /** The values that keep objects out of the plan, in clauses without a verb. */
  readonly unknown: readonly string[];
  /** Whether an object without a known identity may be one that the plan has. */
  readonly isPartial: boolean;
}

export function planBetween(one: Side, other: Side): Between {
  const [first, second] = [prepared(one), prepared(other)];
  const pairs = [...identities].flatMap(([kind, keysOf]) => {
    const own = (all: readonly SideObject[]) => all.filter((object) => object.kind === kind);
    return paired(own(first), own(second), keysOf);
  });
  const known = pairs.filter((pair) => openIn(pair).length === 0);
  const settled = known.map((pair) => withOneOrganization(withoutExtras(pair, one, other)));
  const labels = new Set<string>();
  const plan: Plan = {
    format_version: "1.2",
    complete: true,
    resource_changes: settled.map((pair) => changeOf(pair, labels)),
    resource_drift: [],
  };
  return {
    plan,
    organizations: new Set(known.flatMap(pairingOf)),
    unknown: [...new Set(pairs.flatMap(openIn))],
    isPartial: pairs.some((pair) => !(pair.one && pair.other) && hasOpenIdentity((pair.one ?? pair.other)!)),
  };
}

const identifying = ({ deciding, uniqueKey }: Kind) => (deciding ? uniqueKey : []);

const openAmong = ({ values }: SideObject, names: readonly string[] = []) =>
  names.filter((name) => hasSymbol(values[name]));

function hasOpenIdentity(object: SideObject): boolean {
  return object.organization === undefined && openAmong(object, identifying(object.kind)).length > 0;
}

function openIn({ one, other }: Pair): string[] {
  const isPair = one !== undefined && other !== undefined;
  return [one, other].flatMap((object) => {
    if (!object) return [];
    // An unknown organization is no gap if the addresses pair its sets.
    const isSettled = isPair && object.kind.list !== undefined;
    const names = [
      ...(isSettled || !hasOpenIdentity(object) ? [] : openAmong(object, identifying(object.kind))),
      ...openAmong(object, object.kind.deciding),
    ];
    return names.map((name) => `${name} of ${object.label}`);
  });
}

/** A set without a partner could have one with another id. */
function pairingOf({ one, other }: Pair): Pairing[] {
  if (!(one ?? other)!.kind.list) return [];
  const areNamed = [one, other].every((set) => !set || set.organization !== undefined);
  if (areNamed) return ["name"];
  const ids = [one, other].flatMap((set) => (set ? [set.values["organization_id"]] : []));
  return [ids.length < 2 || ids[0] === ids[1] ? "id" : "address"];
}

type Key = (object: SideObject) => string | undefined;

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const valueOf =
  (...names: readonly string[]): Key =>
  ({ values }) =>
    names.every((name) => textOf(values[name]) !== undefined)
      ? names.map((name) => values[name]).join("\n")
      : undefined;
const labelOf: Key = ({ label }) => label;

/** The keys that identify an object of a kind on both sides. The first that fits counts. */
const identities = new Map<Kind, readonly Key[]>([
  [
    networkAcl,
    [
      ({ values }) =>
        comparable([values["description"], values["priority"], values["active"] ?? true, meant(values["rule"])]),
      valueOf("description"),
      ({ values }) => String(values["priority"] ?? 50),
    ],
  ],
  [rateLimitPolicy, [({ values, label }) => keyOf(policyFrom({ address: label }, values))]],
  [networkAclKey, [valueOf("name"), valueOf("name_prefix"), labelOf]],
  [organizationMemberSet, [({ organization }) => organization, valueOf("organization_id"), labelOf]],
]);

/** Two organizations with other names are other ones, even if their ids or addresses are equal. */
const mayBeOne = (one: SideObject, other: SideObject) =>
  one.organization === undefined || other.organization === undefined || one.organization === other.organization;

function paired(one: readonly SideObject[], other: readonly SideObject[], keys: readonly Key[]): Pair[] {
  const [left, right] = [new Set(one), new Set(other)];
  const pairs: Pair[] = [];
  for (const keyOfObject of keys) {
    const byKey = new Map<string, SideObject[]>();
    for (const object of right) {
      const key = keyOfObject(object);
      if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), object]);
    }
    for (const object of left) {
      const rivals = byKey.get(keyOfObject(object) ?? "\0") ?? [];
      const index = rivals.findIndex((rival) => mayBeOne(object, rival));
      if (index < 0) continue;
      const [match] = rivals.splice(index, 1) as [SideObject];
      left.delete(object);
      right.delete(match);
      pairs.push({ one: object, other: match });
    }
  }
  return [
    ...pairs,
    ...[...left].map((object) => ({ one: object })),
    ...[...right].map((object) => ({ other: object })),
  ];
}

/** Attributes that mean nothing for requests. The service computes them. */
const computed: ReadonlySet<string> = new Set(["id", "created_at", "updated_at"]);

/** Without ids, which differ by tenant, and with one set for each organization. */
function prepared({ objects }: Side): SideObject[] {
  const ids = new Map<unknown, string>();
  for (const { kind, values } of objects) {
    const [id, name] = [textOf(values["id"]), textOf(values["name"])];
    if (kind === networkAclKey && id !== undefined && name !== undefined) ids.set(id, `key ${JSON.stringify(name)}`);
  }
  const plain = objects.map((object): SideObject => {
    const values: Values = Object.fromEntries(Object.entries(object.values).filter(([name]) => !computed.has(name)));
    const isAcl = object.kind === networkAcl && ids.size > 0;
    return { ...object, values: isAcl ? { ...values, rule: renamed(values["rule"], ids) } : values };
  });
  const sets = plain.filter(({ kind }) => kind.list);
  return [...plain.filter((object) => !sets.includes(object)), ...joined(sets)];
}

function renamed(value: unknown, ids: ReadonlyMap<unknown, string>): unknown {
  if (Array.isArray(value)) return value.map((part) => renamed(part, ids));
  if (typeof value !== "object" || value === null) return ids.get(value) ?? value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, renamed(part, ids)]));
}

function joined(sets: readonly SideObject[]): SideObject[] {
  const groups = new Map<unknown, SideObject[]>();
  for (const set of sets) {
    const id = set.organization ?? textOf(set.values["organization_id"]) ?? set;
    groups.set(id, [...(groups.get(id) ?? []), set]);
  }
  return [...groups.values()].map((own) => {
    const [first] = own as [SideObject];
    const sides = own.map(({ values }) => setFrom({ ...asPlanned(first), after: values }).after!);
    const open = own.flatMap(({ values }) => [values["members"], values["members_with_notes"]]).find(isSymbol);
    const members = [...new Set(sides.flatMap((side) => side.members))];
    const isOpen = sides.some((side) => side.open !== undefined);
    return {
      ...first,
      values: {
        organization_id: first.values["organization_id"],
        members: isOpen ? (open ?? [...members, Symbol("the unknown members")]) : members,
        exclusive: sides.some((side) => side.exclusive === true)
          ? true
          : sides.some((side) => side.exclusive === undefined)
            ? notKnown("exclusive")
            : false,
      },
      ...(own.some(({ sensitive }) => sensitive !== undefined) && {
        sensitive: own.flatMap(({ sensitive }) => sensitive ?? []),
      }),
    };
  });
}

const hasSymbol = (value: unknown): boolean =>
  isSymbol(value) || (typeof value === "object" && value !== null && Object.values(value).some(hasSymbol));
const isSymbol = (value: unknown): value is symbol => typeof value === "symbol";
const asPlanned = ({ kind, label }: SideObject): PlannedObject => ({
  address: label,
  type: kind.type,
  actions: ["no-op"],
});

/** A set that is not exclusive says nothing about other members of a tenant. */
function withoutExtras(pair: Pair, first: Side, second: Side): Pair {
  const { one, other } = pair;
  if (!one?.kind.list || !other) return pair;
  const within = (object: SideObject, side: Side, partner: SideObject): SideObject => {
    if (!side.isTenant || partner.values["exclusive"] !== false || isSymbol(partner.values["members"])) return object;
    const listed = new Set(partner.values["members"] as readonly unknown[]);
    const members = (object.values["members"] as readonly unknown[]).filter((id) => listed.has(id));
    return { ...object, values: { ...object.values, members } };
  };
  return { one: within(one, first, other), other: within(other, second, one) };
}

/** Each tenant gives an organization another id, so both sides get the name, or the id of the second side. */
function withOneOrganization({ one, other }: Pair): Pair {
  const set = (other ?? one)!;
  if (!set.kind.list) return { ...(one && { one }), ...(other && { other }) };
  const id = one?.organization ?? other?.organization ?? set.values["organization_id"];
  const own = { organization_id: id, ...(one && other && { exclusive: true }) };
  const named = (object: SideObject) => ({ ...object, values: { ...object.values, ...own } });
  return { ...(one && { one: named(one) }), ...(other && { other: named(other) }) };
}

function changeOf({ one, other }: Pair, labels: Set<string>): ResourceChange {
  const { kind, label } = (other ?? one)!;
  let address = label;
  for (let count = 2; labels.has(address); count++) address = `${label} (${count})`;
  labels.add(address);
  const [before, after] = [one, other].map((side) => (side ? side.values : null)) as [Values | null, Values | null];
  const isSame = canonical(comparable(before)) === canonical(comparable(after));
  return {
    address,
    mode: "managed",
    type: kind.type,
    change: {
      actions: isSame ? ["no-op"] : !before ? ["create"] : !after ? ["delete"] : ["update"],
      before,
      after,
      ...(one?.sensitive !== undefined && { before_sensitive: one.sensitive }),
      ...(other?.sensitive !== undefined && { after_sensitive: other.sensitive }),
    },
  };
}
