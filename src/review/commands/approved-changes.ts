/**
 * `review --same-as FILE`: the plan makes exactly the changes of an earlier review, which the JSON of a review lists.
 *
 *     approved: tenant_network_acl.a, update, 5f1c…    now: tenant_network_acl.a, update, 5f1c…     the same
 *     approved: tenant_network_acl.a, update, 5f1c…    now: tenant_network_acl.a, update, 09ab…     other values
 */
import * as z from "zod";
import { clipped } from "../../formats/text/lists";
import { UserError } from "../../formats/text/user-error";
import type { ListedChange } from "../input/changes";
import { jsonIn } from "../../formats/text/record";
import { readDocument, type Edge } from "../input/input";
import type { TenantName } from "../input/tenant-address";
import type { TenantReview } from "../judge/review";

const tenantForm = z
  .object({ name: z.string().nullable(), source: z.string(), prefix: z.string().optional() })
  .optional();
const form = z.looseObject({
  format_version: z.string().regex(/^[12]\.\d+$/),
  verdict: z.looseObject({ tenant: tenantForm }).optional(),
  changes: z.array(z.object({ address: z.string(), actions: z.array(z.string()), digest: z.string().nullable() })),
});

const together = z.looseObject({ together: form.omit({ format_version: true }) });
const many = z.looseObject({
  groups: z.array(
    z.looseObject({
      tenants: z.array(z.looseObject({ name: z.string(), tenant: tenantForm, changes: form.shape.changes })),
    }),
  ),
});

interface Approved {
  readonly changes: readonly ListedChange[];
  readonly tenant: z.infer<typeof tenantForm>;
}

/** By the name of the review. One review has no name. */
async function readChanges(file: string, edge: Edge): Promise<ReadonlyMap<string, Approved>> {
  const read = jsonIn(await readDocument(file, edge));
  const [one, whole, groups] = [form.safeParse(read).data, together.safeParse(read).data, many.safeParse(read).data];
  const single = one ?? whole?.together;
  if (single) return new Map([["", { changes: single.changes, tenant: single.verdict?.tenant }]]);
  if (groups)
    return new Map(
      groups.groups.flatMap(({ tenants }) => tenants.map(({ name, changes, tenant }) => [name, { changes, tenant }])),
    );
  throw new UserError(`${file} is no review with \`changes\`: give the output of \`tenantform review --format json\`.`);
}

/** One line for each difference. Empty: the plans make exactly the changes of the file. */
export async function differencesFrom(
  file: string,
  reviews: readonly Pick<TenantReview, "whole">[],
  edge: Edge,
): Promise<readonly string[]> {
  const approved = await readChanges(file, edge);
  const isOne = approved.size === 1 && reviews.length === 1;
  const names = reviews.map(({ whole }) => whole.name);
  const lost = isOne ? [] : [...approved.keys()].filter((name) => !names.includes(name));
  return [
    ...reviews.flatMap(({ whole: { name, changes, complete, tenant } }) => {
      const same = isOne ? [...approved.values()][0] : approved.get(name);
      if (!same) return [`${file} has no review of ${clipped(name)}.`];
      const lead = isOne ? "" : `${clipped(name)}: `;
      const cut = complete ? [] : ["The plan is incomplete, so it may leave out changes."];
      return [...cut, ...otherTenant(same, tenant), ...differences(same.changes, changes())].map((line) => lead + line);
    }),
    ...lost.map((name) => `${file} has ${clipped(name)}, and no plan is for it.`),
  ];
}

/** The tenant that a review has read says nothing about that of the plan. */
function otherTenant({ tenant: was }: Approved, is: TenantName): string[] {
  if (!was || [was.source, is.source].includes("remote")) return [];
  const nameOf = ({ name, prefix }: Pick<TenantName, "name" | "prefix">) =>
    clipped(name ?? (prefix === undefined ? "a tenant that it does not name" : `the environment ${prefix}`.trim()));
  const [approved, now] = [was, is].map((one) => nameOf(one as TenantName));
  return approved === now ? [] : [`The approved review is about ${approved}, and the plan about ${now}.`];
}

function differences(approved: readonly ListedChange[], now: readonly ListedChange[]): string[] {
  const left = new Map(approved.map((one) => [one.address, one]));
  const found = now.flatMap((one) => {
    const was = left.get(one.address);
    left.delete(one.address);
    const what = `${clipped(one.address)} (${one.actions.join(", ")})`;
    if (!was) return [`${what} is not in the approved review.`];
    if (was.actions.join() !== one.actions.join()) return [`${what} had the actions ${was.actions.join(", ")}.`];
    if (was.digest === null || one.digest === null)
      return [`${what} has a value that is not known yet or a sensitive one that changes, so nothing compares it.`];
    return was.digest === one.digest ? [] : [`${what} has other values, before or after the change.`];
  });
  return [
    ...found,
    ...[...left.values()].map(({ address }) => `${clipped(address)} was approved, and the plan lacks it.`),
  ];
}
