/** Reviews the change of a rate limit policy together with the other policies of the plan and the tenant. */
import { attributePath } from "../../cty/path";
import { isAtLeast } from "../../impact/effect";
import { limitChanges } from "../../impact/rate-limit-policy/changes";
import { limitEffects } from "../../impact/rate-limit-policy/effects";
import { show } from "../../sdk/check";
import type { Change, Planned, State } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Callers } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { claimIdentity } from "../duplicate";
import { warnOfEarlyAccess } from "../early-access";
import { tellEffect, type ToldChange } from "../effects";
import { endingIfReplaced, plannedObject } from "../planned-object";
import { reviewPolicyExpectations } from "../expectations/object-review";
import { demandScopes } from "../scopes";
import { ifReadable, canLookUp } from "../lookup";
import { reportConflict } from "../conflicts";
import { reportRename } from "../identical";
import { holderOf, placeOf } from "../unique-key";
import type { rateLimitPolicy } from "./definition";
import { reviewOwnLimit } from "./own-limit";
import { noteSuccession } from "./succession";
import { uniqueCallers } from "./unique-callers";

type Definition = typeof rateLimitPolicy;

type Review = ReviewContext<Client>;

const kind = "rate limit policy";

export async function reviewRateLimitPolicy(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned, replaced } = change;
  await demandScopes(plannedObject("tenant_rate_limit_policy", change), context);
  if (prior) claimIdentity({ kind, id: prior.id, title: wordsOf(planned) }, change, context);
  if (action === "destroy") {
    reportRename(kind, contentOf(prior), prior.id, context);
    await reviewPolicyExpectations(change, context);
    await reviewOwnLimit(change, context);
    return tellEffect(toldChange(change), context);
  }
  if (action === "create" && !replaced) reportRename(kind, contentOf(planned), undefined, context);
  if (action !== "keep") warnOfEarlyAccess(context);
  if (action !== "replace") claimCallers(prior?.id, planned, context);
  if (action === "create") await reportHolder(replaced, planned, context);
  await reviewPolicyExpectations(change, context);
  await reviewOwnLimit(change, context);
  if (action !== "keep") await tellEffect(toldChange(change), context);
}

function toldChange(change: Change<Definition>): ToldChange {
  const { prior } = change;
  const object = endingIfReplaced(plannedObject("tenant_rate_limit_policy", change));
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
  const found = await ifReadable(() => uniqueCallers.holder(client.tenant, planned));
  if (replaced) noteSuccession(privateState, callers, found);
  if (!found) return;
  const { id } = replaced ?? {};
  await reportConflict(
    placeOf(uniqueCallers, planned),
    { title: uniqueCallers.titleOf(planned, id), id, replaces: replaced !== undefined },
    holderOf(uniqueCallers, found, planned, client),
    context,
  );
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
