/** Rate limit policies: the limit that holds for each consumer before and after. */
import { apart, type Marks, type PlannedObject, type Values } from "../impact/model";
import { managedBy, type Duplicates } from "./duplicates";
import { objectsOf } from "./objects";
import { finding, type Finding } from "../impact/finding";
import type { Plan } from "./plan";
import { block, isMarked, meant } from "../impact/value";
import { hidden } from "../impact/hidden";

export interface Limit {
  readonly action: string;
  /** Requests a second; null: none. */
  readonly limit: number | null;
  readonly redirect_uri?: string;
  /** The selector of the policy that it comes from. */
  readonly by: string;
}

export interface PolicyReview {
  readonly address?: string;
  /** The name of its plan, of several. */
  readonly plan?: string;
  readonly resource: string;
  readonly consumer: string;
  readonly consumer_selector: string;
  /** null: no policy holds for it. */
  readonly before: Limit | null;
  readonly after: Limit | null;
  /** The callers or the limit are known only after the apply, or the limit changes and is sensitive. */
  readonly open?: true;
  /** What it depends on that is not known. */
  readonly note?: string;
}

const types = ["tenant_rate_limit_policy", "auth0_rate_limit_policy"];

interface Policy extends Limit {
  readonly address: string;
  readonly plan?: string;
  readonly resource: string;
  readonly consumer: string;
  /** It may be another tenant's. */
  readonly unplaced: boolean;
  /** Which callers it is for is known only after the apply. */
  readonly isAnyone: boolean;
  /** Which of these must not be shown: policies are told apart by what they are, not by what is shown of them. */
  readonly secret: ReadonlySet<string>;
  /** The configuration as it is: never shown. */
  readonly meaning: string;
}

const identity = ["resource", "consumer", "consumer_selector"] as const;

/** `living`: the policies that the tenant has, where that is known. */
export function reviewPolicies(
  plans: readonly Plan[],
  living: readonly Values[] = [],
  duplicates: Duplicates = new Map(),
): PolicyReview[] {
  const objects = plans.flatMap((plan) => objectsOf(plan, types)).flatMap(apart);
  const managed = new Set(objects.map(({ before: was }) => was?.["id"]));
  const others = living.filter(({ id }) => !managed.has(id)).flatMap((one) => policyFrom({ address: "" }, one, false));
  const found = [
    objects.flatMap((one) => policyFrom(one, one.before, one.beforeSensitive)),
    objects.flatMap((one) => policyFrom(one, one.after, one.afterSensitive)),
  ] as const;
  // A tenant has one policy of an identity: if this tenant has its own, a policy that may be another tenant's is that tenant's.
  const sure = new Set(found.flat().flatMap((policy) => (policy.unplaced ? [] : keyOf(policy))));
  const planned = found.map((own) => own.filter((policy) => !policy.unplaced || !sure.has(keyOf(policy))));
  const sidesByKey = planned.map((own) => firstByKey([...own, ...others]));
  const own = planned.flat();
  const contested = new Set(
    objects
      .filter((one) => duplicates.has(managedBy(one) ?? ""))
      .flatMap((one) => [one.before, one.after].flatMap((values) => policyFrom(one, values, undefined).map(keyOf))),
  );
  // Unmanaged policies appear only if the plans change their effect: clients without a policy, when the default is removed.
  const targets = new Map(own.map((policy) => [keyOf(policy), policy]));
  const secrets = secretsIn(own);
  const anyone = planned[1]!.filter(({ isAnyone }) => isAnyone);
  return [...targets.values()].map((target) => {
    const sides = sidesByKey.map((policies) => effective(policies, target));
    const [was, is] = sides.map((policy) => (policy ? limitOf(policy, secrets) : null)) as [Limit | null, Limit | null];
    const secret = secrets.get(keyOf(target)) ?? new Set();
    const isSecret = secret.has("consumer_selector");
    const depends = (isSecret || isClient(target.by)) && sides.some((policy) => policy?.by !== target.by);
    const notes = [
      ...(target.unplaced ? [unplacedNote] : []),
      ...(contested.has(keyOf(target)) ? [order] : []),
      ...(target.isAnyone ? [callers] : []),
      ...(anyone.length > 0 && !sidesByKey[1]!.has(keyOf(target)) ? [mayBeMeant(anyone)] : []),
      ...(depends ? [isSecret ? secretGroup : group] : []),
    ];
    return {
      address: target.address,
      ...(target.plan !== undefined && { plan: target.plan }),
      resource: secret.has("resource") ? hidden : target.resource,
      consumer: secret.has("consumer") ? hidden : target.consumer,
      consumer_selector: isSecret ? hidden : target.by,
      before: was,
      after: is,
      ...((target.isAnyone || isOpenLimit(is) || isSecretChange(sides)) && { open: true as const }),
      ...(notes.length > 0 && { note: notes.join("; ") }),
    };
  });
}

/** Whether a limit changes, and one of its values is sensitive. */
function isSecretChange([was, is]: readonly (Policy | undefined)[]): boolean {
  return [was, is].some((side) => side?.action === hidden) && was?.meaning !== is?.meaning;
}

const unplacedNote = "the plan does not show which tenant the policy belongs to";
const order = "several resources manage the policy, and the one that is applied last sets the limit";
const callers = "the callers of the policy are known only after the apply";
const mayBeMeant = (anyone: readonly Policy[]) =>
  `${anyone.map(({ address }) => address).join(" and ")} may limit the same callers, but that is known only after the apply`;
const group = "whether the client belongs to a group with a policy of its own is not known";
/** For callers that are sensitive. */
const secretGroup = "whether it is a client that belongs to a group with a policy of its own is not known";

const keyOf = ({ resource, consumer, by }: Pick<Policy, "resource" | "consumer" | "by">) =>
  JSON.stringify([resource, consumer, by]);

const isClient = (selector: string) => selector.startsWith("client_id:");

/** Key -> what must not be shown of it, as one of its policies marks it. */
function secretsIn(policies: readonly Policy[]): Map<string, ReadonlySet<string>> {
  const secrets = new Map<string, ReadonlySet<string>>();
  for (const policy of policies) {
    if (policy.secret.size === 0) continue;
    const key = keyOf(policy);
    secrets.set(key, new Set([...(secrets.get(key) ?? []), ...policy.secret]));
  }
  return secrets;
}

/** A policy of the consumer's own goes before the default; to which group a client belongs no plan says. */
function effective(policies: ReadonlyMap<string, Policy>, target: Policy): Policy | undefined {
  return policies.get(keyOf(target)) ?? policies.get(keyOf({ ...target, by: "default" }));
}

function firstByKey(policies: readonly Policy[]): ReadonlyMap<string, Policy> {
  return new Map(policies.toReversed().map((policy) => [keyOf(policy), policy]));
}

function limitOf(policy: Policy, secrets: ReadonlyMap<string, ReadonlySet<string>>): Limit {
  const { action, limit, redirect_uri, by } = policy;
  const isSecret = secrets.get(keyOf(policy))?.has("consumer_selector");
  return { action, limit, ...(redirect_uri !== undefined && { redirect_uri }), by: isSecret ? hidden : by };
}

function policyFrom(
  { address, plan, unplaced }: Pick<PlannedObject, "address" | "plan" | "unplaced">,
  known: Values | undefined,
  marks: Marks,
): Policy[] {
  if (!known) return [];
  const text = (name: string, otherwise: string) => {
    const value = known[name];
    return typeof value === "symbol" ? pending : typeof value === "string" ? value : otherwise;
  };
  const configuration = block(known["configuration"]);
  const part = (name: string) => (typeof configuration === "object" ? configuration[name] : configuration);
  const isSecret = isMarked(marks, "configuration");
  const action = part("action");
  const limit = numberFrom(part("limit"));
  const uri = part("redirect_uri");
  return [
    {
      address,
      ...(plan !== undefined && { plan }),
      unplaced: unplaced === true,
      isAnyone: identity.some((name) => typeof known[name] === "symbol"),
      resource: text("resource", "oauth_authentication_api"),
      consumer: text("consumer", "client"),
      by:
        typeof known["consumer_selector"] === "string" ? known["consumer_selector"] : `(known after apply: ${address})`,
      secret: new Set(identity.filter((name) => isMarked(marks, name))),
      action: isSecret ? hidden : typeof action === "string" ? action : pending,
      limit: isSecret || action === "allow" || typeof limit !== "number" || Number.isNaN(limit) ? null : limit,
      ...(typeof uri === "string" && uri !== "" && !isSecret && { redirect_uri: uri }),
      ...(typeof uri === "symbol" && !isSecret && { redirect_uri: pending }),
      meaning: JSON.stringify(meant(configuration)) ?? "",
    },
  ];
}

const numberFrom = (value: unknown) => (typeof value === "string" && value !== "" ? Number(value) : value);

/** Shown in place of a value that is not known yet. */
const pending = "(known after apply)";

function isOpenLimit(limit: Limit | null): boolean {
  return (
    limit !== null && limit.action !== hidden && (strictness(limit) === undefined || limit.redirect_uri === pending)
  );
}

export function policyFindings(reviews: readonly PolicyReview[]): Finding[] {
  return reviews.flatMap((review) => {
    const { address, consumer_selector: selector, before, after, note } = review;
    const who = selector === hidden ? `${hidden} of ${address}` : selector;
    const was = strictness(before);
    const is = strictness(after);
    const words = `${limitWords(before)} before, ${limitWords(after)} after${note ? `; ${note}` : ""}.`;
    if (review.open) {
      const isSecret = [before, after].some((limit) => limit?.action === hidden);
      const how = isSecret ? "changes and is sensitive" : "is known only after the apply";
      return [finding("TF-LIMIT-UNKNOWN", `The limit for ${who} ${how}: ${words}`, review)];
    }
    const redirected =
      after?.redirect_uri !== undefined && after.redirect_uri !== before?.redirect_uri
        ? [
            finding(
              "TF-LIMIT-REDIRECT",
              `Requests of ${who} above the limit are newly redirected to ${after.redirect_uri}: ${words}`,
              review,
            ),
          ]
        : [];
    // A limit that is not known, or is sensitive, is neither tighter nor looser.
    if (was === undefined || is === undefined) {
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      const unread = finding(
        "TF-LIMIT-UNKNOWN",
        `The plan does not show enough of the limit for ${who}: ${words}`,
        review,
      );
      return isSame ? [] : [unread, ...redirected];
    }
    if (is === was && (is === Infinity || before?.action === after?.action)) return redirected;
    if (after?.action === "block" && after.limit === 0)
      return [finding("TF-LIMIT-BLOCKED", `All requests of ${who} are blocked: ${words}`, review)];
    if (is < was) {
      const how = was === Infinity ? "new" : "tighter";
      return [finding("TF-LIMIT-TIGHTENED", `The limit for ${who} is ${how}: ${words}`, review), ...redirected];
    }
    return [finding("TF-LIMIT-LOOSENED", `The limit for ${who} is looser: ${words}`, review), ...redirected];
  });
}

/** How many requests a second get through: what is only recorded gets through as well. Undefined: not known. */
function strictness(limit: Limit | null): number | undefined {
  if (!limit || limit.action === "log" || limit.action === "allow") return Infinity;
  const isKnown = limit.action === "block" || limit.action === "redirect";
  return isKnown ? (limit.limit ?? undefined) : undefined;
}

export function limitWords(limit: Limit | null): string {
  if (!limit) return "no limit";
  const { action, limit: number, by, redirect_uri } = limit;
  const above = {
    block: "block above",
    log: "record above",
    redirect: `redirect${redirect_uri ? ` to ${redirect_uri}` : ""} above`,
  }[action];
  const words = above ? `${above} ${number === null ? pending : `${number}/s`}` : action;
  return by === "default" ? `${words} (default)` : words;
}
