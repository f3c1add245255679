/** Judges the changed objects whose effect is not on requests to an API. The plan of the provider and the review ask it alike. */
import { kindOf } from "../../kinds/kinds";
import { organizationMemberSet } from "../../kinds/organization-member-set";
import { rateLimitPolicy } from "../../kinds/rate-limit-policy";
import type { Effect } from "../effect";
import type { PlannedObject, Remote } from "../model";
import { judgeMembers, type MemberJudgement } from "../organization-member-set/effects";
import { limitChanges } from "../rate-limit-policy/changes";
import { limitEffects } from "../rate-limit-policy/effects";
import type { Duplicates } from "./duplicates";

export type JudgedObjects = ReturnType<typeof judgeObjects>;

const noMembers: MemberJudgement = { changes: [], effects: [], kept: [] };

export function judgeObjects(objects: readonly PlannedObject[], remote: Remote, duplicates?: Duplicates) {
  const { rate_limit_policies: others, organization_members: members } = remote;
  const limited = objects.filter(({ type }) => kindOf(type) === rateLimitPolicy);
  const isConcerned = objects.some(({ type }) => kindOf(type) === organizationMemberSet);
  return {
    policies: limited.length > 0 ? limitChanges(limited, others, duplicates) : [],
    members: isConcerned ? judgeMembers(objects, members, remote) : noMembers,
  };
}

/** `isRejecting`: a log shows that limits reject requests. */
export const judgedEffects = ({ policies, members }: JudgedObjects, isRejecting = false): Effect[] => [
  ...(policies.length > 0 ? limitEffects(policies, isRejecting) : []),
  ...members.effects,
];
