/** Renders a review as JSON, in the format that docs/guides/review.md describes. */
import type { PlannedAcl } from "../../judge/impact/network-acl/acl";
import { apisOf, type Effect } from "../../judge/impact/effect";
import { changeWords } from "../../judge/impact/words/causes";
import { summaryOf } from "../../judge/impact/words/verdict";
import { judgementWords } from "../../judge/impact/words/reason";
import { sentence, who } from "../../judge/impact/words/words";
import type { Facts } from "../../judge/impact/facts";
import { refusesOf } from "../../judge/impact/refusals";
import { differencesOf, groupsOf, type TenantGroup } from "./tenant-groups";
import { placeOf, type Places } from "../input/root";
import type { ReviewedExpectation } from "../judge/expectations";
import { trafficJson } from "./traffic";
import type { Review, TenantReview } from "../judge/review";
import type { TenantName } from "../input/tenant-address";
import { hidden } from "../../judge/impact/phrases";
import { linkTo } from "../../judge/codes/codes";
import { version } from "../../version";

const formatVersion = "2.0";

export function toJson(review: Review): object {
  const { configs, acls, policies, members, effects, complete, unseen, scopes, verdict, places } = review;
  const { expectations, changes, tenant } = review;
  return {
    format_version: formatVersion,
    ...(configs && { provider_configs: configs }),
    complete,
    unseen,
    verdict: {
      level: verdict.level,
      ...(tenant && { tenant: tenantJson(tenant) }),
      summary: summaryOf(verdict).join("\n"),
    },
    effects: effects.map((one) => effectJson(one, places)),
    network_acls: {
      proven: acls.proven,
      before: acls.before.map(aclJson),
      after: acls.after.map(aclJson),
      unreachable: acls.unreachable.map(({ acl, shadowedBy }) => ({
        acl: aclJson(acl),
        hidden_by: shadowedBy.map(aclJson),
      })),
    },
    ...(review.traffic && { traffic: trafficJson(review.traffic) }),
    rate_limit_policies: policies,
    member_sets: members,
    ...(expectations.length > 0 && { expectations: expectations.map((one) => expectationJson(one, places)) }),
    token_scopes: scopes,
    changes,
    ...(review.errors.length > 0 && { errors: review.errors }),
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
    groups: groups.map((group) => groupJson(group, groups[0]!)),
    plans: shown.flatMap(({ whole, parts }) => (parts.length > 0 ? parts : [whole])).map(named),
    ...(several.length > 0 && { tenants: several.map(({ whole }) => named(whole)) }),
  };
}

/** `--only expectations`. */
export const expectationsJson = (reviews: readonly Review[]): object => ({
  format_version: formatVersion,
  tenants: reviews.map(({ name, tenant, complete, unseen, effects, expectations, places }) => ({
    name,
    ...(tenant && { tenant: tenantJson(tenant) }),
    complete,
    unseen,
    effects: effects.map((one) => effectJson(one, places)),
    expectations: expectations.map((one) => expectationJson(one, places)),
  })),
});

function groupJson(group: TenantGroup, first: TenantGroup): object {
  const { tenants, isUnchanged } = group;
  return {
    count: tenants.length,
    unchanged: isUnchanged,
    tenants: tenants.map(({ whole: { name, tenant, changes } }) => ({
      name,
      ...(tenant && { tenant: tenantJson(tenant) }),
      changes,
    })),
    review: tenants[0]!.whole.name,
    differences: differencesOf(group, first),
  };
}

const tenantJson = ({ name, certain, source, prefix }: TenantName) => ({
  name,
  certain,
  source,
  ...(prefix !== undefined && { prefix }),
});

function effectJson(one: Effect, places: Places) {
  const { code, level, subject, facts, share, cause, certainty, assumptions, examples, ignored, already } = one;
  const { address, plan } = subject;
  const refuses = refusesOf(one);
  return {
    code,
    level,
    certainty,
    ...(refuses !== undefined && { refuses }),
    subject: { ...subject, ...(address !== undefined && placeOf({ places }, address, plan)) },
    facts: factsJson(facts),
    apis: apisOf(one),
    cause: cause.map((each) => ({ ...each, text: changeWords(each.change) })),
    assumptions,
    share,
    examples,
    who: who(one) ?? null,
    text: sentence(one),
    url: linkTo(code, version),
    ...(ignored !== undefined && { ignored }),
    ...(already && { already }),
  };
}

/** Words are in `text` and `who`, and the APIs in `apis`. */
function factsJson(facts: Facts): object {
  if (facts.kind === "gap") return { kind: facts.kind, gap: facts.gap };
  if (!("apis" in facts)) return facts;
  const { apis: _apis, ...rest } = facts;
  return rest;
}

function expectationJson(one: ReviewedExpectation, places: Places) {
  const { expectation, verdict, already, counterexample, cause, assumptions, file } = one;
  const { name, severity, plan } = expectation;
  return {
    name,
    verdict,
    severity: typeof severity === "symbol" ? null : severity,
    ...(already && { already }),
    ...(plan !== undefined && { plan }),
    ...(file !== undefined && { from: file }),
    text: judgementWords(one),
    counterexample: counterexample ?? null,
    cause: cause.map(({ address, plan: own, id, words }) => ({
      ...(address !== undefined && { address }),
      ...(own !== undefined && { plan: own }),
      ...(id !== undefined && { id }),
      object: expectation.isSecret ? hidden : words,
      ...(address !== undefined && placeOf({ places }, address, own)),
    })),
    assumptions,
  };
}

function aclJson({ address, plan, id, description, priority, secret, unplaced }: PlannedAcl) {
  return {
    ...(address !== undefined && { address }),
    ...(plan !== undefined && { plan }),
    ...(id !== undefined && { id }),
    description,
    priority: Number.isNaN(priority) || secret.has("priority") ? null : priority,
    ...(unplaced && { unplaced }),
  };
}
