/** Network ACLs that can never match, because one before them in their stack decides every request that they mean. */
import { Annotations, TerraformStack, type TerraformResource } from "cdktf";
import { type Block, covers, parseBlock, scopeCovers } from "../access/access";
import { isList, isObject } from "../cty/value";
import { networkAcl } from "../resources/network-acl/definition";
import { addCheck } from "./checks";
import { described } from "./described";
import { seenWritten, withUnknowns, type Plain } from "./plain";

interface Listed {
  readonly construct: TerraformResource;
  readonly priority: number;
  readonly rule: Plain;
  readonly match: Signals | undefined;
  readonly notMatch: Signals | undefined;
}

const listed = new WeakMap<TerraformStack, TerraformResource[]>();

/** Looks at all ACLs of the construct's stack at synth. What is not known yet decides nothing and is decided by nothing. */
export function warnWhereUnreachable(construct: TerraformResource): void {
  const stack = TerraformStack.of(construct);
  const acls = listed.get(stack) ?? [];
  acls.push(construct);
  if (acls.length > 1) return;
  listed.set(stack, acls);
  const warned = new Set<TerraformResource>();
  addCheck(stack, () => {
    const inOrder = acls.flatMap(inForce).toSorted((a, b) => a.priority - b.priority);
    inOrder.forEach((acl, index) => {
      if (warned.has(acl.construct)) return;
      const earlier = inOrder.slice(0, index).find((one) => one.priority < acl.priority && decides(one, acl));
      if (!earlier) return;
      warned.add(acl.construct);
      Annotations.of(acl.construct).addWarning(
        `This list can never match: ${earlier.construct.node.path} has priority ${earlier.priority} and decides every ` +
          `request that this one, with ${acl.priority}, is about. Put this one before it, narrow the other, or remove one.`,
      );
    });
    return [];
  });
}

function inForce(construct: TerraformResource): Listed[] {
  const isThere = construct.node.scope?.node.tryFindChild(construct.node.id) === construct;
  if (!isThere || construct.count !== undefined || construct.forEach !== undefined) return [];
  const said = withUnknowns(seenWritten(construct)) as Plain | undefined;
  const { priority, active, rule }: Plain = { ...described(networkAcl.config).defaults, ...said };
  if (typeof priority !== "number" || active !== true || !isObject(rule)) return [];
  return [{ construct, priority, rule, match: signalsOf(rule.match), notMatch: signalsOf(rule.not_match) }];
}

/** Whether certainly every request that `later` is about ends at `earlier`. */
function decides(one: Listed, other: Listed): boolean {
  const { match: wide, notMatch: spared } = one;
  const { match: narrow, notMatch: sparedToo } = other;
  // Another provider configuration may be another tenant.
  if (!wide || !narrow || !spared || !sparedToo || one.construct.provider?.alias !== other.construct.provider?.alias) {
    return false;
  }
  const { allow, block, redirect } = isObject(one.rule.action) ? one.rule.action : ({} as Plain);
  if (![allow, block, redirect].includes(true) || !includesScope(one.rule.scope, other.rule.scope)) return false;
  // Of several signals in `not_match` nobody knows whether one suffices: then both must have the same ones.
  const comparable = spared.size === 0 || [...sparedToo.keys()].every((signal) => spared.has(signal));
  return (
    comparable &&
    [...wide].every(([signal, entries]) => includesAll(entries, narrow.get(signal))) &&
    [...spared].every(([signal, entries]) => includesAll(sparedToo.get(signal), entries))
  );
}

const apis = ["management", "authentication", "dynamic_client_registration"] as const;

function includesScope(outer: unknown, inner: unknown): boolean {
  if (typeof outer !== "string" || typeof inner !== "string") return false;
  return apis.every((api) => scopeCovers(inner, api) === "no" || scopeCovers(outer, api) === "yes");
}

interface Entries {
  readonly texts: ReadonlySet<unknown>;
  /** Those that are addresses. */
  readonly blocks: ReadonlyMap<unknown, Block>;
}

type Signals = ReadonlyMap<string, Entries>;

/** Undefined where something is not known yet, or where it is not known what the service makes of it. */
function signalsOf(criteria: unknown): Signals | undefined {
  const signals = new Map<string, unknown[]>();
  if (criteria !== undefined && !isObject(criteria)) return undefined;
  for (const [name, value] of Object.entries(criteria ?? {})) {
    const entries = isObject(value) ? isList(value.keys) && value.keys.map((key) => isObject(key) && key.id) : value;
    if (!isList(entries) || !entries.every((entry) => ["string", "number"].includes(typeof entry))) return undefined;
    // Both families are one signal; of the hosts that connect, nobody knows.
    const signal = name.replace(/ipv[46]_cidrs$/, "addresses");
    if (signal === "connecting_addresses" && signals.has(signal)) return undefined;
    signals.set(signal, [...(signals.get(signal) ?? []), ...entries]);
  }
  return new Map([...signals].map(([signal, entries]) => [signal, readEntries(signal, entries)]));
}

function readEntries(signal: string, entries: readonly unknown[]): Entries {
  const parsed = signal.endsWith("addresses")
    ? entries.map((entry) => [entry, parseBlock(String(entry))] as const)
    : [];
  return { texts: new Set(entries), blocks: new Map(parsed.filter((pair): pair is [unknown, Block] => !!pair[1])) };
}

function includesAll(outer: Entries | undefined, inner: Entries | undefined): boolean {
  if (!outer || !inner) return false;
  return [...inner.texts].every((entry) => {
    const block = inner.blocks.get(entry);
    return outer.texts.has(entry) || (block !== undefined && covers([...outer.blocks.values()], block));
  });
}
