/** Network ACLs that can never match, because one before them in their stack decides every request that they mean. */
import { Annotations, TerraformStack, type TerraformResource } from "cdktf";
import { covers, parseBlock } from "../access/cidr";
import { scopeHolds } from "../access/request";
import { isList, isObject } from "../cty/value";
import { plainOf, type Plain } from "./plain";

interface Listed {
  readonly construct: TerraformResource;
  readonly priority: number;
  readonly rule: Plain;
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
  stack.node.addValidation({
    validate() {
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
    },
  });
}

function inForce(construct: TerraformResource): Listed[] {
  const isThere = construct.node.scope?.node.tryFindChild(construct.node.id) === construct;
  if (!isThere || construct.count !== undefined || construct.forEach !== undefined) return [];
  const plain = plainOf(construct);
  const { priority = 50, active = true, rule } = plain ?? {};
  return typeof priority === "number" && active === true && isObject(rule) ? [{ construct, priority, rule }] : [];
}

/** Whether certainly every request that `later` is about ends at `earlier`. */
function decides({ rule: earlier, construct: one }: Listed, { rule: later, construct: other }: Listed): boolean {
  // Another provider configuration may be another tenant.
  if (one.provider?.alias !== other.provider?.alias) return false;
  const { allow, block, redirect } = isObject(earlier.action) ? earlier.action : ({} as Plain);
  if (![allow, block, redirect].includes(true) || !includesScope(earlier.scope, later.scope)) return false;
  const wide = signalsOf(earlier.match);
  const narrow = signalsOf(later.match);
  const spared = signalsOf(earlier.not_match);
  const sparedToo = signalsOf(later.not_match);
  if (!wide || !narrow || !spared || !sparedToo) return false;
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
  return apis.every((api) => scopeHolds(inner, api) === "no" || scopeHolds(outer, api) === "yes");
}

type Signals = ReadonlyMap<string, readonly unknown[]>;

/** Undefined where something is not known yet, or where it is not known what the service makes of it. */
function signalsOf(criteria: unknown): Signals | undefined {
  const signals = new Map<string, readonly unknown[]>();
  if (criteria === undefined) return signals;
  if (!isObject(criteria)) return undefined;
  if (criteria.connecting_ipv4_cidrs !== undefined && criteria.connecting_ipv6_cidrs !== undefined) return undefined;
  for (const [name, value] of Object.entries(criteria)) {
    const entries = isObject(value) ? isList(value.keys) && value.keys.map((key) => isObject(key) && key.id) : value;
    if (!isList(entries) || !entries.every((entry) => ["string", "number"].includes(typeof entry))) return undefined;
    // Both families are one signal.
    const signal = name.replace(/ipv[46]_cidrs$/, "addresses");
    signals.set(signal, [...(signals.get(signal) ?? []), ...entries]);
  }
  return signals;
}

function includesAll(outer: readonly unknown[] | undefined, inner: readonly unknown[] | undefined): boolean {
  if (!outer || !inner) return false;
  const blocks = outer.flatMap((entry) => parseBlock(String(entry)) ?? []);
  return inner.every((entry) => {
    const block = parseBlock(String(entry));
    return outer.includes(entry) || (block !== undefined && covers(blocks, block));
  });
}
