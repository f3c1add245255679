/** Checks a planned change of a network ACL against the expectations about requests. */
import type { TenantState } from "../../impact/expectation/judge";
import type { PlannedAcl } from "../../impact/network-acl/acl";
import { aclVersions } from "../../impact/network-acl/versions";
import type { PlannedObject, Values } from "../../impact/model";
import { withName } from "../../impact/value";
import { isKnown, type Change } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl } from "../../tenant/network-acls";
import type { Client } from "../client";
import { ifReadable } from "../lookup";
import { networkAcl } from "../network-acl/definition";
import { toWire } from "../network-acl/wire";
import { isAbout } from "./expectations";
import type { States } from "./subject";

type Definition = typeof networkAcl;
type AclChange = PlannedChange<Definition>;

export async function reviewAclExpectations(
  change: Change<Definition>,
  context: ReviewContext<Client, Definition>,
): Promise<void> {
  const { action, prior, planned, replaced } = change;
  const { client, plan } = context;
  const isKept = action === "keep";
  // An apply judges its writes.
  if (!client || plan.phase === "apply" || (isKept && plan.phase !== "plan")) return;
  const { expectations, tenant } = client;
  if (!expectations.all.some((one) => isAbout(one, "requests"))) return;
  const acls = await ifReadable(() => tenant.networkAcls.list());
  const isThis = (one: AclChange) => (prior ? one.identity?.id === prior.id : one.planned === planned);
  const key = () => aclKey(plan.changes().findIndex(isThis));
  await expectations.review(
    {
      topic: "expectations about requests",
      isKept,
      attribute: "rule",
      concerns: (one) => isAbout(one, "requests"),
      version: () => [...(acls ?? []), ...plan.changes().flatMap((one) => [one.planned, one.identity])],
      states: () => (acls ? aclStates(acls, plan.changes()) : { before: {}, after: {} }),
      isOpen: () => plan.changes().some((one) => one.planned && !isKnown(networkAcl, one.planned)),
      size: (acls?.length ?? 0) + plan.changes().length,
      isMine: ({ acl, id }) => acl?.key === key() || (prior !== undefined && id === prior.id),
    },
    context,
  );
  if (!replaced) return;
  // The deletion of the old ACL is judged together with the new one.
  if (isKnown(networkAcl, planned)) context.privateState["successor"] = toWire(planned);
  if (!acls) return;
  const { reviewAclReplacement } = await import("./replacement-review.js");
  await reviewAclReplacement(change, acls, context);
}

export function aclStates(acls: readonly NetworkAcl[], changes: readonly AclChange[]): States {
  const byId = new Map<unknown, NetworkAcl>(acls.map((acl) => [acl.id, acl]));
  const objects = changes.map((change, index) => objectOf(change, index, byId));
  const { before, after } = aclVersions([objects], acls as readonly object[] as readonly Values[]);
  return { before: stateOf(before), after: stateOf(after) };
}

/** Terraform does not tell a provider the address of a resource. */
const aclKey = (index: number): string => `change ${index + 1}`;

function objectOf(
  { identity, planned }: AclChange,
  index: number,
  byId: ReadonlyMap<unknown, NetworkAcl>,
): PlannedObject {
  const id = identity?.id;
  const before = byId.get(id);
  const after = planned && withName({ ...planned, id }, unknownName(planned.description));
  return {
    address: aclKey(index),
    type: "tenant_network_acl",
    actions: [planned ? (before ? "update" : "create") : "delete"],
    ...(before && { before: before as object as Values }),
    ...(after !== undefined && { after: after as Values }),
  };
}

function unknownName(description: unknown): string {
  return typeof description === "string" ? `the unknown part of ACL "${description}"` : "the unknown part of an ACL";
}

/** Without the addresses, because nobody has seen them. */
function stateOf(acls: readonly PlannedAcl[]): TenantState {
  return { acls: acls.map(({ address: _address, ...acl }) => acl) };
}
