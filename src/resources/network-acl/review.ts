/** Reviews the change of a network ACL together with the other ACLs of the plan and the tenant. */
import { attributePath } from "../../cty/path";
import { earlyAccessIn } from "../../impact/network-acl/notes";
import { show } from "../../sdk/check";
import type { Change, Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { claimIdentity, reportRename } from "../identical";
import { canLookUp, ifReadable } from "../lookup";
import {
  attachEffect,
  demandScopes,
  endingIfReplaced,
  plannedObject,
  tellEffect,
  type ToldChange,
  warnOfEarlyAccess,
} from "../review";
import { reviewAclStatements } from "../statements/review";
import { reportTaken, type UniqueKey } from "../conflicts";
import { contentOf, type networkAcl } from "./definition";
import { keysIn } from "../../impact/network-acl/keys";
import { networkAcl as kind } from "../../kinds/network-acl";
import type { NetworkAcl } from "../../tenant/network-acl";

type Definition = typeof networkAcl;
type Review = ReviewContext<Client, Definition>;

export async function reviewNetworkAcl(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned, replaced } = change;
  await demandScopes(plannedObject(kind.type, change), context);
  const told = action === "keep" ? undefined : toldChange(change);
  if (told) attachEffect(told, context);
  if (planned?.expires_at !== undefined) {
    const { reviewEnds } = await import("../expiry.js");
    await reviewEnds(plannedObject(kind.type, change), context);
  }
  if (prior) claimIdentity({ kind: kind.noun, id: prior.id, title: wordsOf(planned) }, change, context);
  if (action === "destroy") {
    reportRename(kind.noun, contentOf(prior), prior.id, context);
    await reviewAclStatements(change, context as unknown as ReviewContext<Client>);
    return tellEffect(told!, context);
  }
  if (action === "create" && !replaced) reportRename(kind.noun, contentOf(planned), undefined, context);
  claimPriority(prior?.id, planned, context);
  await reportStrangeKeys(planned, context);
  if (action === "keep") return reviewAclStatements(change, context as unknown as ReviewContext<Client>);
  if (prior?.priority !== planned.priority) await reportHolder(prior?.id ?? replaced?.id, planned, context);
  if (earlyAccessIn(planned.rule).length > 0) warnOfEarlyAccess(context);
  await reviewAclStatements(change, context as unknown as ReviewContext<Client>);
  await tellEffect(told!, context);
}

function toldChange(change: Change<Definition>): ToldChange {
  const { prior, planned } = change;
  return {
    title: `Network ACL ${show((planned ?? prior)!.description)}${prior ? ` (${prior.id})` : ""}`,
    object: endingIfReplaced(plannedObject(kind.type, change)),
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
  const acls = await ifReadable(() => client.tenant.networkAcls.list());
  const found = acls?.find(({ priority }) => priority === planned.priority);
  if (found) await reportTaken(uniquePriority, found, { planned, id }, client, context);
}

/** Describes an ACL in messages, so that two resources of one ACL differ. */
function wordsOf({ description, priority }: Partial<Planned<Definition>> = {}): string {
  return `${show(description)} with \`priority\` ${show(priority)}`;
}

/** A key that the plan creates has no id yet. */
async function reportStrangeKeys(
  { rule }: Planned<typeof networkAcl>,
  context: ReviewContext<Client, typeof networkAcl>,
): Promise<void> {
  const { client, plan, report } = context;
  const ids = keysIn(rule).filter((id): id is string => typeof id === "string");
  if (ids.length === 0 || !client || !canLookUp(context)) return;
  // A tenant may have no keys at all.
  const keys = await ifReadable(() => client.tenant.networkAclKeys.list(), "forbidden", "not_found");
  if (!keys) return;
  const known = keys.map(({ id, name }) => `${id} (${JSON.stringify(name)})`).join(", ");
  for (const id of ids) {
    if (keys.some((key) => key.id === id) || !plan.isFirst(`strange key ${id}`)) continue;
    report({
      severity: "warning",
      code: "TNF-UNKNOWN-KEY",
      detail:
        `\`rule\` names the key ${JSON.stringify(id)} in \`http_message_signature\`, but the tenant has no such key, so no request ` +
        `is signed with it: in \`not_match\`, it excludes nobody. The tenant has ${known || "no keys"}. Refer to the \`id\` of a tenant_network_acl_key.`,
      path: attributePath("rule"),
    });
  }
}

const uniquePriority: UniqueKey<NetworkAcl> = {
  kind,
  code: "TNF-ACL-SAME-PRIORITY",
  content: ["description", "active", "rule"],
  titleOf: ({ description }, id) => `${String(id ?? "a new ACL")} (${JSON.stringify(description)})`,
  called: ({ description }) => JSON.stringify(description),
};
