/** Finds the protections of the lock-out guard that a change removes or weakens, because the same guard judges the change. */
import { canonicalBlock, type Api } from "../../access/access";
import { effect, type Code, type Effect } from "../effect";
import { apisOf, isKnownRequest, unknownFacts, type Guard, type ProtectedRequest } from "./protected-request";

export interface Weakness {
  /** A request that has lost its protection; left out: the strength of the guard is lower. */
  readonly request?: ProtectedRequest;
  /** The request of the same name in the other guard, if there is one. */
  readonly now?: ProtectedRequest;
}

/** The guards in the provider configurations of one plan. */
export interface PlanGuards {
  /** The name of the plan, if there are several plans. */
  readonly plan?: string;
  readonly guards: readonly Guard[];
  /** The guards of the configurations that manage network ACLs: the provider asks no other guard about these ACLs. */
  readonly acting: readonly Guard[];
  /** Provider configurations with a dynamic `protected_request` block, which plans leave out. */
  readonly dynamic?: readonly string[];
  readonly changesAcls: boolean;
}

/** The guard of the base branch. */
export interface BaseGuard extends Guard {
  /** The file that it was read from. */
  readonly file: string;
}

export function guardFindings(plans: readonly PlanGuards[], base: readonly BaseGuard[] = []): Effect[] {
  const lost = base.flatMap((one) => lostOf(one, plans).map((weakness) => lostWords(weakness, one.file)));
  return [
    ...plans.flatMap((plan) => strengthFindings(plan, base)),
    ...[...new Set(lost)].map((text) => effect("TNF-GUARD-WEAKENED", text)),
    ...plans.flatMap(unknownFindings),
    // The base branch then lists the requests.
    ...(base.length === 0 ? plans.flatMap(dynamicFindings) : []),
  ];
}

/** The protections that every plan lacks in a provider configuration that manages network ACLs. */
function lostOf(base: BaseGuard, plans: readonly PlanGuards[]): Weakness[] {
  const acting = plans.map((plan) => plan.acting).filter((guards) => guards.length > 0);
  const judged = acting.length > 0 ? acting : [[joined(plans.flatMap(({ guards }) => guards))]];
  const [first, ...rest] = judged.map((guards) =>
    guards.flatMap((guard) => weaknesses(base, { ...guard, strength: base.strength })),
  );
  return first!.filter(({ request }) => rest.every((lost) => lost.some((other) => other.request === request)));
}

/** One guard with the requests of all that are checked. */
export const joined = (guards: readonly Guard[]): Guard => ({
  requests: guards.flatMap(({ isIdle, requests }) => (isIdle ? [] : requests)),
});

/** Reports a guard that does not refuse, unless the guard of the base branch is as weak. Without a base branch, it may have stood for long. */
function strengthFindings(plan: PlanGuards, base: readonly BaseGuard[]): Effect[] {
  const { guards, changesAcls } = plan;
  if (base.length === 0 && !changesAcls) return [];
  const required: readonly Guard["strength"][] = base.length > 0 ? base.map(({ strength }) => strength) : ["error"];
  const isWeaker = (strength: Guard["strength"]) =>
    required.some((one) => weaknesses({ strength: one, requests: [] }, { strength, requests: [] }).length > 0);
  return [...new Set(guards.map(({ strength }) => strength).filter(isWeaker))].map((strength) => {
    const is = strength === undefined ? "is not a constant, so it may be off" : `is "${strength}"`;
    const was =
      base.length > 0 ? ` (${base[0]!.file} has "${required.find((one) => one !== strength) ?? "error"}")` : "";
    const text =
      `\`lockout_guard\` ${is}${was}. Terraform may then apply a plan that locks Terraform out. Remove \`lockout_guard\`, or set it ` +
      'to "error".';
    return effect("TNF-GUARD-WEAKENED", text, base.length > 0 ? plan : { ...plan, level: "info" });
  });
}

/** The review cannot check these requests. */
function unknownFindings(plan: PlanGuards): Effect[] {
  const open = plan.guards.flatMap(({ requests }) => requests.filter((request) => !isKnownRequest(request)));
  return open.map((request) => {
    const names = unknownFacts(request).map((name) => `\`${name}\``);
    const text =
      `The plan does not show ${names.join(", ")} of the protected request "${request.called}", so the review cannot check this ` +
      "request. Write the value as a constant or as a variable of the root module, or give `--base FILE`.";
    return effect("TNF-GUARD-UNKNOWN", text, plan);
  });
}

const dynamicFindings = (plan: PlanGuards): Effect[] =>
  (plan.dynamic ?? []).map((key) => dynamicEffect("TNF-GUARD-UNKNOWN", "protected_request", key, plan));

/** `block`: the name of the dynamic blocks of a provider configuration. */
export function dynamicEffect(code: Code, block: string, key: string, { plan }: { readonly plan?: string }): Effect {
  const text =
    `The provider configuration ${key} has a dynamic block for \`${block}\`. Plans leave out dynamic blocks, so the review does ` +
    "not know what they state and cannot check it. Write plain blocks, or give `--base FILE`.";
  return effect(code, text, plan === undefined ? {} : { plan });
}

function lostWords({ request, now }: Weakness, file: string): string {
  const named = `request "${request!.called}" (${factsOf(request!)}) of ${file}`;
  if (!now) {
    return (
      `The plan does not show the ${named}: the configuration does not have this request, or has it in a dynamic block, which plans ` +
      "leave out. Without this request, the provider no longer refuses a plan that blocks it."
    );
  }
  return (
    `The ${named} is no longer protected as before: it is now ${factsOf(now)}. The provider no longer refuses a plan ` +
    `that blocks the request in ${file}.`
  );
}

function factsOf({ path, facts, isSecret }: ProtectedRequest): string {
  if (isSecret) return "its facts are sensitive";
  const known = Object.entries({ path, ...facts }).filter(([, fact]) => fact !== undefined);
  return known.map(([name, fact]) => `${name} ${typeof fact === "symbol" ? "not known" : String(fact)}`).join(", ");
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
