/** Keys of signatures that a rule names and the tenant does not have: no signature would ever match. */
import { attributePath } from "../../cty/path";
import type { Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { keysIn } from "../network-acl-key/users";
import { ifReadable, mayLook } from "../lookup";
import type { networkAcl } from "./definition";

/** Asks for the keys of the tenant where a rule names one that is known; one that is yet to be made has no id before. */
export async function reportStrangeKeys(
  { rule }: Planned<typeof networkAcl>,
  context: ReviewContext<Client, typeof networkAcl>,
): Promise<void> {
  const { client, plan, report } = context;
  const ids = keysIn(rule).filter((id): id is string => typeof id === "string");
  if (ids.length === 0 || !client || !mayLook(context)) return;
  // A tenant may have no keys at all.
  const keys = await ifReadable(() => client.tenant.networkAclKeys.list(), "forbidden", "not_found");
  if (!keys) return;
  const known = keys.map(({ id, name }) => `${id} (${JSON.stringify(name)})`).join(", ");
  for (const id of new Set(ids)) {
    if (keys.some((key) => key.id === id) || !plan.isFirst(`strange key ${id}`)) continue;
    report({
      severity: "warning",
      summary: "A key that the tenant does not have",
      detail:
        `\`rule\` names the key ${JSON.stringify(id)} in \`http_message_signature\`, and the tenant has no such key: no signature will ` +
        `match it. It has ${known || "none"}; a tenant_network_acl_key has the id of one.`,
      path: attributePath("rule"),
    });
  }
}
