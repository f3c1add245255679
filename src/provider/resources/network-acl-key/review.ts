/** Reads what the judge of the plan needs to know about the change of a key. */
import { networkAclKey as kind } from "../../../judge/kinds/network-acl-key";
import type { Change } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { addObject, judgeWhenQuiet, plannedObject } from "../judge-plan";
import { canLookUp, noteScopes, readList } from "../scopes";
import type { networkAclKey } from "./definition";

type Definition = typeof networkAclKey;

export async function reviewNetworkAclKey(change: Change<Definition>, context: ReviewContext<Client>): Promise<void> {
  const { action, prior, planned, replaced } = change;
  const { name } = (prior ?? planned)!;
  const title = `network ACL key ${typeof name === "string" ? JSON.stringify(name) : "whose name is known after apply"}`;
  const object = plannedObject(kind.type, change);
  await addObject(prior ? `${title} (${prior.id})` : title, object, context);
  await noteScopes(object, context);
  // Terraform drops the warnings of the second plan of a replacement.
  if (action !== "keep" && action !== "update" && !replaced) await readTenant(action, context);
  await judgeWhenQuiet(context);
}

async function readTenant(action: Change["action"], context: ReviewContext<Client>): Promise<void> {
  const { client } = context;
  if (!client || !canLookUp(context)) return;
  const { networkAcls, networkAclKeys } = client.tenant;
  if (action !== "destroy") await readList(client, "network_acl_keys", () => networkAclKeys.list());
  if (action !== "create") await readList(client, "network_acls", () => networkAcls.list());
}
