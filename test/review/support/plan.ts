/** Small plans in the form of `terraform show -json`, and what a review of them says. */
import type { Marks, Values } from "../../../src/judge/impact/model";
import { parsePlan, type Plan } from "../../../src/review/input/plan";
import type { PlanInput } from "../../../src/review/input/plan-input";
import type { RemoteState } from "../../../src/review/input/remote";
import { reviewInput } from "../../../src/review/input/review-input";
import { tenantsIn, type Tenant } from "../../../src/review/input/tenants";
import type { ReviewOptions } from "../../../src/review/judge/judgement";
import { reviewTenant as review, type Review } from "../../../src/review/judge/review";

export interface Marked {
  readonly unknown?: Marks;
  readonly sensitive?: Marks;
  readonly actions?: readonly string[];
  readonly previous?: string;
  readonly importing?: { readonly id: string } | { readonly unknown: true };
}

export function change(address: string, before: Values | null, after: Values | null, marked: Marked = {}): Values {
  const same = JSON.stringify(before) === JSON.stringify(after);
  const usual = before === null ? ["create"] : after === null ? ["delete"] : same ? ["no-op"] : ["update"];
  const { unknown = {}, sensitive = {}, actions = usual, previous, importing } = marked;
  return {
    address,
    mode: "managed",
    type: typeIn(address),
    ...(previous !== undefined && { previous_address: previous }),
    change: {
      actions,
      before,
      after,
      after_unknown: unknown,
      before_sensitive: before === null ? false : sensitive,
      after_sensitive: sensitive,
      ...(importing && { importing }),
    },
  };
}

const typeIn = (address: string) => address.split(".").at(-2);

/** An object that the plan leaves alone. */
export const planText = (resource_changes: readonly Values[], more: Values = {}): string =>
  JSON.stringify({ format_version: "1.2", complete: true, planned_values: {}, resource_changes, ...more });

export const plan = (changes: readonly Values[], more: Values = {}): Plan => parsePlan(planText(changes, more), "plan");

/** A resource of the state; an address that begins with "data." is that of a data source. */
export const inState = (address: string, values: Values, more: Values = {}): Values => ({
  address,
  mode: address.startsWith("data.") ? "data" : "managed",
  type: typeIn(address),
  values,
  ...more,
});

export const prior = (...resources: readonly Values[]): Values => ({
  prior_state: { values: { root_module: { resources } } },
});

export const constant = (value: unknown): Values => ({ constant_value: value });

/** The configuration of provider blocks. `homes`: address of a resource -> the key of its block. */
export function configured(
  blocks: Readonly<Record<string, Values>>,
  homes: Readonly<Record<string, string>> = {},
): Values {
  const provider_config = Object.entries(blocks).map(([key, expressions]) => {
    const [name] = key.split(":").at(-1)!.split(".");
    const within = key.includes(":") && { module_address: key.split(":")[0] };
    return [key, { name, ...within, full_name: `registry.terraform.io/x/${name}`, expressions }];
  });
  const resources = Object.entries(homes).map(([address, key]) => ({ address, provider_config_key: key }));
  return { configuration: { provider_config: Object.fromEntries(provider_config), root_module: { resources } } };
}

type Options = ReviewOptions & { readonly remote?: RemoteState | undefined };

export const reviewTenant = (tenant: Tenant, { remote, ...options }: Options) =>
  review(reviewInput(tenant, remote), options);

/** What the review reads of plans of one tenant. */
export const inputsOf = (plans: readonly Plan[]): PlanInput[] =>
  plans.map((one) => tenantsIn([{ name: "plan", plan: one }])[0]!.plans[0]!);

/** The review of the plans as those of one tenant. */
export const reviewPlans = (name: string, plans: readonly Plan[], options: Options = {}): Review =>
  reviewTenant({ name, tenantAddress: { kind: "unknown" }, plans: inputsOf(plans) }, options).whole;

export const reviewOf = (changes: readonly Values[], more: Values = {}, options: Options = {}): Review =>
  reviewPlans("plan", [plan(changes, more)], options);

export const codesOf = ({ effects }: Pick<Review, "effects">) => effects.map(({ code }) => code);
