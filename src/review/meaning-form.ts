/** Reads the meaning of a change from the JSON of a review, which may come from anybody. */
import * as z from "zod";
import type { Meaning } from "../impact/meaning/meaning";

const flat = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** Criteria are lists of texts and numbers; signatures are objects. */
const part: z.ZodType = z.lazy(() => z.union([flat, z.array(part), z.record(z.string(), part)]));
const parts = z.record(z.string(), part);
const rule = z.looseObject({
  action: parts,
  match: parts.optional(),
  not_match: parts.optional(),
  match_all: z.boolean().optional(),
  scope: z.string(),
});
const acls = z.array(z.object({ priority: z.number(), rule }));
const rate = z
  .object({
    action: z.string(),
    limit: z.number().nullable(),
    redirect_uri: z.string().optional(),
    by: z.string(),
  })
  .nullable();
const material = z.object({ alg: z.string(), digest: z.string() }).nullable();
const texts = z.array(z.string());

const form = z.object({
  network_acls: z.object({ before: acls, after: acls }),
  limits: z.array(
    z.object({ resource: z.string(), consumer: z.string(), consumer_selector: z.string(), before: rate, after: rate }),
  ),
  members: z.array(z.object({ organization_id: z.string(), gains: texts, loses: texts })),
  keys: z.array(z.object({ name: z.string(), before: material, after: material })),
  ends: z.array(z.object({ what: z.string(), end: z.string() })).optional(),
  unknown: texts,
  unseen: texts,
});

/** A problem in words, if the value has another form. */
export function meaningFrom(value: unknown): Meaning | string {
  const read = form.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return `${["meaning", ...(issue?.path ?? [])].map(String).join(".")} has another form`;
  }
  const { network_acls, limits, members, ends, ...rest } = read.data;
  return {
    ...rest,
    ...(ends && { ends }),
    acls: network_acls as unknown as Meaning["acls"],
    limits: limits.map(({ consumer_selector: selector, ...limit }) => ({ ...limit, selector })),
    members: members.map(({ organization_id: organization, ...own }) => ({ organization, ...own })),
  };
}
