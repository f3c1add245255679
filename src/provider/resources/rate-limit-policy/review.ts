/** Reviews the change of a rate limit policy together with the other policies of the plan and the tenant. */
import { isAtLeast } from "../../../judge/impact/effect";
import { limitChanges } from "../../../judge/impact/rate-limit-policy/changes";
import { limitEffects } from "../../../judge/impact/rate-limit-policy/effects";
import { show } from "../../sdk/check";
import type { Change, Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Callers, RateLimitPolicy } from "../../../tenant/rate-limit-policies";
import type { Tenant } from "../../../tenant/tenant";
import type { Client } from "../client";
import {
  endingIfReplaced,
  plannedObject,
  demandScopes,
  tellEffect,
  type ToldChange,
  warnOfEarlyAccess,
} from "../review";
import { clientsOf } from "../statements/own-limit";
import { statementsAbout } from "../statements/statements";
import { claimObject, reportHolder, type UniqueKey } from "../claim";
import type { rateLimitPolicy } from "./definition";
import { rateLimitPolicy as kind } from "../../../judge/kinds/rate-limit-policy";

type Definition = typeof rateLimitPolicy;

type Review = ReviewContext<Client>;

export async function reviewRateLimitPolicy(change: Change<Definition>, context: Review): Promise<void> {
  const { action, planned, replaced } = change;
  await demandScopes(plannedObject(kind.type, change), context);
  claimObject(uniqueCallers, wordsOf(planned), change, context);
  if (planned && action !== "keep") warnOfEarlyAccess(context);
  if (action === "create") {
    const { resource, consumer, consumer_selector } = planned as object as Callers;
    const callers = { resource, consumer, consumer_selector };
    const holder = ({ rateLimitPolicies }: Tenant) => rateLimitPolicies.holder(callers);
    const claim = { planned, id: replaced?.id, replaces: replaced !== undefined };
    await reportHolder(uniqueCallers, claim, holder, context);
  }
  await reviewStatements(change, context);
  if (action !== "keep") await tellEffect(toldChange(change), context);
}

/** Loaded with the first statement about policies, because most configurations have none. */
async function reviewStatements(change: Change<Definition>, context: Review): Promise<void> {
  const { client } = context;
  if (!client) return;
  const { statements } = client;
  const limited = clientsOf(statements, { was: change.prior, becomes: change.planned });
  if (limited.length + statementsAbout(statements, "policy").length === 0) return;
  const { reviewPolicyStatements } = await import("../statements/policies.js");
  await reviewPolicyStatements(change, context);
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

/** Describes a policy in messages, so that two resources of one policy differ. */
function wordsOf({ consumer_selector, configuration }: Partial<Planned<Definition>> = {}): string {
  return `\`consumer_selector\` ${show(consumer_selector)} with ${show(configuration)}`;
}

const uniqueCallers: UniqueKey<RateLimitPolicy> = {
  kind,
  code: "TNF-POLICY-SAME-CALLERS",
  content: ["configuration"],
  titleOf: ({ configuration }, id) => `${String(id ?? "a new policy")} (${show(configuration)})`,
  called: ({ configuration }) => show(configuration),
};
