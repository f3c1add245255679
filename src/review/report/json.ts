/** Renders a review as JSON, in the format that docs/guides/review.md describes. A property that is undefined is left out. */
import type { PlannedAcl } from "../../judge/impact/network-acl/acl";
import { apisOf, type Effect, type Facts } from "../../judge/impact/effect";
import { assumptionWords } from "../../judge/impact/words/assumption";
import { changeWords, sentence, who } from "../../judge/impact/words/words";
import { summaryOf } from "../../judge/impact/words/verdict";
import { judgementWords } from "../../judge/impact/words/reason";
import { becauseWords } from "../../judge/impact/words/statement";
import type { Reason, WordedReason } from "../../judge/impact/statement/reason";
import { refusesOf } from "../../judge/impact/refusals";
import { differencesOf, groupsOf, largestOf, type TenantGroup } from "./tenant-groups";
import { placeOf, type Places } from "../input/root";
import type { ReviewedExpectation } from "../judge/expectations";
import { trafficJson } from "./traffic";
import type { Review, TenantReview } from "../judge/review";
import { hidden } from "../../formats/text/lists";
import { linkTo } from "../../judge/codes/codes";
import { version } from "../../version";
import { isUnknown } from "../../formats/cty/value";

const formatVersion = "2.0";

export function toJson(review: Review): object {
  const { acls, complete, unseen, verdict, expectations, traffic, errors } = review;
  return {
    format_version: formatVersion,
    provider_configs: review.configs,
    complete,
    unseen,
    verdict: { level: verdict.level, tenant: tenantJson(review), summary: summaryOf(verdict).join("\n") },
    effects: effectsJson(review),
    network_acls: {
      proven: acls.proven,
      before: acls.before.map(aclJson),
      after: acls.after.map(aclJson),
      unreachable: acls.unreachable.map(({ acl, shadowedBy }) => ({
        acl: aclJson(acl),
        hidden_by: shadowedBy.map(aclJson),
      })),
    },
    traffic: traffic && trafficJson(traffic),
    rate_limit_policies: review.policies.map(({ assumptions, ...one }) => ({
      ...one,
      assumptions: assumptions?.map(assumptionWords),
    })),
    member_sets: review.members,
    expectations: expectations.length > 0 ? expectationsOf(review) : undefined,
    token_scopes: review.scopes,
    changes: review.changes(),
    errors: errors.length > 0 ? errors : undefined,
  };
}

const named = (review: Review) => ({ name: review.name, ...toJson(review) });

/** Several plans or tenants: each part by itself, and all plans of one tenant together. Tenants with one effect are folded. */
export function toJsonOfMany(tenants: readonly TenantReview[]): object {
  const [{ whole: only, parts: all }, ...others] = tenants as [TenantReview];
  if (others.length === 0) return { format_version: formatVersion, plans: all.map(named), together: toJson(only) };
  const groups = groupsOf(tenants);
  const shown = groups.map(({ tenants: [first] }) => first!);
  const several = shown.filter(({ parts }) => parts.length > 0);
  return {
    format_version: formatVersion,
    groups: groups.map((group) => groupJson(group, largestOf(groups))),
    plans: shown.flatMap(({ whole, parts }) => (parts.length > 0 ? parts : [whole])).map(named),
    tenants: several.length > 0 ? several.map(({ whole }) => named(whole)) : undefined,
  };
}

/** `--only expectations`. */
export const expectationsJson = (reviews: readonly Review[]): object => ({
  format_version: formatVersion,
  tenants: reviews.map((review) => ({
    name: review.name,
    tenant: tenantJson(review),
    complete: review.complete,
    unseen: review.unseen,
    effects: effectsJson(review),
    expectations: expectationsOf(review),
  })),
});

const groupJson = (group: TenantGroup, first: TenantGroup) => ({
  count: group.tenants.length,
  unchanged: group.isUnchanged,
  tenants: group.tenants.map(({ whole }) => ({
    name: whole.name,
    tenant: tenantJson(whole),
    changes: whole.changes(),
  })),
  review: group.tenants[0]!.whole.name,
  differences: differencesOf(group, first),
});

function tenantJson({ tenant }: Review) {
  const { name, certain, source, prefix } = tenant;
  return { name, certain, source, prefix };
}

const effectsJson = ({ effects, places }: Review) => effects.map((one) => effectJson(one, places));
const expectationsOf = ({ expectations, places }: Review) => expectations.map((one) => expectationJson(one, places));

function effectJson(one: Effect, places: Places) {
  const { code, level, subject, facts, share, cause, certainty, assumptions, examples, ignored, already } = one;
  return {
    code,
    level,
    certainty,
    refuses: refusesOf(one),
    subject: { ...subject, ...placeOf({ places }, subject.address, subject.plan) },
    facts: factsJson(facts),
    apis: apisOf(one),
    cause: cause.map((each) => ({ ...each, text: changeWords(each.change) })),
    assumptions: assumptions.map((each) => ({
      text: assumptionWords(each),
      address: each.address,
      ...(each.is === "ACL" && { path: each.path }),
    })),
    share,
    examples,
    who: who(one) ?? null,
    text: sentence(one),
    url: linkTo(code, version),
    ignored,
    already,
  };
}

/** Words are in `text` and `who`, and the APIs in `apis`. */
export function factsJson(facts: Facts) {
  if (facts.kind === "gap") return { kind: facts.kind, gap: facts.gap };
  if (facts.kind === "blind") return { ...facts, because: facts.because.map(assumptionWords) };
  if (facts.kind === "lockout") return { ...facts, because: facts.because && becauseWords(facts.because) };
  if (facts.kind === "statement") return { ...facts, reason: reasonJson(facts.reason) };
  return { ...facts, apis: undefined };
}

function reasonJson(reason: Reason): WordedReason {
  if (reason.kind === "incomplete") return { ...reason, because: reason.because.map(assumptionWords) };
  if (reason.kind !== "assumed") return reason;
  const { of, that, beside } = reason;
  return { ...reason, of: reasonJson(of), that: that.map(assumptionWords), beside: beside.map(assumptionWords) };
}

function expectationJson(one: ReviewedExpectation, places: Places) {
  const { expectation, verdict, already, counterexample, cause, assumptions, file } = one;
  const { name, severity, plan } = expectation;
  return {
    name,
    verdict,
    severity: isUnknown(severity) ? null : severity,
    already,
    plan,
    from: file,
    text: judgementWords(one),
    counterexample: counterexample ?? null,
    cause: cause.map(({ address, plan: own, id, words }) => ({
      address,
      plan: own,
      id,
      object: expectation.isSecret ? hidden : words,
      ...placeOf({ places }, address, own),
    })),
    assumptions: assumptions.map(assumptionWords),
  };
}

const aclJson = ({ address, plan, id, description, priority, secret, tenantUnknown }: PlannedAcl) => ({
  address,
  plan,
  id,
  description,
  priority: isUnknown(priority) || secret.has("priority") ? null : priority,
  unplaced: tenantUnknown,
});
