/** Small plans in the form of `terraform show -json`. */
import type { Marks, Values } from "../../../src/impact/model";
import { parsePlan, type Plan } from "../../../src/review/input/plan";

interface Marked {
  readonly unknown?: Marks;
  readonly sensitive?: Marks;
  readonly actions?: readonly string[];
  readonly previous?: string;
  readonly importing?: { readonly id: string };
}

export function change(address: string, before: Values | null, after: Values | null, marked: Marked = {}): Values {
  const same = JSON.stringify(before) === JSON.stringify(after);
  const usual = before === null ? ["create"] : after === null ? ["delete"] : same ? ["no-op"] : ["update"];
  const { unknown = {}, sensitive = {}, actions = usual, previous, importing } = marked;
  return {
    address,
    mode: "managed",
    type: address.split(".").at(-2),
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

export function planText(changes: readonly Values[], more: Values = {}): string {
  return JSON.stringify({
    format_version: "1.2",
    complete: true,
    planned_values: {},
    resource_changes: changes,
    ...more,
  });
}

export const plan = (changes: readonly Values[], more: Values = {}): Plan => parsePlan(planText(changes, more), "plan");

export const acl = (priority: number, rule: Values, more: Values = {}): Values => ({
  id: `acl_${priority}`,
  description: `ACL ${priority}`,
  active: true,
  priority,
  rule: { scope: "tenant", not_match: null, ...rule },
  ...more,
});

export const block = { block: true, allow: null };
export const allow = { allow: true };

export const policy = (selector: string, configuration: Values): Values => ({
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: selector,
  configuration,
});

export const members = (organization: string, ids: readonly string[], more: Values = {}): Values => ({
  organization_id: organization,
  members: ids,
  exclusive: true,
  on_destroy: "remove",
  ...more,
});
