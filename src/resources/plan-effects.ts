/** Judges all changes of a plan together, as the review does. */
import { analyseAcls } from "../impact/network-acl/analysis";
import { aclEffects } from "../impact/network-acl/effects";
import { logEffects } from "../impact/network-acl/log-effects";
import { aclVersions } from "../impact/network-acl/versions";
import type { PlannedObject, Values } from "../impact/model";
import { memberEffects } from "../impact/organization-member-set/effects";
import { judgeMembers } from "../impact/organization-member-set/findings";
import { limitChanges } from "../impact/rate-limit-policy/changes";
import { limitEffects } from "../impact/rate-limit-policy/effects";
import { withName } from "../impact/value";
import { byGravity, type Effect } from "../impact/verdict/effect";
import type { ChangeNote } from "./change-note";

export interface PlanEffect {
  readonly effect: Effect;
  readonly causes: ReadonlySet<ChangeNote>;
}

/** The worst first. `acls`: the network ACLs of the tenant. Without them, no change of an ACL can be judged, so there are no effects. */
export function planEffects(notes: readonly ChangeNote[], acls: readonly object[] | undefined): PlanEffect[] {
  // Terraform does not tell a provider the addresses of resources.
  const named = new Map(notes.map((note, index) => [`change ${index + 1}`, note]));
  const objects = [...named].map(([address, { object }]) => withAddress(object, address));
  const of = (type: string) => objects.filter((object) => object.type === type);
  const changed = of("tenant_network_acl");
  if (changed.length > 0 && !acls) return [];
  const effects = [
    ...(changed.length > 0 ? effectsOfAcls(changed, acls as readonly Values[]) : []),
    ...limitEffects(limitChanges(of("tenant_rate_limit_policy"))),
    ...memberEffects(
      judgeMembers(of("tenant_organization_member_set"), new Map(notes.flatMap(({ members }) => [...(members ?? [])]))),
    ),
  ];
  return effects.toSorted(byGravity).map((effect) => ({
    effect,
    causes: new Set(effect.cause.flatMap(({ address }) => named.get(address) ?? [])),
  }));
}

function effectsOfAcls(changed: readonly PlannedObject[], acls: readonly Values[]): Effect[] {
  const analysis = analyseAcls(aclVersions([changed], acls));
  return [...aclEffects(analysis), ...logEffects(analysis)];
}

function withAddress(object: PlannedObject, address: string): PlannedObject {
  const { after, ...rest } = object;
  return { ...rest, address, ...(after && { after: withName(after, `the unknown part of ${address}`) as Values }) };
}
