/** What the provider blocks of plans mean for the lock-out guard and for Terraform's own requests. */
import { isWhollyKnown } from "../../formats/cty/value";
import { acts, type PlannedObject } from "../../judge/impact/model";
import { joined, type PlanGuards } from "../../judge/impact/statement/guard";
import type { Guard } from "../../judge/impact/statement/protected-request";
import type { Terraform } from "../../judge/impact/statement/lockout";
import type { PlannedAcl } from "../../judge/impact/network-acl/acl";
import type { Kind } from "../../judge/kinds/kind";
import { kindOf } from "../../judge/kinds/kinds";
import { networkAcl } from "../../judge/kinds/network-acl";
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
  readonly guard: Guard;
}

const noJudge: Judge = { guard: { strength: "off", requests: [] } };

/** Undefined: the plans do not show it, or there are several, and each of them sees a part of the changes. */
export function judgeOf(plans: readonly PlanInput[], kind: Kind): Judge | undefined {
  const [plan, ...others] = plans;
  if (!plan || others.length > 0) return undefined;
  const changes = changesOf(plan, kind).filter(acts);
  const own = changes.filter(({ type }) => type === kind.type);
  if (own.length === 0) return noJudge;
  const { blocks } = plan;
  const [sole, ...more] = blocks;
  const usual = more.length === 0 ? (sole?.key ?? "tenant") : undefined;
  const [key, ...rest] = new Set(own.map((one) => homeOf(plan, one) ?? usual));
  if (own.length < changes.length || key === undefined || rest.length > 0) return undefined;
  const block = blocks.find((one) => one.key === key);
  const guard: Guard = block ?? { strength: "error", requests: [] };
  // A request that the review does not know may be one that the provider does not know yet.
  const isKnown =
    !guard.requests.some(({ statement }) => !isWhollyKnown(statement)) && !block?.dynamic.includes("protected_request");
  return { key, guard: isKnown ? guard : { requests: guard.requests } };
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
    const hostnames: unknown = rule.match?.["hostnames"];
    return Array.isArray(hostnames) ? hostnames.filter((host): host is string => typeof host === "string") : [];
  });
  return new Set([...plans.flatMap(({ hosts }) => hosts), ...listed]);
}
