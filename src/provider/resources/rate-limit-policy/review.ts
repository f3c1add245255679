/** Reads what the judges need to know about the change of a rate limit policy. */
import { rateLimitPolicy as kind } from "../../../judge/kinds/rate-limit-policy";
import type { Values } from "../../../judge/impact/model";
import { show } from "../../sdk/check";
import type { Change } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { addObject, judgeWhenQuiet, plannedObject } from "../judge-plan";
import { canLookUp, readList } from "../lookup";
import { noteScopes } from "../scopes";
import { clientsOf } from "../statements/own-limit";
import { statementsAbout } from "../statements/statements";
import type { rateLimitPolicy } from "./definition";

type Definition = typeof rateLimitPolicy;
type Review = ReviewContext<Client>;

export async function reviewRateLimitPolicy(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned } = change;
  const title = `rate limit policy of ${show((planned ?? prior)!.consumer_selector)}${prior ? ` (${prior.id})` : ""}`;
  const object = plannedObject(kind.type, change);
  await addObject(title, object, context);
  await noteScopes(object, context);
  const { client } = context;
  const isKnown = kind.uniqueKey.every((name) => typeof (planned as Values | undefined)?.[name] === "string");
  if (action === "create" && isKnown && client && canLookUp(context)) {
    await readList(client, "rate_limit_policies", () => client.tenant.rateLimitPolicies.list());
  }
  await reviewStatements(change, context);
  await judgeWhenQuiet(context);
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
