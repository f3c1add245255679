/** Reads the tenants of a stack, a synthesized stack or a plan. */
import { jsonIn } from "../../formats/text/record";
import { statesOf, type TenantState } from "../../judge/impact/state";
import type { Values } from "../../judge/impact/model";
import { parsePlan, type Plan } from "../../review/input/plan";
import { reviewInput, type ReviewInput } from "../../review/input/review-input";
import { planOfStack } from "../../review/input/synthesized";
import { tenantsIn } from "../../review/input/tenants";
import { gapsOf, incompleteBy } from "../../review/judge/gaps";
import { isStack } from "./stack";

/** A `TerraformStack`; the text of `Testing.synth`; or the content of `cdk.tf.json` or of a plan in JSON, as text or parsed. */
export type Subject = object | string;

export interface TestedTenant {
  readonly state: TenantState;
  /** Its provider configurations, if there are several tenants. */
  readonly configs: readonly string[];
}

/** `organization`: the id that the test names. */
export function tenantsOf(subject: unknown, organization?: unknown): TestedTenant[] {
  return tenantsIn([{ name: "The stack", plan: planOf(subject, organization) }]).map((tenant) => ({
    state: stateIn(reviewInput(tenant)),
    configs: tenant.plans.flatMap(({ configs = [] }) => configs),
  }));
}

function planOf(subject: unknown, organization: unknown): Plan {
  if (isStack(subject)) return planOfStack(subject.toTerraform(), { organization });
  const json = typeof subject === "string" ? jsonIn(subject) : subject;
  if (typeof json === "object" && json !== null && !Array.isArray(json)) {
    if ("resource_changes" in json || "planned_values" in json) return parsePlan(JSON.stringify(json), "The plan");
    const isSynthesized = ["resource", "provider", "terraform", "//"].some((part) => part in json);
    // The text of an empty stack is `{}`. An empty object may be anything, such as a promise.
    if (isSynthesized || (typeof subject === "string" && Object.keys(json).length === 0))
      return planOfStack(json as Values, { organization });
  }
  throw new Error(
    "This is not a stack: give a TerraformStack, the text of Testing.synth, the content of cdk.tf.json, or the output of " +
      "`terraform show -json PLAN`.",
  );
}

const stateIn = (input: ReviewInput): TenantState =>
  statesOf({ ...input, incomplete: incompleteBy(gapsOf(input), false, input.plans) }).after;
