/** What only the tenant and the other policies of a plan can tell about a change of a rate limit policy. */
import { attributePath } from "../../cty/path";
import { show } from "../../sdk/check";
import type { Change, Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { warnOfEarlyAccess } from "../early-access";
import { demandScopes, verbs } from "../scopes";
import { reportRename } from "../twins";
import type { rateLimitPolicy } from "./definition";

type Definition = typeof rateLimitPolicy;

export async function reviewRateLimitPolicy(change: Change<Definition>, context: ReviewContext<Client>): Promise<void> {
  const { action, prior, planned, replaced } = change;
  await demandScopes(
    verbs[action].map((verb) => `${verb}:rate_limit_policies`),
    context,
  );
  if (action === "destroy") {
    reportRename("rate limit policy", contentOf(prior), prior.id, context);
    return;
  }
  if (action === "create" && !replaced) reportRename("rate limit policy", contentOf(planned), undefined, context);
  if (action !== "keep") warnOfEarlyAccess("Rate limit policies", context);
  if (action !== "replace") claimCallers(prior?.id, planned, context);
}

function contentOf({ resource, consumer, consumer_selector, configuration }: Planned<Definition>) {
  return { resource, consumer, consumer_selector, configuration };
}

function claimCallers(
  id: string | undefined,
  { resource, consumer, consumer_selector, configuration }: Planned<Definition>,
  { plan, report }: ReviewContext<Client>,
): void {
  const callers = [resource, consumer, consumer_selector].filter((part) => typeof part === "string");
  if (callers.length < 3) return;
  const title = `${id ?? "a new policy"} (${show(configuration)})`;
  const other = plan.claim(["callers", ...callers], title);
  if (other === undefined) return;
  report({
    severity: "error",
    summary: "Two policies for the same callers",
    detail:
      `${title} and ${other} both have \`consumer_selector\` ${show(consumer_selector)} (with \`resource\` ` +
      `${show(resource)} and \`consumer\` ${show(consumer)}), of which the tenant holds one: remove one of the two.`,
    path: attributePath("consumer_selector"),
  });
}
