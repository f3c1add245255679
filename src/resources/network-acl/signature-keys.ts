/** Warns of a rule that names a signature key that the tenant does not have. */
import { attributePath } from "../../cty/path";
import type { Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { keysIn } from "../../impact/network-acl/keys";
import { ifReadable, canLookUp } from "../lookup";
import type { networkAcl } from "./definition";

/** A key that the plan creates has no id yet. */
export async function reportStrangeKeys(
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
