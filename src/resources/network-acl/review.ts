/** Reviews the change of a network ACL together with the other ACLs of the plan and the tenant. */
import { attributePath } from "../../cty/path";
import { earlyAccessIn } from "../../impact/network-acl/early-access";
import { show } from "../../sdk/check";
import type { Change, Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { claimIdentity } from "../duplicate";
import { warnOfEarlyAccess } from "../early-access";
import { attachEffect, tellEffect, type ToldChange } from "../effects";
import { endingIfReplaced, plannedObject } from "../planned-object";
import { reviewAclExpectations } from "../expectations/object-review";
import { demandScopes } from "../scopes";
import { ifReadable, canLookUp } from "../lookup";
import { reportConflict } from "../conflicts";
import { reportRename } from "../identical";
import { holderOf, placeOf } from "../unique-key";
import type { networkAcl } from "./definition";
import { reportStrangeKeys } from "./signature-keys";
import { uniquePriority } from "./unique-priority";
import { contentOf } from "./wire";

type Definition = typeof networkAcl;
type Review = ReviewContext<Client, Definition>;

const kind = "network ACL";

export async function reviewNetworkAcl(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned, replaced } = change;
  // An apply judges each write right before it is sent, by the ACLs that the tenant has then.
  const guard = context.plan.phase === "apply" ? undefined : context.client?.guard;
  await demandScopes(plannedObject("tenant_network_acl", change), context);
  const told = action === "keep" ? undefined : toldChange(change);
  if (told) attachEffect(told, context);
  if (planned?.expires_at !== undefined) {
    const { reviewEnds } = await import("../expiry/review.js");
    await reviewEnds(plannedObject("tenant_network_acl", change), context);
  }
  if (prior) claimIdentity({ kind, id: prior.id, title: wordsOf(planned) }, change, context);
  if (action === "destroy") {
    reportRename(kind, contentOf(prior), prior.id, context);
    await guard?.review(change, context);
    await reviewAclExpectations(change, context);
    return tellEffect(told!, context);
  }
  if (action === "create" && !replaced) reportRename(kind, contentOf(planned), undefined, context);
  claimPriority(prior?.id, planned, context);
  await reportStrangeKeys(planned, context);
  if (action === "keep") {
    await guard?.review(change, context);
    return reviewAclExpectations(change, context);
  }
  if (prior?.priority !== planned.priority) await reportHolder(prior?.id ?? replaced?.id, planned, context);
  if (earlyAccessIn(planned.rule).length > 0) warnOfEarlyAccess(context);
  await guard?.review(change, context);
  await reviewAclExpectations(change, context);
  await tellEffect(told!, context);
}

function toldChange(change: Change<Definition>): ToldChange {
  const { prior, planned } = change;
  return {
    title: `Network ACL ${show((planned ?? prior)!.description)}${prior ? ` (${prior.id})` : ""}`,
    object: endingIfReplaced(plannedObject("tenant_network_acl", change)),
    mayMatter: mayMatter(change),
  };
}

/** An ACL that only logs, or is switched off, changes no outcome. */
function mayMatter({ prior, planned }: Change<Definition>): boolean {
  const sides = [prior, planned].filter((side) => side !== undefined) as Planned<Definition>[];
  const [meaning, ...others] = sides.map((side) => JSON.stringify({ ...contentOf(side), description: undefined }));
  const isLog = (rule: unknown) => (rule as { readonly action?: { readonly log?: unknown } }).action?.log === true;
  return !others.includes(meaning!) && sides.some(({ active, rule }) => active !== false && !isLog(rule));
}

function claimPriority(id: string | undefined, planned: Planned<Definition>, { plan, report }: Review): void {
  const { priority } = planned;
  if (typeof priority !== "number") return;
  const title = uniquePriority.titleOf(planned, id);
  const other = plan.claim(["priority", priority], title);
  if (other === undefined) return;
  report({
    severity: "error",
    code: "TNF-ACL-SAME-PRIORITY",
    detail:
      `\`priority\` is ${priority} for ${title} and for ${other}, but a tenant has one network ACL for each priority. Give one of ` +
      "them another number from 1 to 100. [TNF-ACL-SAME-PRIORITY]",
    path: attributePath("priority"),
  });
}

/** Reports an unmanaged ACL that has the planned priority. */
async function reportHolder(id: string | undefined, planned: Planned<Definition>, context: Review): Promise<void> {
  const { client } = context;
  if (!client || typeof planned.priority !== "number" || !canLookUp(context)) return;
  const found = await ifReadable(() => uniquePriority.holder(client.tenant, planned));
  if (!found) return;
  const claimant = { title: uniquePriority.titleOf(planned, id), id };
  await reportConflict(
    placeOf(uniquePriority, planned),
    claimant,
    holderOf(uniquePriority, found, planned, client),
    context,
  );
}

/** Describes an ACL in messages, so that two resources of one ACL differ. */
function wordsOf({ description, priority }: Partial<Planned<Definition>> = {}): string {
  return `${show(description)} with \`priority\` ${show(priority)}`;
}
