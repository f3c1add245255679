/** Reads the tenants of a stack, a synthesized stack or a plan. */
import { statesOf, type TenantState } from "../../judge/impact/state";
import type { Values } from "../../judge/impact/model";
import { aclsOf } from "../../review/input/acls";
import { objectsOf } from "../../review/input/objects";
import { parsePlan, type Plan } from "../../review/input/plan";
import { remoteIn } from "../../review/input/remote";
import { sharesOf } from "../../review/input/share";
import { planOfStack } from "../../review/input/synthesized";
import { contentOf, isStack } from "./stack";

/** A `TerraformStack`; the text of `Testing.synth`; or the content of `cdk.tf.json` or of a plan in JSON, as text or parsed. */
export type Subject = object | string;

export interface TestedTenant {
  readonly state: TenantState;
  /** Its provider configurations, if there are several tenants. */
  readonly configs: readonly string[];
}

/** `organization`: the id that the test names. */
export function tenantsOf(subject: unknown, organization?: unknown): TestedTenant[] {
  return sharesOf(planOf(subject, organization)).map(({ plan, configs }) => ({ state: stateIn(plan), configs }));
}

function planOf(subject: unknown, organization: unknown): Plan {
  if (isStack(subject)) return planOfStack(contentOf(subject), { organization });
  const json = typeof subject === "string" ? parsed(subject) : subject;
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function stateIn(plan: Plan): TenantState {
  const reasons = [
    ...(plan.uncertainties ?? []),
    ...(plan.incomplete === undefined ? [] : [`${plan.incomplete[0]!.toUpperCase()}${plan.incomplete.slice(1)}.`]),
    ...(plan.errored === true ? ["Planning ended with an error, which `terraform plan` shows."] : []),
    ...(plan.complete === false && plan.errored !== true ? ["The plan is incomplete."] : []),
  ];
  const remote = remoteIn([plan]);
  const versions = aclsOf([plan], remote.network_acls);
  return statesOf({
    versions,
    objects: objectsOf(plan),
    remote,
    incomplete: reasons.length > 0 ? reasons.join(" ") : undefined,
  }).after;
}
