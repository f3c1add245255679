/**
 * Judges everything that plans do to the objects of one tenant. There is no other judge: the review asks it, and so does the provider,
 * which adds each planned object and asks about all of them once the plan is quiet.
 *
 *     objects of the plans ─┐
 *     objects of the tenant ┴─> analysePlan ─> judgePlan ─> effects; `refuses` says which of them refuse the plan
 */
import type { Effect } from "./effect";
import type { AclVersions } from "./network-acl/acl";
import { type AclAnalysis, analyseAcls } from "./network-acl/analysis";
import { judgeAcls } from "./network-acl/changes";
import { collisionEffects } from "./objects/collisions";
import { type Duplicates, duplicatesIn, type PlanAndTenant } from "./objects/duplicates";
import { judgeIdentities, type Settings, versionsOf } from "./objects/identities";
import { statementEffects, type Statements } from "./statement/effects";
import { judgedEffects, type JudgedObjects, judgeObjects } from "./objects/judged";

/** What the judges read: each part is computed once. */
export interface AnalysedPlan extends PlanAndTenant, JudgedObjects {
  readonly versions: AclVersions;
  readonly acls: AclAnalysis;
  /** The hosts of the tenant. */
  readonly hosts: ReadonlySet<string>;
  readonly duplicates: Duplicates;
}

interface Reading {
  /** Default: those that the objects and the tenant show. */
  readonly versions?: AclVersions;
  readonly hosts?: ReadonlySet<string>;
  /** The tenant may have more ACLs than these. */
  readonly isDoubtful?: boolean;
  readonly duplicates?: Duplicates;
}

export function analysePlan(plan: PlanAndTenant, reading: Reading = {}): AnalysedPlan {
  const { objects, remote } = plan;
  const { hosts = new Set(), isDoubtful = false, duplicates = duplicatesIn(objects) } = reading;
  const versions = reading.versions ?? versionsOf(plan);
  const isConcerned = versions.before.length + versions.after.length > 0;
  const acls = isConcerned ? analyseAcls(versions, isDoubtful, hosts) : noAcls(isDoubtful, hosts);
  return { ...plan, versions, hosts, duplicates, acls, ...judgeObjects(objects, remote, duplicates) };
}

/** Kinds that no plan has are not judged. */
const noAcls = (isDoubtful: boolean, ownHosts: ReadonlySet<string>): AclAnalysis => ({
  before: [],
  after: [],
  outcomes: [],
  logs: [],
  undecided: 0,
  unreachable: [],
  changed: new Map(),
  proven: !isDoubtful,
  secrets: new Set(),
  ownHosts,
});

interface PlanSettings extends Settings {
  readonly statements?: Statements;
}

export function judgePlan(analysed: AnalysedPlan, settings: PlanSettings = {}): Effect[] {
  const { objects, versions, acls, hosts, members } = analysed;
  const stated = settings.statements ? statementEffects(analysed, settings.statements) : [];
  if (objects.length === 0) return stated;
  return [
    ...stated,
    ...judgeIdentities(analysed, settings, analysed),
    ...(versions.after.length + versions.before.length > 0 ? judgeAcls(acls, versions, hosts, settings.log) : []),
    ...judgedEffects(analysed, settings.log?.isRejecting),
    ...(objects.some(({ type }) => type.startsWith("auth0_")) ? collisionEffects(objects) : []),
    ...members.kept,
  ];
}
