/** Refuses a plan whose members cannot be changed in any order, because an expectation always holds. */
import { isKnown, type Change } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { ifReadable } from "../lookup";
import { organizationMemberSet } from "../organization-member-set/definition";
import { listOrNothing, without } from "../organization-member-set/wire";
import { membersAfter, memberState, setChanges } from "./member-review";
import { expectationsOf, orderOf } from "./member-writes";
import { memberOrderDetailOf } from "./words";

export async function reviewMemberOrder(
  change: Change<typeof organizationMemberSet>,
  context: ReviewContext<Client>,
): Promise<void> {
  const { client, plan, report } = context;
  const { action, prior, planned, replaced } = change;
  if (!client || !planned || replaced || action === "keep" || action === "replace" || plan.phase === "apply") return;
  if (!isKnown(organizationMemberSet, planned)) return;
  const { organization_id: organization } = planned;
  const own = expectationsOf(client.expectations.all, organization).filter(({ always }) => always === true);
  if (own.length === 0) return;
  const present = await ifReadable(() => listOrNothing(client.tenant.organizationMembers, organization));
  const members = present && membersAfter(organization, present, { prior, planned });
  if (!members) return;
  const { brokenBy } = await import("./writes.js");
  const [before, after] = [memberState(organization, present), memberState(organization, members)];
  // The review of the expectations refuses a plan whose result breaks one.
  if (brokenBy(own, { before, after }, false)) return;
  const write = { added: without(members, present), removed: without(present, members) };
  const order = orderOf(own, { organization, present, write, isFinal: false }, brokenBy);
  if (typeof order === "string") return;
  const concerns = (id: unknown) => id === organization || typeof id === "symbol";
  const isAlone = () =>
    setChanges(context).filter((one) => concerns(one.prior?.organization_id) || concerns(one.planned?.organization_id))
      .length === 1;
  const refusal = { code: "TNF-PLANNED-STEP-BREAKS-EXPECTATION" as const, detail: memberOrderDetailOf(order) };
  const find = () => (isAlone() ? refusal : undefined);
  const { found, isComplete } = await plan.gathered(`order of members of ${organization}`, find, () => true);
  if (!isComplete) return;
  for (const one of found) report({ severity: "error", ...one, path: [] });
}
