/** Reads what the judges need to know about the change of a network ACL. */
import { attributePath } from "../../../formats/cty/path";
import { keysIn } from "../../../judge/impact/network-acl/keys";
import { networkAcl as kind } from "../../../judge/kinds/network-acl";
import { show } from "../../sdk/check";
import type { Change, Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { addObject, judgeWhenQuiet, plannedObject } from "../judge-plan";
import { canLookUp, ifReadable, readList } from "../lookup";
import { noteScopes } from "../scopes";
import { reviewAclStatements } from "../statements/review";
import type { networkAcl } from "./definition";

type Definition = typeof networkAcl;

export async function reviewNetworkAcl(
  change: Change<Definition>,
  given: ReviewContext<Client, Definition>,
): Promise<void> {
  const context = given as unknown as ReviewContext<Client>;
  const { prior, planned } = change;
  const title = `network ACL ${show((planned ?? prior)!.description)}${prior ? ` (${prior.id})` : ""}`;
  const object = plannedObject(kind.type, change);
  await addObject(title, object, context);
  await noteScopes(object, context);
  if (planned) await reportStrangeKeys(planned, context);
  const { client } = context;
  if (planned && prior?.priority !== planned.priority && client && canLookUp(context)) {
    await readList(client, "network_acls", () => client.tenant.networkAcls.list());
  }
  await reviewAclStatements(change, context);
  await judgeWhenQuiet(context);
}

/** A key that the plan creates has no id yet. */
async function reportStrangeKeys({ rule }: Planned<Definition>, context: ReviewContext<Client>): Promise<void> {
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
