/** What the provider blocks of plans mean for the lock-out guard and for Terraform's own requests. */
import { acts, type PlannedObject } from "../../judge/impact/model";
import { joined, type PlanGuards } from "../../judge/impact/statement/weakened";
import { builtIn, requestsOf, speaksForTerraform, type Guard } from "../../judge/impact/statement/built-in";
import type { BuiltIn, Enforced } from "../../judge/impact/statement/statement";
import { partsOf } from "../../judge/access/access";
import type { Terraform } from "../../judge/impact/statement/lockout";
import type { PlannedAcl } from "../../judge/impact/network-acl/acl";
import type { Kind } from "../../judge/kinds/kind";
import { kindOf } from "../../judge/kinds/kinds";
import { networkAcl } from "../../judge/kinds/network-acl";
import { rateLimitPolicy } from "../../judge/kinds/rate-limit-policy";
import { version } from "../../version";
import { homeOf, type PlanInput } from "../input/plan-input";

export function planGuards(plan: PlanInput): PlanGuards {
  const { name, blocks } = plan;
  const acls = changesOf(plan, networkAcl);
  const keys = new Set(acls.map((one) => homeOf(plan, one)));
  const acting = blocks.filter(({ key }) => keys.has(key));
  const dynamic = blocks.flatMap((block) => (block.dynamic.includes("protected_request") ? [block.key] : []));
  return {
    ...(name !== undefined && { plan: name }),
    guards: blocks,
    ...(dynamic.length > 0 && { dynamic }),
    acting: acls.length === 0 ? [] : acting.length > 0 ? acting : [joined(blocks)],
    changesAcls: acls.some(acts),
  };
}

const changesOf = ({ objects }: PlanInput, kind: Kind): PlannedObject[] =>
  objects.filter(({ type, notTargeted }) => kindOf(type) === kind && !notTargeted);

/** The provider configuration that judges the changes of a kind. */
export interface Judge {
  /** Undefined: a configuration of another provider, which judges nothing. */
  readonly key?: string;
}

/** Undefined: the plans do not show it, or there are several, and each of them sees a part of the changes. */
export function judgeOf(plans: readonly PlanInput[], kind: Kind): Judge | undefined {
  const [plan, ...others] = plans;
  if (!plan || others.length > 0) return undefined;
  const changes = changesOf(plan, kind).filter(acts);
  const own = changes.filter(({ type }) => type === kind.type);
  if (own.length === 0) return {};
  const [sole, ...more] = plan.blocks;
  const usual = more.length === 0 ? (sole?.key ?? "tenant") : undefined;
  const [key, ...rest] = new Set(own.map((one) => homeOf(plan, one) ?? usual));
  return own.length < changes.length || key === undefined || rest.length > 0 ? undefined : { key };
}

/** Whether the provider configuration judges the changes. Undefined: the plans do not show it. */
export function isJudge(judge: Judge | undefined, key: string | undefined): boolean | undefined {
  if (judge && judge.key === undefined) return false;
  return judge?.key !== undefined && judge.key === key ? true : undefined;
}

/** What is built in, of the provider blocks and of the base branch, which judges the change too. */
export function builtInOf(plans: readonly PlanInput[], base: readonly Guard[]): Enforced<BuiltIn>[] {
  const blocks = plans.flatMap((plan) => plan.blocks);
  const [ofAcls, ofLimits] = [networkAcl, rateLimitPolicy].map((kind) => judgeOf(plans, kind));
  const own = blocks.flatMap((block) =>
    requestsOf(block).map((stated) => ({ stated, isEnforced: isJudge(ofAcls, block.key) })),
  );
  /** Of the configuration that judges, or of all together. */
  const whole = (kind: "terraform" | "own limit", judge: Judge | undefined): Enforced<BuiltIn>[] => {
    const block = blocks.find(({ key }) => key === judge?.key);
    const all = judge?.key === undefined ? builtIn("error", blocks.flatMap(requestsOf)) : (block?.builtIn ?? builtIn());
    const found = all.filter(({ statement }) => statement.kind === kind);
    return found.map((stated) => ({ stated, isEnforced: isJudge(judge, judge?.key) }));
  };
  const ofBase = base.flatMap(requestsOf);
  const terraform = whole("terraform", ofAcls);
  // A protected request that the change adds must not replace the check by the base branch.
  const isOwn =
    ofBase.length === 0 || ofAcls?.key !== undefined || own.some(({ stated }) => speaksForTerraform(stated));
  const others =
    ofBase.length === 0 ? [] : builtIn("error", ofBase).filter(({ statement }) => statement.kind !== "own limit");
  return [
    // Of those that say the same, the first counts.
    ...own.toSorted((one, other) => Number(other.isEnforced ?? false) - Number(one.isEnforced ?? false)),
    ...(isOwn ? terraform : []),
    ...others.map((stated) => ({ stated, isEnforced: false })),
    ...whole("own limit", ofLimits),
  ];
}

/** Credentials in the environment are not known: they count as client credentials, for which the provider requests a token. */
export function terraformOf(plans: readonly PlanInput[]): Terraform {
  const hosts = [...new Set(plans.flatMap((plan) => plan.hosts))];
  const versions = [...new Set(plans.flatMap(({ terraform }) => terraform ?? []))];
  const blocks = plans.flatMap((plan) => plan.blocks);
  return {
    ...(hosts.length === 1 && { hostname: hosts[0] }),
    userAgents: versions.map((found) => `tenantform/${version} terraform/${found}`),
    asksToken: blocks.length === 0 || !blocks.every(({ hasToken }) => hasToken),
  };
}

/** The client for which the provider requests tokens; undefined: not known, or not the same one everywhere. */
export function ownClientOf(plans: readonly PlanInput[]): string | undefined {
  const [id, ...others] = new Set<string | undefined>(
    plans.flatMap(({ blocks, names }): readonly (string | undefined)[] =>
      blocks.length > 0 ? blocks.map(({ client }) => client) : names().clients,
    ),
  );
  return others.length === 0 ? id : undefined;
}

/** The hosts of provider blocks, and the host names that rules match. */
export function ownHosts(plans: readonly PlanInput[], acls: readonly PlannedAcl[]): Set<string> {
  const listed = acls.flatMap(({ rule }) => {
    const { hostnames } = partsOf(rule.match);
    return Array.isArray(hostnames) ? hostnames.filter((host): host is string => typeof host === "string") : [];
  });
  return new Set([...plans.flatMap(({ hosts }) => hosts), ...listed]);
}
