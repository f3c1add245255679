/**
 * Judges what follows from the objects and their keys alone, and what no other change of a plan can prevent. The provider asks at each call,
 * so no analysis of requests is loaded for it.
 */
import { kindOf } from "../../kinds/kinds";
import { networkAcl } from "../../kinds/network-acl";
import type { Effect } from "../effect";
import { aclVersions, type AclVersions } from "../network-acl/acl";
import type { Log } from "../network-acl/facts";
import { keyEffects, unknownKeyEffects } from "../network-acl/keys";
import { grouped, type PlannedObject } from "../model";
import { actionEffects } from "./actions";
import { duplicateEffects, type Duplicates, duplicatesIn, type PlanAndTenant } from "./duplicates";
import { sameKeyEffects } from "./same-key";

export interface Settings {
  readonly log?: Log | undefined;
  /** Whether the configuration of a plan says that it uses features in Early Access on purpose. */
  readonly meansEarlyAccess?: (plan: string | undefined) => boolean;
}

interface Known {
  readonly versions?: AclVersions;
  readonly duplicates?: Duplicates;
}

export function judgeIdentities(plan: PlanAndTenant, settings: Settings = {}, known: Known = {}): Effect[] {
  const { objects, remote } = plan;
  // One object shares no key with another one.
  const areSeveral = objects.length > 1 || Object.values(remote).some((list) => list !== undefined);
  const { versions = versionsOf(plan), duplicates = areSeveral ? duplicatesIn(objects) : new Map() } = known;
  const { meansEarlyAccess = () => false } = settings;
  const onActions = [...grouped(objects, ({ plan: name }) => name)].flatMap(([name, own]) =>
    actionEffects(own, meansEarlyAccess(name)),
  );
  return [
    ...(duplicates.size > 0 ? duplicateEffects(withoutRenamed(duplicates, onActions)) : []),
    ...(areSeveral && objects.some(({ type }) => !kindOf(type)?.list) ? sameKeyEffects(plan, versions) : []),
    ...onActions,
    ...(objects.some(({ type }) => kindOf(type)?.actsThrough) ? keyEffects(plan, versions) : []),
    ...(areSeveral ? unknownKeyEffects(plan, versions) : []),
  ];
}

/** A set under another name is refused as such, with the remedy for it. */
function withoutRenamed(duplicates: Duplicates, effects: readonly Effect[]): Duplicates {
  const renamed = new Set(
    effects.flatMap(({ facts, subject, refuses }) =>
      facts.kind === "object" && facts.change === "renamed" && refuses ? [subject.address, facts.from] : [],
    ),
  );
  const isPair = (own: readonly PlannedObject[]) =>
    own.length === 2 && own.every(({ address }) => renamed.has(address));
  return renamed.size === 0 ? duplicates : new Map([...duplicates].filter(([, own]) => !isPair(own)));
}

/** The ACLs of the tenant count for the plan of a key too. */
export function versionsOf({ objects, remote }: PlanAndTenant): AclVersions {
  const own = objects.filter(({ type }) => kindOf(type) === networkAcl);
  if (own.length === 0 && !remote.network_acls) return { before: [], after: [] };
  return aclVersions([...grouped(own, ({ plan }) => plan).values()], remote.network_acls);
}
