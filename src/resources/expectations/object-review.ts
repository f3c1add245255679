/** Checks a planned change of a network ACL or a policy against the expectations about requests or limits. */
import { hasUnknown, type JudgedCause } from "../../impact/statement/statement";
import type { Change, Definition } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl } from "../../tenant/network-acls";
import type { RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { ifReadable } from "../lookup";
import type { networkAcl } from "../network-acl/definition";
import type { rateLimitPolicy } from "../rate-limit-policy/definition";
import { isAbout, type Expectations } from "./expectations";
import { aclStates, nameOf, policyStates, type PlanStates } from "./states";

type Changes = readonly PlannedChange[];

/** How expectations about one kind of objects are checked. */
interface Kind<Listed extends object> {
  readonly about: "requests" | "policy";
  readonly topic: string;
  /** The attribute that messages point to. */
  readonly attribute: string;
  list(client: Client): Promise<readonly Listed[]>;
  states(listed: readonly Listed[], changes: Changes): PlanStates;
  /** The planned object as the tenant will have it; undefined while a value that decides is not known. */
  successor(planned: object): object | undefined;
}

/** The values that decide. A description that is known only after the apply decides nothing. */
function decided(planned: object, names: readonly string[]): object | undefined {
  const values = Object.fromEntries(names.map((name) => [name, (planned as Record<string, unknown>)[name]]));
  return hasUnknown(values) ? undefined : values;
}

const aclKind: Kind<NetworkAcl> = {
  about: "requests",
  topic: "expectations about requests",
  attribute: "rule",
  list: ({ tenant }) => tenant.networkAcls.list(),
  states: aclStates,
  successor: (planned) => decided(planned, ["active", "priority", "rule"]),
};

const policyKind: Kind<RateLimitPolicy> = {
  about: "policy",
  topic: "expectations about limits",
  attribute: "configuration",
  list: ({ tenant }) => tenant.rateLimitPolicies.list(),
  states: policyStates,
  successor: (planned) => decided(planned, ["resource", "consumer", "consumer_selector", "configuration"]),
};

export async function reviewAclExpectations(
  change: Change<typeof networkAcl>,
  context: ReviewContext<Client, typeof networkAcl>,
): Promise<void> {
  const acls = await reviewObject(aclKind, change as unknown as AnyChange, context as unknown as Context);
  if (!acls) return;
  const { reviewAclReplacement } = await import("./replacement-review.js");
  await reviewAclReplacement(change, acls, context);
}

export async function reviewPolicyExpectations(
  change: Change<typeof rateLimitPolicy>,
  context: ReviewContext<Client>,
): Promise<void> {
  const policies = await reviewObject(policyKind, change as unknown as AnyChange, context);
  if (!policies) return;
  const { reviewPolicyReplacement } = await import("./replacement-review.js");
  await reviewPolicyReplacement(change, policies, context);
}

type AnyChange = Change<Definition> & { readonly prior?: { readonly id: string } };
type Context = ReviewContext<Client>;

/** Returns the objects of the tenant if the change replaces one of them. */
async function reviewObject<Listed extends object>(
  kind: Kind<Listed>,
  change: AnyChange,
  context: Context,
): Promise<readonly Listed[] | undefined> {
  const { action, prior, planned, replaced } = change;
  const { client, plan } = context;
  const isKept = action === "keep";
  // An apply judges its writes.
  if (!client || plan.phase === "apply" || (isKept && plan.phase !== "plan")) return undefined;
  const { expectations }: { readonly expectations: Expectations } = client;
  if (!expectations.all.some((one) => isAbout(one, kind.about))) return undefined;
  const listed = await ifReadable(() => kind.list(client));
  const changes = () => plan.changes();
  const isThis = ({ identity, planned: other }: PlannedChange) =>
    prior ? (identity as { readonly id?: unknown })?.id === prior.id : other === planned;
  const own = () => nameOf(changes().findIndex(isThis));
  const isMine = ({ acl, address, id }: JudgedCause) =>
    prior ? id === prior.id : acl?.key === own() || address === own();
  await expectations.review(
    {
      topic: kind.topic,
      isKept,
      attribute: kind.attribute,
      concerns: (one) => isAbout(one, kind.about),
      version: () => [...(listed ?? []), ...changes().flatMap((one) => [one.planned, one.identity])],
      states: () => (listed ? kind.states(listed, changes()) : { before: {}, after: {} }),
      isOpen: () => changes().some((one) => one.planned && kind.successor(one.planned) === undefined),
      isMine,
    },
    context,
  );
  if (!replaced) return undefined;
  // The deletion of the old object is judged together with the new one.
  const successor = kind.successor(planned);
  if (successor) context.privateState["successor"] = successor;
  return listed;
}
