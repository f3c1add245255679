/** Reviews the change of a network ACL together with the other ACLs of the plan and the tenant. */
import { attributePath } from "../../../formats/cty/path";
import { earlyAccessIn } from "../../../judge/impact/notes";
import { show } from "../../sdk/check";
import type { Change, Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { canLookUp, ifReadable } from "../lookup";
import {
  attachEffect,
  endingIfReplaced,
  plannedObject,
  demandScopes,
  tellEffect,
  type ToldChange,
  warnOfEarlyAccess,
} from "../review";
import { reviewAclStatements } from "../statements/review";
import { claimObject, reportHolder, type UniqueKey } from "../claim";
import { contentOf, type networkAcl } from "./definition";
import { keysIn } from "../../../judge/impact/network-acl/keys";
import { manyAclsWords } from "../../../judge/impact/words/acl";
import { mostAcls, networkAcl as kind } from "../../../judge/kinds/network-acl";
import type { NetworkAcl } from "../../../tenant/network-acl";
import type { Tenant } from "../../../tenant/tenant";

type Definition = typeof networkAcl;
type Review = ReviewContext<Client, Definition>;

export async function reviewNetworkAcl(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned, replaced } = change;
  const told = action === "keep" ? undefined : toldChange(change);
  if (told) attachEffect(told, context);
  await demandScopes(plannedObject(kind.type, change), context);
  claimObject(uniquePriority, wordsOf(planned), change, context);
  if (planned) await reportStrangeKeys(planned, context);
  if (planned && action !== "keep") {
    const claim = { planned, id: prior?.id ?? replaced?.id };
    const holder = async ({ networkAcls }: Tenant) =>
      (await networkAcls.list()).find(({ priority }) => priority === planned.priority);
    if (prior?.priority !== planned.priority) await reportHolder(uniquePriority, claim, holder, context);
    if (earlyAccessIn(planned.rule).length > 0) warnOfEarlyAccess(context);
  }
  if (action === "create") await reportMany(context);
  await reviewAclStatements(change, context as unknown as ReviewContext<Client>);
  if (told) await tellEffect(told, context);
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

/** Describes an ACL in messages, so that two resources of one ACL differ. */
function wordsOf({ description, priority }: Partial<Planned<Definition>> = {}): string {
  return `${show(description)} with \`priority\` ${show(priority)}`;
}

/** Warns once of new ACLs beyond those that Auth0 allows. */
async function reportMany({ plan, report }: Review): Promise<void> {
  const many = () => {
    const { length } = plan.changes({ kept: true }).filter(({ planned }) => planned);
    return plan.phase !== "apply" && length > mostAcls ? length : undefined;
  };
  const found = await plan.gathered("number of network ACLs", many);
  const [count] = found;
  if (count === undefined || !plan.isFirst("number of network ACLs")) return;
  const detail = `${manyAclsWords("The configuration has", count)} [TNF-ACL-MANY]`;
  report({ severity: "warning", code: "TNF-ACL-MANY", detail });
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
