/** Plans network ACLs by the statements of a provider block, without Terraform and a tenant. */
import { createVirtualClock } from "../../../sdk/support/clock";
import type { Change } from "../../../../../src/provider/sdk/definition";
import type { Diagnostic } from "../../../../../src/provider/sdk/diagnostic";
import { createPlanRegistry } from "../../../../../src/provider/sdk/plan-registry";
import type { networkAcl } from "../../../../../src/provider/resources/network-acl/definition";
import { reviewNetworkAcl } from "../../../../../src/provider/resources/network-acl/review";
import { statementsIn } from "../../../../../src/provider/resources/provider-block/configure";

export type AclChange = Change<typeof networkAcl>;

export const acl = (priority: number, action: object, match: object = { ipv4_cidrs: ["203.0.113.0/24"] }) => ({
  description: `acl ${priority}`,
  active: true,
  priority,
  rule: { action, match, scope: "tenant" },
});

export const own = {
  hostname: "acme.eu.auth0.com",
  userAgents: ["tenantform/1.0.0 terraform/1.11.4"],
  asksToken: true,
};

interface Options {
  readonly settings?: object;
  readonly present?: readonly object[];
  readonly phase?: "plan" | "unknown";
  readonly isParallel?: boolean;
  readonly asksToken?: boolean;
}

const ci = { name: "our CI", ip: "203.0.113.7" };

export function plan(options: Options = {}) {
  const { settings = {}, present = [], phase = "plan", isParallel = true, asksToken = true } = options;
  let lists = 0;
  const list = async () => {
    lists++;
    return present;
  };
  const statements = statementsIn({ protected_request: [ci], ...settings } as never, { ...own, asksToken });
  const scopes = () => Promise.resolve(undefined);
  const client = {
    statements,
    remote: {},
    missing: new Set(),
    judgement: {},
    planWarnings: "off",
    meansEarlyAccess: true,
    tenant: { networkAcls: { list }, tokens: { scopes, authorize: scopes } },
  };
  const clock = createVirtualClock();
  const registry = createPlanRegistry({ clock });
  if (phase === "plan") registry.touch(phase);
  // Terraform reads two objects at once.
  if (isParallel) for (let reads = 0; reads < 2; reads++) void registry.during(async () => {});
  const review = async (change: AclChange, objectKey?: string, replaces?: string) => {
    const said: string[] = [];
    const report = ({ severity, detail }: Pick<Diagnostic, "severity" | "detail">) =>
      said.push(`${severity}: ${detail}`);
    const identity = change.prior && { id: change.prior.id };
    const entry = registry.enter({ kind: "network_acl", objectKey, replaces, identity });
    const context = { log: () => {}, client, plan: entry, report } as never;
    await registry.during(() => reviewNetworkAcl(change, context));
    return said;
  };
  return {
    review,
    create: (planned: object) => review({ action: "create", planned } as AclChange),
    statements,
    lists: () => lists,
    touch: registry.touch,
    time: clock.now,
    at: clock.at,
  };
}
