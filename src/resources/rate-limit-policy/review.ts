/** Reviews the change of a rate limit policy together with the other policies of the plan and the tenant. */
import { attributePath } from "../../cty/path";
import { show } from "../../sdk/check";
import { isKnown, type Change, type Planned, type State } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import { isSamePolicy, type Callers } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { claimIdentity } from "../duplicate";
import { warnOfEarlyAccess } from "../early-access";
import { tellEffect } from "../effects";
import { plannedObject } from "../planned-object";
import { reviewPolicyExpectations } from "../expectations/policy-review";
import { demandScopes } from "../scopes";
import { ifReadable, canLookUp } from "../lookup";
import { reportConflict } from "../conflicts";
import { reportRename } from "../identical";
import { rateLimitPolicy } from "./definition";
import { noteOf } from "./effect";
import { noteSuccession } from "./succession";
import { toWire } from "./wire";

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
    return tellEffect(noteOf(change), context);
  }
  if (action === "create" && !replaced) reportRename(kind, contentOf(planned), undefined, context);
  if (action !== "keep") warnOfEarlyAccess(context);
  if (action !== "replace") claimCallers(prior?.id, planned, context);
  if (action === "create") await reportHolder(replaced, planned, context);
  await reviewPolicyExpectations(change, context);
  if (action !== "keep") await tellEffect(noteOf(change), context);
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
  if (!found) return;
  const same = client.canAdopt && isKnown(rateLimitPolicy, planned) && isSamePolicy(found, toWire(planned));
  const place = {
    kind,
    key: "consumer_selector",
    value: callers.consumer_selector,
  };
  const importCommand = client.importCommand("tenant_rate_limit_policy", found.id);
  const holder = { id: found.id, called: show(found.configuration), same, importCommand };
  await reportConflict(
    place,
    { title: titleOf(replaced?.id, planned), id: replaced?.id, replaces: replaced !== undefined },
    holder,
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

function titleOf(id: string | undefined, { configuration }: Planned<Definition>): string {
  return `${id ?? "a new policy"} (${show(configuration)})`;
}

function contentOf({ resource, consumer, consumer_selector, configuration }: Planned<Definition>) {
  return { resource, consumer, consumer_selector, configuration };
}

function claimCallers(id: string | undefined, planned: Planned<Definition>, { plan, report }: Review): void {
  const callers = callersOf(planned);
  if (!callers) return;
  const { resource, consumer, consumer_selector } = callers;
  const title = titleOf(id, planned);
  const other = plan.claim(["callers", resource, consumer, consumer_selector], title);
  if (other === undefined) return;
  report({
    severity: "error",
    summary: "Two policies for the same callers",
    detail:
      `${title} and ${other} both have \`consumer_selector\` ${show(consumer_selector)}, with \`resource\` ` +
      `${show(resource)} and \`consumer\` ${show(consumer)}. A tenant can have only one such policy: remove one of the two.`,
    path: attributePath("consumer_selector"),
  });
}
