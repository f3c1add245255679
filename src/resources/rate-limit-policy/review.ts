/** Reviews the change of a rate limit policy together with the other policies of the plan and the tenant. */
import { attributePath } from "../../cty/path";
import { isAtLeast } from "../../impact/effect";
import { limitChanges } from "../../impact/rate-limit-policy/changes";
import { limitEffects } from "../../impact/rate-limit-policy/effects";
import { show } from "../../sdk/check";
import type { Change, Planned, State } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Callers, RateLimitPolicies, RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { claimIdentity, reportRename } from "../identical";
import { canLookUp, ifReadable } from "../lookup";
import {
  demandScopes,
  endingIfReplaced,
  plannedObject,
  tellEffect,
  type ToldChange,
  warnOfEarlyAccess,
} from "../review";
import { reviewPolicyExpectations } from "../expectations/object-review";
import { conditionOf, reportTaken, type UniqueKey } from "../conflicts";
import type { rateLimitPolicy } from "./definition";
import { rateLimitPolicy as kind } from "../../kinds/rate-limit-policy";
import { DiagnosticError } from "../../sdk/diagnostic";
import { mayStarve, ownLimit, type OwnLimit, ownLimitWords } from "../../impact/rate-limit-policy/own-client";
import { ofOwnLimit } from "../../impact/refusals";
import type { Values } from "../../impact/model";
import { policyStates } from "../expectations/states";

type Definition = typeof rateLimitPolicy;

type Review = ReviewContext<Client>;

export async function reviewRateLimitPolicy(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned, replaced } = change;
  await demandScopes(plannedObject(kind.type, change), context);
  if (prior) claimIdentity({ kind: kind.noun, id: prior.id, title: wordsOf(planned) }, change, context);
  if (action === "destroy") {
    reportRename(kind.noun, contentOf(prior), prior.id, context);
    await reviewPolicyExpectations(change, context);
    await reviewOwnLimit(change, context);
    return tellEffect(toldChange(change), context);
  }
  if (action === "create" && !replaced) reportRename(kind.noun, contentOf(planned), undefined, context);
  if (action !== "keep") warnOfEarlyAccess(context);
  if (action !== "replace") claimCallers(prior?.id, planned, context);
  if (action === "create") await reportHolder(replaced, planned, context);
  await reviewPolicyExpectations(change, context);
  await reviewOwnLimit(change, context);
  if (action !== "keep") await tellEffect(toldChange(change), context);
}

function toldChange(change: Change<Definition>): ToldChange {
  const { prior } = change;
  const object = endingIfReplaced(plannedObject(kind.type, change));
  return {
    title: `Rate limit policy${prior ? ` ${prior.id}` : ""}`,
    object,
    mayMatter: limitEffects(limitChanges([object])).some(({ level }) => isAtLeast(level, "medium")),
  };
}

/** A policy of the tenant that Terraform does not manage and that is for the same callers. */
async function reportHolder(
  replaced: Partial<State<Definition>> | undefined,
  planned: Planned<Definition>,
  context: Review,
): Promise<void> {
  const { client, privateState } = context;
  const callers = callersOf(planned);
  if (!client || !callers || !canLookUp(context)) return;
  const found = await ifReadable(() => client.tenant.rateLimitPolicies.holder(callers));
  if (replaced) noteSuccession(privateState, callers, found);
  const claim = { planned, id: replaced?.id, replaces: replaced !== undefined };
  if (found) await reportTaken(uniqueCallers, found, claim, client, context);
}

/** Undefined while they are not known. */
function callersOf({ resource, consumer, consumer_selector }: Planned<Definition>): Callers | undefined {
  const callers = { resource, consumer, consumer_selector };
  return Object.values(callers).every((part) => typeof part === "string") ? (callers as Callers) : undefined;
}

/** Describes a policy in messages, so that two resources of one policy differ. */
function wordsOf({ consumer_selector, configuration }: Partial<Planned<Definition>> = {}): string {
  return `\`consumer_selector\` ${show(consumer_selector)} with ${show(configuration)}`;
}

function contentOf({ resource, consumer, consumer_selector, configuration }: Planned<Definition>) {
  return { resource, consumer, consumer_selector, configuration };
}

function claimCallers(id: string | undefined, planned: Planned<Definition>, { plan, report }: Review): void {
  const callers = callersOf(planned);
  if (!callers) return;
  const { resource, consumer, consumer_selector } = callers;
  const title = uniqueCallers.titleOf(planned, id);
  const other = plan.claim(["callers", resource, consumer, consumer_selector], title);
  if (other === undefined) return;
  report({
    severity: "error",
    code: "TNF-POLICY-SAME-CALLERS",
    detail:
      `${title} and ${other} both have \`consumer_selector\` ${show(consumer_selector)}, with \`resource\` ` +
      `${show(resource)} and \`consumer\` ${show(consumer)}. A tenant can have only one such policy: remove one of the two.`,
    path: attributePath("consumer_selector"),
  });
}

const uniqueCallers: UniqueKey<RateLimitPolicy> = {
  kind,
  content: ["configuration"],
  titleOf: ({ configuration }, id) => `${String(id ?? "a new policy")} (${show(configuration)})`,
  called: ({ configuration }) => show(configuration),
};

/* Deletes a policy that moves to other applications only if the new policy can be created. */

/** Facts from the plan of the new policy that the deletion of the old one needs. */
interface Succession {
  readonly callers: Callers;
  /** The policy that has these callers now and leaves them in the same plan. */
  readonly yielding?: string;
}

type Kept = Record<string, unknown>;

function noteSuccession(kept: Kept, callers: Callers, holder: RateLimitPolicy | undefined): void {
  kept.succession = { callers, yielding: holder?.id } satisfies Succession;
}

export function forgetSuccession(kept: Kept): void {
  delete kept.succession;
}

/** Whether the new policy has the same callers as the old one. */
export function keepsCallers({ succession }: Kept, old: RateLimitPolicy): boolean {
  return (succession as Succession | undefined)?.callers.consumer_selector === old.consumer_selector;
}

/** Throws if another policy got the callers after the plan. */
export async function demandFree(kept: Kept, old: RateLimitPolicy, policies: RateLimitPolicies): Promise<void> {
  const succession = kept.succession as Succession | undefined;
  if (!succession) return;
  const { callers, yielding } = succession;
  const holder = await policies.holder(callers);
  if (!holder || holder.id === old.id || holder.id === yielding) return;
  throw new DiagnosticError(
    "TNF-CALLERS-HAVE-POLICY",
    `The plan moves policy ${old.id} (${old.consumer_selector}) to ${callers.consumer_selector}, but policy ${holder.id} now has ` +
      "this selector. The old policy did not change. Plan again with another selector, or remove that policy first.",
    attributePath("consumer_selector"),
  );
}

/* Refuses plans and writes that leave Terraform's own client without requests for a token. */

const code = "[TNF-LIMIT-LOCKOUT]";
const wayOut = 'If this is meant, set `lockout_guard = "warn"` in the provider block.';

/** A write that may concern Terraform's own client: `becomes`, the policy after it; `was`, the one before it. */
interface Concern {
  readonly was?: object | undefined;
  readonly becomes?: object | undefined;
}

/** Undefined: the write cannot limit the client, or Terraform asks for no token. */
function concernedClient({ ownClient }: Client, { was, becomes }: Concern): string | undefined {
  const { id, strength } = ownClient;
  if (id === undefined || strength === "off") return undefined;
  const isOwn = (values: object) => (values as Values)["consumer_selector"] === `client_id:${id}`;
  const loses = was !== undefined && isOwn(was) && !(becomes && isOwn(becomes));
  return loses || (becomes !== undefined && mayStarve(becomes as Values, id)) ? id : undefined;
}

async function reviewOwnLimit(change: Change<Definition>, context: ReviewContext<Client>): Promise<void> {
  const { action, prior, planned } = change;
  const { client, plan } = context;
  // An apply judges its writes.
  if (!client || action === "keep" || plan.phase === "apply") return;
  const id = concernedClient(client, { was: prior, becomes: planned });
  if (id === undefined) return;
  const policies = await ifReadable(() => client.tenant.rateLimitPolicies.list());
  if (!policies) return;
  const find = () => {
    const { before, after } = policyStates(policies, plan.changes());
    return ownLimit(valuesOf(before.policies), valuesOf(after.policies), id);
  };
  const refuses = (limit: OwnLimit) => ofOwnLimit(limit, client.ownClient.strength).refuses;
  const { found, isComplete } = await plan.gathered("limit of Terraform's own client", find, refuses);
  const [limit] = found;
  if (!limit || !plan.isFirst(`limit of Terraform's own client ${limit.rate}`)) return;
  const isRefused = refuses(limit) && isComplete;
  const later =
    refuses(limit) && !isComplete ? " Another change of this plan may still prevent this, so the apply decides." : "";
  context.report({
    severity: isRefused ? "error" : "warning",
    code: ["TNF-PLAN-LOCKOUT", "may lock out Terraform itself"],
    detail: [
      ownLimitWords(limit, id) + later,
      ...(isRefused ? [wayOut] : []),
      code + (isRefused ? conditionOf(plan) : ""),
    ].join(" "),
    path: planned?.consumer_selector === limit.selector ? attributePath("configuration") : [],
  });
}

const valuesOf = (policies: readonly { readonly values: Values }[] = []) => policies.map(({ values }) => values);

interface OwnLimitGuard {
  refusal(before: readonly RateLimitPolicy[], after: readonly RateLimitPolicy[]): Error | undefined;
}

/** Undefined: the write cannot lock out. */
export function ownLimitGuard(client: Client, concern: Concern): OwnLimitGuard | undefined {
  const id = concernedClient(client, concern);
  if (id === undefined || client.ownClient.strength !== "error") return undefined;
  const plain = (policies: readonly RateLimitPolicy[]) => policies as readonly object[] as readonly Values[];
  return {
    refusal(before, after) {
      const limit = ownLimit(plain(before), plain(after), id);
      if (!limit || !ofOwnLimit(limit).refuses) return undefined;
      const detail =
        `${ownLimitWords(limit, id)} The provider waited for other changes of this apply, but none came that prevents this. It did not ` +
        `send this write, so the state is still true. ${wayOut} ${code}`;
      return new DiagnosticError("TNF-STEP-LOCKOUT", detail, concern.becomes ? attributePath("configuration") : []);
    },
  };
}
