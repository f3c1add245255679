/** Reports what a plan does for a moment while Terraform applies it, although it is so neither before nor after. */
import type { Finding } from "../finding";
import { weaknesses } from "../lockout/guard";
import type { Terraform } from "../lockout/lockout";
import type { ProtectedRequest } from "../lockout/protected-request";
import { acts, type PlannedObject } from "../model";
import type { AclVersions } from "../network-acl/versions";
import { networkAcl } from "../../kinds/network-acl";
import { rateLimitPolicy } from "../../kinds/rate-limit-policy";
import { kindOf } from "../../kinds/kinds";
import { aclChanges, type AclChange } from "./acl-change";
import { aclTransition } from "./acl-transition";
import { limitFindings } from "./limits";
import { requestFindings, terraformFindings } from "./lockout";
import { memberFindings } from "./members";
import { openFindings, undecidedFinding } from "./open";

export interface TransientInput {
  readonly versions: AclVersions;
  /** All objects of the plans. */
  readonly objects: readonly PlannedObject[];
  /** Whether a resource of a plan depends on another resource of that plan. */
  dependsOn(address: string, other: string, plan: string | undefined): boolean;
  /** The protected requests of the plans, and whether the provider refuses each write that would block them. */
  readonly own: { readonly requests: readonly ProtectedRequest[]; readonly areGuarded: boolean };
  /** The protected requests of the base branch. */
  readonly base: readonly ProtectedRequest[];
  readonly terraform: Terraform;
  readonly secrets: ReadonlySet<string>;
}

export function transientFindings(input: TransientInput): Finding[] {
  const { objects } = input;
  return [
    ...aclFindings(input),
    ...limitFindings(objects.filter(({ type }) => kindOf(type) === rateLimitPolicy)),
    ...memberFindings(objects),
  ];
}

function aclFindings({ versions, objects, dependsOn, own, base, terraform, secrets }: TransientInput): Finding[] {
  const acls = objects.filter(({ type }) => kindOf(type) === networkAcl);
  if (!acls.some(acts)) return [];
  const found = aclChanges(versions, acls);
  const transition = aclTransition(versions, found, (one: AclChange, other: AclChange) => {
    const [{ address = "", plan }, second] = [(one.after ?? one.before)!, (other.after ?? other.before)!];
    return plan === second.plan && dependsOn(address, second.address ?? "", plan);
  });
  if (!transition) return [undecidedFinding(found.changes)];
  // The provider judges its own writes only, by the requests of its own configuration.
  const isGuarded = own.areGuarded && found.changes.every(({ isOwn }) => isOwn);
  const others = weaknesses({ requests: base }, { requests: own.requests }).flatMap(({ request }) => request ?? []);
  const all = [
    ...openFindings(transition, secrets),
    ...requestFindings(isGuarded ? others : [...own.requests, ...others], transition, terraform),
    ...(isGuarded ? [] : terraformFindings([...own.requests, ...base], transition, terraform, secrets)),
  ];
  // Both directions can be undecided.
  return [...new Map(all.map((one) => [`${one.code} ${one.text}`, one])).values()];
}
