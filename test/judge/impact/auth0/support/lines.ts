/** Changes of objects of the auth0 provider, and the lines of a review about them. */
import { sentence } from "../../../../../src/judge/impact/words/words";
import { parsePlan } from "../../../../../src/review/input/plan";
import type { OwnRules } from "../../../../../src/review/judge/judgement";
import { reviewPlans } from "../../../../review/support/plan";

export type Values = Readonly<Record<string, unknown>>;

export const changed = (address: string, before: Values | null, after: Values | null, more: Values = {}) => {
  const actions = before && after ? ["update"] : [before ? "delete" : "create"];
  const [type, name] = address.split(".");
  return { address, type, name, mode: "managed", change: { actions, before, after, ...more } };
};

/** `written`: the expressions of resources by their addresses, without keys. */
export function linesOf(changes: readonly object[], rules?: OwnRules, written: Values = {}): string[] {
  const resources = Object.entries(written).map(([address, expressions]) => ({ address, expressions }));
  const configuration = { root_module: { resources } };
  const variables = {
    flag: { value: true },
    stage: { value: "production" },
    shop: { value: "c1" },
    no_id: { value: "" },
    base: { value: ["c1", "c2"] },
    other_app: { value: "tvRyQID7mJMDPVmGFHYJeWaV3QttDxzU" },
    more_client_ids: { value: ["c9"] },
  };
  const plan = { format_version: "1.2", complete: true, resource_changes: changes, configuration, variables };
  const { effects } = reviewPlans("plan", [parsePlan(JSON.stringify(plan), "plan")], rules && { rules });
  return effects.map((one) => `${one.level} ${one.code} ${one.subject.address} ${one.ignored ?? ""}| ${sentence(one)}`);
}

const headOf = (line: string) => line.split(" | ")[0];

/** Each row: `level CODE address | words of the line | other words`. */
export function expectLines(lines: readonly string[], rows: readonly string[]): void {
  expect(lines.map(headOf)).toEqual(rows.map(headOf));
  for (const [index, row] of rows.entries())
    for (const words of row.split(" | ").slice(1)) expect(lines[index]).toContain(words);
}

export const shop = { id: "c1", client_id: "c1", name: "Shop", description: "a", callbacks: ["https://a.example"] };

export const client = (before: Values, after: Values, more?: Values) =>
  changed("auth0_client.a", { ...shop, ...before }, { ...shop, ...after }, more);
export const connection = (strategy: string, ...options: readonly Values[]) => {
  const [before, after] = options.map((own) => ({ id: "x", name: "X", strategy, ...own }));
  return changed("auth0_connection.x", before!, after!);
};

export const link = (type: string, name: string, values: Values) => ({
  gone: changed(`auth0_${type}.${name}`, { id: name, ...values }, null),
  new: changed(`auth0_${type}.${name}`, null, values),
  stays: changed(`auth0_${type}.${name}`, { id: name, ...values }, { id: name, ...values }),
});
