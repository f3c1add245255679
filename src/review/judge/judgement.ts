/** Judges everything that the plans of one tenant change, and collects the effects. */
import { inOrder, type Effect } from "../../judge/impact/effect";
import { lockoutEffects } from "../../judge/impact/statement/effects";
import { guardFindings } from "../../judge/impact/statement/guard";
import { analyseAcls } from "../../judge/impact/network-acl/analysis";
import { judgeAcls } from "../../judge/impact/network-acl/changes";
import { keyEffects } from "../../judge/impact/network-acl/keys";
import { actionEffects, driftEffects } from "../../judge/impact/objects/actions";
import { judgedEffects, judgeObjects } from "../../judge/impact/objects/judged";
import { collisionEffects } from "../../judge/impact/objects/collisions";
import { sameKeyEffects } from "../../judge/impact/objects/same-key";
import { duplicatesIn } from "../../judge/impact/objects/duplicates";
import { networkAcl } from "../../judge/kinds/network-acl";
import { rateLimitPolicy } from "../../judge/kinds/rate-limit-policy";
import { aclsOf } from "../input/acls";
import { auth0Effects } from "../input/auth0";
import { incompleteBy, reviewExpectations } from "./expectations";
import { knownValue, providerBlocks } from "../input/expression";
import { judgeOf, ownClientOf, ownHosts, planGuards, terraformOf } from "./guard";
import { driftOf, objectsOf } from "../input/objects";
import type { ReviewOptions } from "../input/options";
import type { Plan } from "../input/plan";
import { families, remoteIn } from "../input/remote";
import { reservationsOf } from "./reservations";

export type Judgement = ReturnType<typeof judgePlans>;

export function judgePlans(plans: readonly Plan[], options: ReviewOptions) {
  const remote = remoteIn(plans, options.remote);
  const versions = aclsOf(plans, remote.network_acls);
  const objects = plans.flatMap((plan) => objectsOf(plan));
  const duplicates = duplicatesIn(objects);
  const reservations = reservationsOf(plans, options.remote, duplicates);
  const { unread, uncertainties, isUncertain } = reservations;
  const incomplete = incompleteBy(plans, [...unread, ...uncertainties, ...reservations.duplicates], options.remote);
  const guards = plans.map(planGuards);
  const own = guards.flatMap((one) => one.guards.flatMap(({ requests }) => requests));
  const base = (options.protect ?? []).flatMap(({ requests }) => requests);
  const judge = judgeOf(plans, networkAcl)?.guard;
  const guarded = { requests: { own, base }, terraform: terraformOf(plans), ...(judge && { judge }) };
  const changesAcls = guards.some((one) => one.changesAcls);
  const hosts = ownHosts(plans, [...versions.before, ...versions.after]);
  const acls = analyseAcls(versions, isUncertain, hosts);
  return {
    guards,
    versions,
    objects,
    reservations,
    incomplete,
    hosts,
    acls,
    ...judgeObjects(objects, remote, duplicates),
    expectations: reviewExpectations(plans, options.expect ?? [], { versions, objects, remote, incomplete }),
    guarded,
    lockouts: lockoutEffects(versions, guarded, changesAcls, acls),
    unseen: families.filter((family) => remote[family] === undefined && !options.remote?.unaffected?.includes(family)),
  };
}

/** Whether the log that is replayed shows requests which a limit rejected. */
const isRejecting = ({ traffic }: ReviewOptions): boolean => (traffic?.replay.tally.marks.get("api_limits") ?? 0) > 0;

/** The worst first. */
export function effectsOf(plans: readonly Plan[], judged: Judgement, options: ReviewOptions): Effect[] {
  const { guards, versions, objects, reservations, hosts, acls, members, expectations, keys } = judged;
  const { ignored = new Map<string, string>(), protect = [] } = options;
  const found = [
    ...reservations.duplicates,
    ...judged.lockouts,
    ...expectations.effects,
    ...guardFindings(guards, protect),
    ...judgeAcls(acls, versions, hosts),
    ...keyEffects(keys, versions),
    ...judgedEffects(judged, isRejecting(options)),
    ...judged.ownLimit({ id: ownClientOf(plans), strength: judgeOf(plans, rateLimitPolicy)?.guard.strength }),
    ...collisionEffects(objects),
    ...sameKeyEffects(objects),
    ...members.kept,
    ...(options.rules?.changes ?? []),
    ...auth0Effects(plans, remoteIn(plans, options.remote), options.rules?.rows),
    ...plans.flatMap((plan) => {
      const planned = objectsOf(plan);
      return [...actionEffects(planned, meansEarlyAccess(plan)), ...driftEffects(driftOf(plan), planned)];
    }),
    ...reservations.unread,
    ...reservations.uncertainties,
  ];
  return inOrder(found.map((one) => withReason(one, ignored)));
}

/** Whether every provider block of the plan has `hide_early_access_warning = true`. */
function meansEarlyAccess(plan: Plan): boolean {
  const blocks = providerBlocks(plan, ["tenant"]);
  const isMeant = (block: (typeof blocks)[number]) =>
    knownValue(block.expressions?.["hide_early_access_warning"], plan, block)?.value === true;
  return blocks.length > 0 && blocks.every(isMeant);
}

function withReason(one: Effect, ignored: ReadonlyMap<string, string>): Effect {
  const reason = ignored.get(one.code);
  return reason === undefined ? one : { ...one, ignored: reason };
}
