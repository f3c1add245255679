/** Judges everything that the plans of one tenant change, and collects the findings. */
import { endsIn } from "../impact/expiry/ends";
import { expiryFindings } from "../impact/expiry/findings";
import { levels, type Finding } from "../impact/finding";
import { lockoutReports } from "../impact/statement/effects";
import { guardFindings } from "../impact/statement/guard";
import { analyseAcls } from "../impact/network-acl/analysis";
import { aclFindings } from "../impact/network-acl/changes";
import { keyFindings } from "../impact/network-acl/keys";
import { actionFindings } from "../impact/objects/actions";
import { driftFindings } from "../impact/objects/drift";
import { duplicatesIn } from "../impact/objects/duplicates";
import { judgeMembers } from "../impact/organization-member-set/findings";
import { transientFindings } from "../impact/transient/findings";
import { enforcedIn, enforcementFindings } from "../impact/enforcement/enforcement";
import { limitChanges } from "../impact/rate-limit-policy/changes";
import { limitFindings } from "../impact/rate-limit-policy/findings";
import { ownLimitFindings } from "../impact/rate-limit-policy/own-client";
import { kindOf } from "../kinds/kinds";
import { networkAclKey } from "../kinds/network-acl-key";
import { rateLimitPolicy } from "../kinds/rate-limit-policy";
import { aclsOf } from "./acls";
import { incompleteBy, reviewExpectations } from "./expectations/judged";
import { knownValue, providerBlocks } from "./expression";
import { ownClientOf, ownHosts, planGuards, terraformOf } from "./guard";
import { driftOf, objectsOf } from "./objects";
import type { ReviewOptions } from "./options";
import type { Plan } from "./input/plan";
import { families, remoteIn } from "./remote";
import { reservationsOf } from "./reservations";

export type Judgement = ReturnType<typeof judgePlans>;

export function judgePlans(plans: readonly Plan[], options: ReviewOptions) {
  const remote = remoteIn(plans, options.remote);
  const versions = aclsOf(plans, remote.network_acls);
  const objects = plans.flatMap((plan) => objectsOf(plan));
  const duplicates = duplicatesIn(objects);
  const reservations = reservationsOf(plans, options.remote, duplicates);
  const { unread, uncertainties, isUncertain } = reservations;
  const { now = Date.now() } = options;
  const incomplete = incompleteBy(plans, [...unread, ...uncertainties, ...reservations.duplicates], options.remote);
  const guards = plans.map(planGuards);
  const own = guards.flatMap((one) => one.guards.flatMap(({ requests }) => requests));
  const base = (options.protect ?? []).flatMap(({ requests }) => requests);
  const guarded = { requests: { own, base }, terraform: terraformOf(plans) };
  const changesAcls = guards.some((one) => one.changesAcls);
  const hosts = ownHosts(plans, [...versions.before, ...versions.after]);
  const limited = objects.filter(({ type }) => kindOf(type) === rateLimitPolicy);
  return {
    guards,
    versions,
    objects,
    reservations,
    incomplete,
    hosts,
    limited,
    acls: analyseAcls(versions, isUncertain, hosts),
    policies: limitChanges(limited, remote.rate_limit_policies, duplicates),
    members: judgeMembers(objects, remote.organization_members, remote),
    expectations: reviewExpectations(plans, options.expect ?? [], { versions, objects, remote, incomplete }),
    guarded,
    lockouts: lockoutReports(versions, guarded, changesAcls),
    keys: objects.filter(({ type }) => kindOf(type) === networkAclKey),
    now,
    ends: endsIn(objects, now),
    unseen: families.filter((family) => remote[family] === undefined && !options.remote?.unaffected?.includes(family)),
  };
}

/** Whether the log that is replayed shows requests which a limit rejected. */
export const isRejecting = ({ traffic }: ReviewOptions): boolean => (traffic?.replayed.tally.apiLimits ?? 0) > 0;

/** The highest level first. */
export function findingsOf(plans: readonly Plan[], judged: Judgement, options: ReviewOptions): Finding[] {
  const {
    guards,
    versions,
    objects,
    reservations,
    hosts,
    acls,
    limited,
    policies,
    members,
    expectations,
    keys,
    now,
    ends,
  } = judged;
  const { ignored = new Map<string, string>(), protect = [] } = options;
  const found = [
    ...reservations.duplicates,
    ...judged.lockouts.map(({ finding }) => finding),
    ...expectations.findings,
    ...guardFindings(guards, protect),
    ...aclFindings(acls, versions, hosts),
    ...keyFindings(keys, versions),
    ...limitFindings(policies, isRejecting(options)),
    ...ownLimitFindings(limited, remoteIn(plans, options.remote).rate_limit_policies, ownClientOf(plans)),
    ...enforcementFindings(enforcedIn(versions), options.traffic?.enforcements, options.enforcement),
    ...(reservations.duplicates.length > 0
      ? []
      : transientFindings({
          versions,
          objects,
          remote: remoteIn(plans, options.remote),
          guarded: judged.guarded,
          isGuarded: guards.every((one) => one.guards.every(({ strength }) => strength === "error")),
        })),
    ...expiryFindings(ends, now),
    ...[...members.losses, ...members.possibleLosses].map((one) => one.finding),
    ...members.kept,
    ...plans.flatMap((plan) => {
      const planned = objectsOf(plan);
      return [...actionFindings(planned, meansEarlyAccess(plan)), ...driftFindings(driftOf(plan), planned)];
    }),
    ...reservations.unread,
    ...reservations.uncertainties,
  ];
  return found.map((one) => withReason(one, ignored)).toSorted(byLevel);
}

/** Whether every provider block of the plan has `acknowledge_early_access = true`. */
function meansEarlyAccess(plan: Plan): boolean {
  const blocks = providerBlocks(plan, ["tenant"]);
  const isMeant = (block: (typeof blocks)[number]) =>
    knownValue(block.expressions?.["acknowledge_early_access"], plan, block)?.value === true;
  return blocks.length > 0 && blocks.every(isMeant);
}

function withReason(one: Finding, ignored: ReadonlyMap<string, string>): Finding {
  const reason = ignored.get(one.code);
  return reason === undefined ? one : { ...one, ignored: reason };
}

function byLevel(a: Finding, b: Finding): number {
  const rank = ({ level, ignored }: Finding) => (ignored === undefined ? levels.indexOf(level) : -1);
  return rank(b) - rank(a);
}
