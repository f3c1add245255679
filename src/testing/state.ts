/** Reads the tenants of a stack, a synthesized stack or a plan. */
import type { TenantState } from "../impact/expectation/state";
import type { Values } from "../impact/model";
import { typesOf } from "../kinds/kinds";
import { organizationMemberSet } from "../kinds/organization-member-set";
import { rateLimitPolicy } from "../kinds/rate-limit-policy";
import { aclsOf } from "../review/acls";
import { objectsOf } from "../review/objects";
import { parsePlan, type Plan } from "../review/plan";
import { remoteIn } from "../review/remote";
import { sharesOf } from "../review/share";
import { planOfSynthesized } from "./synthesized";

/** A `TerraformStack`; the text of `Testing.synth`; or the content of `cdk.tf.json` or of a plan in JSON, as text or parsed. */
export type Subject = object | string;

export interface TestedTenant extends TenantState {
  /** Its provider configurations, if there are several tenants. */
  readonly configs: readonly string[];
}

/** `organization`: the id that the test names. */
export function tenantsOf(subject: unknown, organization?: unknown): TestedTenant[] {
  return sharesOf(planOf(subject, organization)).map(({ plan, configs }) => ({ ...stateOf(plan), configs }));
}

function planOf(subject: unknown, organization: unknown): Plan {
  if (isStack(subject)) return planOfSynthesized(subject.toTerraform() as Values, organization);
  const json = typeof subject === "string" ? parsed(subject) : subject;
  if (typeof json === "object" && json !== null && !Array.isArray(json)) {
    if ("resource_changes" in json || "planned_values" in json) return parsePlan(JSON.stringify(json), "The plan");
    const isSynthesized = ["resource", "provider", "terraform", "//"].some((part) => part in json);
    if (isSynthesized || Object.keys(json).length === 0) return planOfSynthesized(json as Values, organization);
  }
  throw new Error(
    "This is not a stack: give a TerraformStack, the text of Testing.synth, the content of cdk.tf.json, or the output of " +
      "`terraform show -json PLAN`.",
  );
}

export const isStack = (subject: unknown): subject is { toTerraform(): unknown } =>
  typeof subject === "object" &&
  subject !== null &&
  "toTerraform" in subject &&
  typeof subject.toTerraform === "function";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function stateOf(plan: Plan): TenantState {
  const stated = (types: readonly string[]) =>
    objectsOf(plan, types).flatMap(({ address, after, afterSensitive: sensitive }) =>
      after ? [{ address, values: after, sensitive }] : [],
    );
  const reasons = [...(plan.uncertainties ?? []), ...(plan.complete === false || plan.errored ? [incomplete] : [])];
  return {
    acls: aclsOf([plan], remoteIn([plan]).network_acls).after,
    policies: stated(typesOf(rateLimitPolicy)),
    members: stated(typesOf(organizationMemberSet)),
    ...(reasons.length > 0 && { incomplete: reasons.join(" ") }),
  };
}

const incomplete = "The plan is incomplete, so the tenant may have further objects.";
