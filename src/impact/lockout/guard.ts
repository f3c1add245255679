/** Compares two lock-out guards, and finds the protections that the second one lacks. */
import { canonicalBlock, type Api } from "../../access/access";
import { apisOf, type ProtectedRequest } from "./protected-request";

export interface Guard {
  /** Left out: not known. */
  readonly strength?: "error" | "warn" | "off" | undefined;
  readonly requests: readonly ProtectedRequest[];
  /** No resource uses its provider configuration, so no plan checks it. */
  readonly isIdle?: true;
}

export interface Weakness {
  /** A request that has lost its protection; left out: the strength of the guard is lower. */
  readonly request?: ProtectedRequest;
  /** The request of the same name in the other guard, if there is one. */
  readonly now?: ProtectedRequest;
}

const ranks = { off: 0, warn: 1, error: 2 };

/** A strength that is not known may be "off". */
export function weaknesses(base: Guard, now: Guard): Weakness[] {
  const isStrong = ranks[now.strength ?? "off"] >= ranks[base.strength ?? "off"];
  const lost = base.requests.filter((request) => !apisOf(request).every((api) => isProtected(api, request, now)));
  return [
    ...(isStrong ? [] : [{}]),
    ...lost.map((request) => {
      const other = now.requests.find(({ called }) => called === request.called);
      return { request, ...(other && { now: other }) };
    }),
  ];
}

function isProtected(api: Api, { facts }: ProtectedRequest, { requests }: Guard): boolean {
  return requests.some((other) => apisOf(other).includes(api) && keyOf(other.facts) === keyOf(facts));
}

/** Equal for facts that mean the same. A fact that is not known never equals one that is. */
function keyOf(facts: ProtectedRequest["facts"]): string {
  const known = { ...facts, connecting_ip: facts.connecting_ip ?? facts.ip };
  const entries = Object.entries(known).filter(([, fact]) => fact !== undefined);
  const spelled = entries.map(([name, fact]) => [name, typeof fact === "symbol" ? null : spell(name, fact)] as const);
  return JSON.stringify(spelled.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function spell(name: string, fact: unknown): unknown {
  if (typeof fact !== "string") return fact;
  if (name === "ip" || name === "connecting_ip") return canonicalBlock(fact) ?? fact;
  if (name === "country" || name === "subdivision") return fact.toUpperCase();
  return name === "hostname" ? fact.toLowerCase().replace(/\.$/, "") : fact;
}
