/** A review: everything that is said of one plan, or of several that concern one tenant, whatever the form it is shown in. */
import { aclFindings, reviewAcls, type AclReview } from "./acl-review";
import { aclsOf, type ReviewedAcl } from "./acls";
import { finding, levels, type Finding } from "./finding";
import { lockoutFindings, ownHosts } from "./lockout";
import { reviewMembers, type MemberReview } from "./members";
import type { Plan, Values } from "./plan";
import { policyFindings, reviewPolicies, type PolicyReview } from "./policies";
import { answerProbes, type Probe, type ProbeAnswer } from "./probe";
import { ruleChanges, type RuleChange } from "./rule-changes";
import { restFindings, scopesOf } from "./rest";

export interface Review {
  readonly name: string;
  /** The plan says what becomes of everything that it manages. */
  readonly complete: boolean;
  /** Whether objects that no plan manages are known as well. */
  readonly wholeTenant: boolean;
  /** The gravest first. */
  readonly findings: readonly Finding[];
  readonly acls: AclReview;
  readonly rules: readonly RuleChange[];
  readonly policies: readonly PolicyReview[];
  readonly members: readonly MemberReview[];
  readonly scopes: readonly string[];
  readonly probes: readonly ProbeAnswer[];
  /** Every version, the inactive too: what requests are tried against. */
  readonly versions: { readonly before: readonly ReviewedAcl[]; readonly after: readonly ReviewedAcl[] };
}

export interface ReviewOptions {
  /** Code -> why it is not counted. */
  readonly ignored?: ReadonlyMap<string, string>;
  readonly probes?: readonly Probe[];
  /** The ACLs that the tenant has. */
  readonly living?: readonly Values[];
}

export function reviewPlans(name: string, plans: readonly Plan[], options: ReviewOptions = {}): Review {
  const { ignored = new Map<string, string>(), probes = [], living } = options;
  const versions = aclsOf(plans, living);
  const { before, after, leftOut, wholeTenant } = versions;
  const acls = reviewAcls(before, after);
  const policies = reviewPolicies(plans);
  const members = reviewMembers(plans);
  const complete = !leftOut && plans.every((plan) => plan.complete !== false && plan.errored !== true);
  const findings = [
    ...lockoutFindings(plans, before, after),
    ...aclFindings(acls, ownHosts(plans, [...before, ...after])),
    ...policyFindings(policies),
    ...members.findings,
    ...plans.flatMap(restFindings),
    ...(complete
      ? []
      : [
          finding(
            "TF-INCOMPLETE",
            "The plan leaves something out (-target, or an error): it is not all that is to be done.",
          ),
        ]),
  ];
  return {
    name,
    complete,
    wholeTenant,
    findings: findings.map((one) => withReason(one, ignored)).toSorted(byLevel),
    acls,
    rules: ruleChanges(before, after),
    policies,
    members: members.sets,
    scopes: scopesOf(plans),
    probes: answerProbes(probes, before, after, acls.secrets),
    versions: { before, after },
  };
}

function withReason(one: Finding, ignored: ReadonlyMap<string, string>): Finding {
  const reason = ignored.get(one.code);
  return reason === undefined ? one : { ...one, ignored: reason };
}

function byLevel(a: Finding, b: Finding): number {
  const rank = ({ level, ignored }: Finding) => (ignored === undefined ? levels.indexOf(level) : -1);
  return rank(b) - rank(a);
}

/** What no plan can tell, said once. */
export function blindSpot({ wholeTenant }: Review): string | undefined {
  if (wholeTenant) return undefined;
  return (
    "Objects that the plan does not manage are not known here: ACLs, policies and members made by hand. Give --tenant, or read " +
    "data.tenant_network_acls in the configuration, to have them weighed too."
  );
}

/** In a sentence, what becomes of the requests. */
export function verdictWords({ verdict, proven, changes }: AclReview): string {
  if (verdict === "equivalent") {
    return proven
      ? "Nothing changes for any request: that is proven."
      : "No request was found for which something changes, but not everything could be decided.";
  }
  const words = {
    more_permissive: "More requests get through",
    less_permissive: "Fewer requests get through",
    incomparable: "Some requests fare better, others worse, or go elsewhere",
  }[verdict];
  const count = `${changes.length} pair${changes.length === 1 ? "" : "s"} of rules decide${changes.length === 1 ? "s" : ""} otherwise`;
  return `${words}: ${count}${proven ? ", and that is all: it is proven" : "; not everything is certain"}.`;
}
