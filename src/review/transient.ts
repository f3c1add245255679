/** Finds what the plans do for a moment while Terraform applies them. */
import type { Finding } from "../impact/finding";
import type { PlanGuards } from "../impact/lockout/guard-findings";
import type { ProtectedRequest } from "../impact/lockout/protected-request";
import type { PlannedObject } from "../impact/model";
import type { AclVersions } from "../impact/network-acl/versions";
import { transientFindings } from "../impact/transient/findings";
import { aclTypes } from "./acls";
import { dependenciesIn } from "./dependencies";
import { objectsOf } from "./objects";
import type { Plan } from "./plan";
import { bare } from "./share";
import { terraformOf } from "./terraform-requests";

interface Read {
  readonly versions: AclVersions;
  readonly objects: readonly PlannedObject[];
  readonly guards: readonly PlanGuards[];
  /** The protected requests of the base branch. */
  readonly base: readonly ProtectedRequest[];
  readonly secrets: ReadonlySet<string>;
}

export function transientsOf(plans: readonly Plan[], { guards, ...read }: Read): Finding[] {
  const graphs = new Map(plans.map((plan) => [plan.name, dependenciesIn(plan)]));
  const all = guards.flatMap((one) => one.guards);
  const rivals = plans.flatMap((plan) => plan.rivals ?? []);
  return transientFindings({
    ...read,
    objects: [...read.objects, ...rivals.flatMap((plan) => objectsOf(plan, aclTypes))],
    dependsOn: (address, other, plan) => graphs.get(plan)?.get(bare(address))?.has(bare(other)) === true,
    own: {
      requests: all.flatMap(({ requests }) => requests),
      areGuarded: all.every(({ strength }) => strength === "error"),
    },
    terraform: terraformOf(plans),
  });
}
