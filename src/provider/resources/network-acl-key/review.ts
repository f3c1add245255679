/** Reviews the change of a key together with the rules that name it and the other keys. */
import { unseen, wholePlan } from "../../sdk/diagnostic";
import { attributePath } from "../../../formats/cty/path";
import { aclsNaming, keysIn } from "../../../judge/impact/network-acl/keys";
import { show } from "../../sdk/check";
import type { Change, Planned, State } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAclKey } from "../../../tenant/network-acl-keys";
import type { Client } from "../client";
import { canLookUp, ifReadable } from "../lookup";
import { demandScopes, plannedObject, warnOfEarlyAccess } from "../review";
import { claimObject, reportTaken, type UniqueKey } from "../claim";
import type { networkAclKey } from "./definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { NetworkAcl } from "../../../tenant/network-acls";
import { networkAclKey as kind } from "../../../judge/kinds/network-acl-key";

type Definition = typeof networkAclKey;
type Review = ReviewContext<Client, Definition>;

export async function reviewNetworkAclKey(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned, replaced } = change;
  await demandScopes(plannedObject(kind.type, change), context);
  claimObject(uniqueName, `\`name\` ${show(planned?.name)}`, change, context);
  if (action === "destroy") return reportUse(prior, context);
  if (action !== "keep") warnOfEarlyAccess(context);
  // Terraform drops the warnings of the second plan of a replacement.
  if (action === "replace" || (action === "create" && !replaced)) await reportPlace(planned, prior, context);
}

/** Whether there is room for a new key: under its name, and among those that a tenant may have. */
async function reportPlace(
  planned: Planned<Definition>,
  replaced: Partial<State<Definition>> | undefined,
  context: Review,
): Promise<void> {
  const { client } = context;
  if (!client || !canLookUp(context)) return;
  const keys = await ifReadable(() => client.tenant.networkAclKeys.list());
  if (!keys) return;
  const old = keys.find(({ id }) => id === replaced?.id);
  const users = old ? await usersOf(old.id, client) : [];
  const holder = keys.find(({ name }) => name === planned.name);
  if (old && holder === old) return reportHeldName(old, users, context);
  if (holder) {
    const claim = { planned, id: replaced?.id, replaces: replaced !== undefined };
    if (await reportTaken(uniqueName, holder, claim, context)) return;
  }
  await reportFull(keys, old, users, context);
}

/** Reports a successor of the same name. The old key must go first, and cannot while a rule names it. */
async function reportHeldName(old: NetworkAclKey, users: Awaited<ReturnType<typeof usersOf>>, context: Review) {
  const { plan, report } = context;
  const holding = () => {
    const held = usersAfter(old.id, users, plan.changesOf("network_acl"), { perhaps: true });
    return plan.phase !== "apply" && held.length > 0 ? held : undefined;
  };
  const certain = () => usersAfter(old.id, users, plan.changesOf("network_acl")).length > 0;
  const [held] = await plan.gathered(`name of ${old.id}`, holding, certain);
  if (!held) return;
  const isCertain = certain();
  const consequence = isCertain
    ? "No change of this plan takes the key out of that rule. Give"
    : "The apply fails if no other change of this plan takes the key out of that rule. Otherwise, give";
  report({
    severity: isCertain ? "error" : "warning",
    code: "TNF-KEY-NAME-IN-USE",
    detail:
      `A new key of the same name replaces ${uniqueName.titleOf({ ...old }, old.id)}, and names are unique: the old key must go first, but the rule of ` +
      `${titleOfAcls(held)} names it. ${consequence} the ` +
      "new key another `name`, or a `name_prefix`, and set lifecycle { create_before_destroy = true }. Terraform then makes the new key " +
      `first, changes the rules, and removes the old key last. [TNF-KEY-IN-USE]${isCertain ? ` ${unseen}` : ""}`,
    path: attributePath("name"),
  });
}

async function reportFull(
  keys: readonly NetworkAclKey[],
  old: NetworkAclKey | undefined,
  users: readonly unknown[],
  { plan, report }: Review,
): Promise<void> {
  const count = () => {
    const changes = plan.changes();
    const going = changes.filter(({ identity, planned }) => !planned && keys.some(({ id }) => id === identity?.id));
    const coming = changes.filter(({ identity, planned }) => planned && !identity);
    return keys.length + coming.length - going.length;
  };
  const full = () => (plan.phase !== "apply" && count() > mostKeys ? count() : undefined);
  const [wanted] = await plan.gathered("number of keys", full, () => true);
  const named = keys.map(({ id, name }) => `${id} (${JSON.stringify(name)})`).join(", ");
  if (wanted !== undefined) {
    report({
      severity: "error",
      code: "TNF-TOO-MANY-KEYS",
      detail:
        `${wholePlan} It would leave ${wanted} network ACL keys, but a tenant can have at most ${mostKeys}. ` +
        `The tenant has ${named}. Remove keys that no rule names. ${unseen}`,
    });
  } else if (old && keys.length >= mostKeys && plan.phase !== "apply") {
    report({
      severity: "warning",
      code: "TNF-NO-PLACE-FOR-SUCCESSOR",
      detail:
        `The tenant has ${keys.length} network ACL keys, and a tenant can have at most ${mostKeys}. So Terraform cannot create the new key ` +
        `before it destroys ${uniqueName.titleOf({ ...old }, old.id)}. ${
          users.length > 0
            ? "A rule names the old key, so the service does not delete it. Remove another key that no rule names."
            : "No rule names the old key: leave out create_before_destroy, and Terraform destroys it first."
        }`,
    });
  }
}

/**
 * Rules that go on naming a key that is destroyed: the tenant would keep it. Only a rule that this plan has seen is certain to stay: Terraform
 * plans the end of an instance of `for_each` before it plans the ACLs that refer to the others.
 */
async function reportUse(prior: State<Definition>, context: Review): Promise<void> {
  const { client, plan, report } = context;
  if (!client || !canLookUp(context)) return;
  const users = await usersOf(prior.id, client);
  const naming = () => {
    const changes = plan.changesOf("network_acl");
    const coming = changes.filter(({ identity, planned }) => !identity && keysIn(planned?.rule).includes(prior.id));
    const titles = [
      ...usersAfter(prior.id, users, changes).map((acl) => titleOfAcls([acl])),
      ...coming.map(({ planned }) => `a new network ACL (${JSON.stringify(planned?.description)})`),
    ];
    return plan.phase !== "apply" && titles.length > 0 ? titles.join(" and ") : undefined;
  };
  const isCertain = () =>
    plan.changesOf("network_acl", { kept: true }).some(({ planned }) => keysIn(planned?.rule).includes(prior.id));
  const [titles] = await plan.gathered(`use of ${prior.id}`, naming, isCertain);
  if (titles === undefined) return;
  const refuses = isCertain();
  const consequence = refuses ? "and no change" : "so the apply fails if no other change";
  report({
    severity: refuses ? "error" : "warning",
    code: "TNF-KEY-IN-USE",
    detail:
      `This plan destroys ${uniqueName.titleOf(prior, prior.id)}, but the rule of ${titles} names it. The service does not delete a key that a rule ` +
      `names, ${consequence} of this plan takes the key out of that rule. Remove the key from the rule, in this plan or in the stack that has ` +
      `the rule. [TNF-KEY-IN-USE]${refuses ? ` ${unseen}` : ""}`,
  });
}

/* Finds the network ACLs whose rules name a key. */

/** The most keys that a tenant may have. */
export const mostKeys = 10;

/** The ACLs that the tenant has; none if the token may not read them. */
export async function usersOf(id: string, client: Client): Promise<NetworkAcl[]> {
  return aclsNaming(id, (await ifReadable(() => client.tenant.networkAcls.list())) ?? []);
}

/** The users that still name the key after the planned changes. `perhaps`: also those whose planned rule is not known. */
function usersAfter(
  id: string,
  users: readonly NetworkAcl[],
  changes: readonly PlannedChange[],
  { perhaps = false } = {},
): Pick<NetworkAcl, "id" | "description">[] {
  const planned = new Map(changes.map((change) => [change.identity?.id, change.planned]));
  const after = users.flatMap((acl) => {
    if (!planned.has(acl.id)) return [acl];
    const rule: unknown = planned.get(acl.id)?.rule;
    return rule === undefined ? [] : [{ ...acl, rule }];
  });
  return aclsNaming(id, after, { orPerhaps: perhaps });
}

export function titleOfAcls(acls: readonly Pick<NetworkAcl, "id" | "description">[]): string {
  return acls.map(({ id, description }) => `network ACL ${id} (${JSON.stringify(description)})`).join(" and ");
}

const uniqueName: UniqueKey<NetworkAclKey> = {
  kind,
  code: "TNF-KEY-SAME-NAME",
  content: ["alg", "fingerprint"],
  titleOf: ({ name }, id) =>
    `${String(id ?? "a new key")} (${typeof name === "string" ? JSON.stringify(name) : "name known after apply"})`,
  called: ({ fingerprint }) => fingerprint.slice(0, 8),
};
