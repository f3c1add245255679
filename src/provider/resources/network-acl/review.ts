/** Reads what the judges need to know about the change of a network ACL. */
import { acts } from "../../../judge/impact/model";
import { versionsOf } from "../../../judge/impact/objects/identities";
import { blocksMuch } from "../../../judge/impact/statement/lockout";
import { isOne } from "../../../judge/impact/statement/built-in";
import type { TerraformStatement } from "../../../judge/impact/statement/statement";
import { namesKey } from "../../../judge/impact/network-acl/keys";
import { networkAcl as kind } from "../../../judge/kinds/network-acl";
import { show } from "../../sdk/check";
import type { Change } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { addObject, judgeWhenQuiet, knownOf, plannedObject } from "../judge-plan";
import { canLookUp, ifReadable, noteScopes, readList } from "../scopes";
import { isOver, statementsAbout } from "../statements/statements";
import type { networkAcl } from "./definition";

type Definition = typeof networkAcl;

export async function reviewNetworkAcl(change: Change<Definition>, context: ReviewContext<Client>): Promise<void> {
  const { prior, planned } = change;
  const title = `network ACL ${show((planned ?? prior)!.description)}${prior ? ` (${prior.id})` : ""}`;
  const object = plannedObject(kind.type, change);
  if (planned && namesKey(planned.rule)) await readKeys(context);
  await addObject(title, object, context);
  await noteScopes(object, context);
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

/** A tenant may have no keys at all. */
async function readKeys(context: ReviewContext<Client>): Promise<void> {
  const { client } = context;
  if (!client || !canLookUp(context)) return;
  const list = () => client.tenant.networkAclKeys.list();
  await ifReadable(() => readList(client, "network_acl_keys", list), "forbidden", "not_found");
}
