/** What only the tenant and the other ACLs of a plan can tell about a change of a network ACL. */
import { matchesAnything, type Rule } from "../access/rule";
import { attributePath } from "../cty/path";
import { isWhollyKnown, type Value } from "../cty/value";
import type { Change, ReviewContext } from "../sdk/resource";
import type { NetworkAclBody } from "../tenant/network-acls";
import type { Client } from "./client";
import { warnOfEarlyAccess } from "./early-access";
import { demandScopes, verbs } from "./scopes";
import { reportRename } from "./twins";

export async function reviewNetworkAcl(change: Change<any, any>, context: ReviewContext<Client>): Promise<void> {
  const { action, prior, planned } = change;
  const replaced = change.action === "create" ? change.replaced : undefined;
  const guard = context.session.client?.guard;
  await demandScopes(
    verbs[action].map((verb) => `${verb}:network_acls`),
    context,
  );
  if (action === "destroy") {
    reportRename("network ACL", contentOf(prior), prior.id, context);
    await guard?.review({ id: prior.id }, context);
    return;
  }
  if (action === "create" && !replaced) reportRename("network ACL", contentOf(planned), undefined, context);
  claimPriority(prior?.id ?? replaced?.id, planned, context);
  if (action === "keep") return;
  if (usesEarlyAccess(planned.rule)) warnOfEarlyAccess("Curated lists and message signatures", context);
  const acl = contentOf(planned);
  // What is not known yet is guarded right before it is done.
  if (!guard || !isWhollyKnown(acl as Value)) return;
  if (guard.unconfigured) warnOfBreadth(acl as NetworkAclBody, context);
  else await guard.review({ id: prior?.id, acl: acl as NetworkAclBody }, context);
}

const contentOf = ({ description, active, priority, rule }: any) => ({ description, active, priority, rule });

function claimPriority(id: string | undefined, { priority, description }: any, context: ReviewContext<Client>): void {
  if (typeof priority !== "number") return;
  const title = `${id ?? "a new ACL"} (${JSON.stringify(description)})`;
  const other = context.session.claim(`priority ${priority}`, { id, title });
  if (!other) return;
  context.report({
    severity: "error",
    summary: "Two ACLs with the same priority",
    detail:
      `\`priority\` is ${priority} for ${title} and for ${other.title}, and a tenant holds one ACL for each priority: ` +
      "give one of them another number from 1 to 100.",
    path: attributePath("priority"),
  });
}

function usesEarlyAccess(rule: any): boolean {
  return [rule?.match, rule?.not_match].some((side) => side?.auth0_managed || side?.http_message_signature);
}

function warnOfBreadth({ active, rule, description }: NetworkAclBody, { report }: ReviewContext<Client>): void {
  const cutsOff = rule.action.block || rule.action.redirect;
  if (!active || !cutsOff || !["management", "tenant"].includes(rule.scope)) return;
  const why = matchesAnything(rule as unknown as Rule);
  if (!why) return;
  report({
    severity: "warning",
    summary: "This ACL may cut off Terraform itself",
    detail:
      `The network ACL ${JSON.stringify(description)} ${rule.action.block ? "blocks" : "redirects"} every request of its ` +
      `scope, ${rule.scope}: ${why}. Name the requests that must get through as protected_requests in the provider block, ` +
      "and plans are checked against them.",
    path: attributePath("rule"),
  });
}
