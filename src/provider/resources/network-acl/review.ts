/** Reads what the judges need to know about the change of a network ACL. */
import { attributePath } from "../../../formats/cty/path";
import { acts } from "../../../judge/impact/model";
import { versionsOf } from "../../../judge/impact/objects/identities";
import { blocksMuch } from "../../../judge/impact/statement/lockout";
import { isOne } from "../../../judge/impact/statement/built-in";
import type { TerraformStatement } from "../../../judge/impact/statement/statement";
import { keysIn } from "../../../judge/impact/network-acl/keys";
import { networkAcl as kind } from "../../../judge/kinds/network-acl";
import { show } from "../../sdk/check";
import type { Change, Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { addObject, judgeWhenQuiet, knownOf, plannedObject } from "../judge-plan";
import { canLookUp, ifReadable, readList } from "../lookup";
import { noteScopes } from "../scopes";
import { isOver, statementsAbout } from "../statements/statements";
import type { networkAcl } from "./definition";

type Definition = typeof networkAcl;

export async function reviewNetworkAcl(change: Change<Definition>, context: ReviewContext<Client>): Promise<void> {
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
  await judgeWhenQuiet(context, await noteStatements(change, context));
}

/** Notes the statements that the change concerns, and reads the ACLs that decide about them. Whether there are any. */
async function noteStatements(change: Change<Definition>, context: ReviewContext<Client>): Promise<boolean> {
  const { client, plan } = context;
  if (!client || isOver(change, context)) return false;
  const { prior } = change;
  const { statements, tenant } = client;
  const all = statementsAbout(statements, "network_acls");
  if (!all.some(({ statement }) => statement.kind !== "terraform" || mayLockOut(statement))) return false;
  await readList(client, "network_acls", () => tenant.networkAcls.list(), all.some(isOne));
  for (const one of all) statements.asked.add(one);
  return true;

  /** A destroy or an apply without a plan asks only if the changes may lock out. */
  function mayLockOut(statement: TerraformStatement): boolean {
    if (change.action === "keep") return false;
    if (plan.phase === "plan" || (prior?.active === true && prior.rule.action.allow === true)) return true;
    const planned = knownOf(context).objects.filter((one) => one.type === kind.type && acts(one));
    return blocksMuch(versionsOf({ objects: planned, remote: {} }).after, statement, statements.own);
  }
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
    if (keys.some((key) => key.id === id) || plan.reported.has(`strange key ${id}`)) continue;
    plan.reported.add(`strange key ${id}`);
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
