/** Reads what the judges need to know about the change of a rate limit policy. */
import { rateLimitPolicy as kind } from "../../../judge/kinds/rate-limit-policy";
import type { Values } from "../../../judge/impact/model";
import { show } from "../../sdk/check";
import type { Change } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { addObject, judgeWhenQuiet, plannedObject } from "../judge-plan";
import { canLookUp, noteScopes, readList } from "../scopes";
import { isLimiting } from "../statements/own-limit";
import { isOver, statementsAbout } from "../statements/statements";
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
  await judgeWhenQuiet(context, await noteStatements(change, context));
}

/** Notes the statements that the change concerns, and reads the policies that decide about them. Whether there are any. */
async function noteStatements(change: Change<Definition>, context: Review): Promise<boolean> {
  const { client } = context;
  if (!client || isOver(change, context)) return false;
  const { action, prior, planned } = change;
  const { statements, tenant } = client;
  const isLimited = action !== "keep" && isLimiting(statements, { was: prior, becomes: planned });
  const all = statementsAbout(statements, "rate_limit_policies").filter(
    (one) => isLimited || one.statement.kind !== "own limit",
  );
  if (all.length === 0) return false;
  await readList(client, "rate_limit_policies", () => tenant.rateLimitPolicies.list());
  for (const one of all) statements.asked.add(one);
  return true;
}
