/** Proves that plans mean what an earlier review of them showed. */
import { clipped, andWords } from "../impact/phrases";
import { meaningForm, type Meaning } from "../impact/meaning/meaning";
import { compareMeanings, differenceLines, type MeaningComparison } from "../impact/meaning/same";
import type { Values } from "../impact/model";
import { quoted } from "../access/access";
import { ReviewError } from "./error";
import { readDocument, type Edge } from "./input/input";
import type { TenantName } from "./site";
import type { TenantReview } from "./tenants";
import * as z from "zod";

/** The meaning of the plans of one tenant. */
export interface ApprovedMeaning {
  /** Left out: the review covers one plan alone. */
  readonly name?: string;
  /** Left out: the review does not say it. */
  readonly tenant?: Pick<TenantName, "name" | "certain" | "source" | "prefix">;
  readonly meaning: Meaning;
}

/** The result for one tenant. */
export interface ApprovalResult {
  /** The name of the review. */
  readonly name: string;
  readonly verdict: MeaningComparison["verdict"];
  /** One sentence for each difference. */
  readonly lines: readonly string[];
  /** Neither review read the unmanaged objects of some kinds. */
  readonly isPartial?: true;
  /** The names of the tenants, if they differ. */
  readonly promotion?: { readonly from: string; readonly to: string };
  /** Neither review names its tenant: both took it from the environment. */
  readonly isNameless?: true;
}

/** The approved meanings of all tenants in the JSON of a review. */
export async function readApproved(file: string, edge: Edge): Promise<ApprovedMeaning[]> {
  const text = await readDocument(file, edge);
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new ReviewError(`${file} is not JSON. ${remedy}`);
  }
  const whole = valuesIn(json, file);
  const { format_version: version, plans, tenants, together, groups } = whole;
  if (typeof version !== "string" || !/^2\.\d+$/.test(version))
    throw new ReviewError(`${file} is not a review. ${remedy}`);
  const reviews = (Array.isArray(plans) ? (together === undefined ? listed(plans, tenants) : [together]) : [whole])
    .map((one) => valuesIn(one, file))
    .filter(({ meaning }) => meaning !== undefined);
  const found = groups === undefined ? reviews : unfolded(groups, reviews, file);
  if (found.length === 0) {
    throw new ReviewError(
      `${file} has the format ${version} without \`meaning\`, so nothing can be compared with it. Review the approved plan again ` +
        "with this version of Tenantform.",
    );
  }
  const known = new Map<unknown, Meaning>();
  return found.map(({ name, meaning, verdict }) => {
    const values = known.get(meaning) ?? meaningFrom(meaning);
    if (typeof values === "string") throw new ReviewError(`${file} cannot be read: ${values}. ${remedy}`);
    known.set(meaning, values);
    const tenant = tenantForm.safeParse(isObject(verdict) ? verdict["tenant"] : undefined).data;
    return { ...(typeof name === "string" && { name }), ...(tenant && { tenant }), meaning: values };
  });
}

const tenantForm = z.object({
  name: z.string().nullable(),
  certain: z.boolean(),
  source: z.enum(["constant", "variable", "remote", "environment", "unknown"]),
  prefix: z.string().optional(),
});

const isObject = (value: unknown): value is Values => typeof value === "object" && value !== null;

const listed = (plans: readonly unknown[], tenants: unknown) => [...plans, ...(Array.isArray(tenants) ? tenants : [])];

/** Every tenant of a group has the meaning of its first one. */
function unfolded(groups: unknown, reviews: readonly Values[], file: string): Values[] {
  if (!Array.isArray(groups)) throw new ReviewError(`${file} is not a review. ${remedy}`);
  const byName = new Map(reviews.map((one) => [one["name"], one]));
  return groups.flatMap((group: unknown) => {
    const { review, tenants } = valuesIn(group, file);
    const shared = byName.get(review);
    if (!shared || !Array.isArray(tenants))
      throw new ReviewError(`${file} has no review of ${quoted(String(review))}. ${remedy}`);
    return tenants.map((one: unknown) => {
      const { name, tenant } = valuesIn(one, file);
      return { name, verdict: { tenant }, meaning: shared["meaning"] };
    });
  });
}

/** `domain`: the tenant of `--domain`. A review of many tenants then approves only this one. */
export function approvedFor(approved: readonly ApprovedMeaning[], domain: string): readonly ApprovedMeaning[] {
  const own = approved.filter(({ tenant }) => tenant?.name === domain);
  return approved.length > 1 && own.length > 0 ? own : approved;
}

const remedy = "Give the JSON output of `tenantform review --format json`.";

function valuesIn(value: unknown, file: string): Values {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Values;
  throw new ReviewError(`${file} is not a review. ${remedy}`);
}

/** One result for each tenant of the plans, and for each approved tenant that they no longer have. `isForAny`: the tenants may differ. */
export function compareWithApproved(
  approved: readonly ApprovedMeaning[],
  reviews: readonly TenantReview[],
  { isForAny = false } = {},
): ApprovalResult[] {
  const isOne = approved.length === 1 && reviews.length === 1;
  const left = new Set(approved);
  const results = reviews.map(({ whole: { name, meaning, tenant } }): ApprovalResult => {
    const site = tenant?.name ?? undefined;
    const same = isOne ? approved[0] : approvedOf([...left], name, site);
    if (!same) return { name, verdict: "different", lines: [`The approved review does not have ${name}.`] };
    left.delete(same);
    const found = compareMeanings(same.meaning, meaning!);
    const blind = unreadWords(same.meaning, meaning!);
    const other = isForAny ? undefined : tenantWords(same.tenant, tenant);
    const isOther = site !== undefined && same.tenant?.name != null && same.tenant.name !== site;
    const reasons = [blind, other].filter((words) => words !== undefined);
    return {
      name,
      verdict:
        found.verdict === "same" && reasons.length > 0 ? (other && isOther ? "different" : "not known") : found.verdict,
      lines: [...differenceLines(found, { one: "Approved", other: "Now" }), ...reasons],
      ...(meaning!.unseen.length > 0 && { isPartial: true as const }),
      ...(isOther && { promotion: { from: same.tenant!.name!, to: site } }),
      ...(other === undefined && site === undefined && { isNameless: true as const }),
    };
  });
  const lost = [...left].map(({ name = "a plan" }): ApprovalResult => {
    return { name, verdict: "different", lines: [`The approved review has ${name}, and these plans do not.`] };
  });
  return [...results, ...lost];
}

/** Why both reviews are not known to be for one tenant. undefined: they are, or both leave the tenant to the environment. */
function tenantWords(approved: ApprovedMeaning["tenant"], now: TenantName | undefined): string | undefined {
  const [was, is] = [approved?.name ?? undefined, now?.name ?? undefined];
  const otherwise = "To accept it nevertheless, as for a promotion, give --approved-for-any-tenant.";
  if (was !== undefined && is !== undefined && was !== is)
    return `The approved review is for ${clipped(was)}, and this plan is for ${clipped(is)}. ${otherwise}`;
  // A name that is certain in one review alone may have a text around it in the other one, unless both read that tenant.
  const areRead = [approved, now].every((tenant) => tenant?.source === "remote");
  if (was !== undefined && is !== undefined && (areRead || now!.certain === approved!.certain)) return undefined;
  // Another prefix names another tenant.
  const isLeft =
    [approved, now].every((tenant) => tenant?.source === "environment") && approved!.prefix === now!.prefix;
  return isLeft ? undefined : `Not known: whether the approved review is for the tenant of this plan. ${otherwise}`;
}

/** A file can have another name after the merge, and the name of a file can be that of another tenant. */
function approvedOf(approved: readonly ApprovedMeaning[], name: string, tenant: string | undefined) {
  const own = approved.filter((one) => tenant !== undefined && one.tenant?.name === tenant);
  return (
    own.find((one) => one.name === name) ??
    (own.length === 1 ? own[0] : undefined) ??
    approved.find((one) => one.name === name && (one.tenant?.name == null || tenant === undefined))
  );
}

/** Objects that only one of the reviews could see decide requests in only one of the comparisons. */
function unreadWords(approved: Meaning, now: Meaning): string | undefined {
  const missing = (one: Meaning, other: Meaning) => one.unseen.filter((name) => !other.unseen.includes(name));
  const [inApproved, inThis] = [missing(approved, now), missing(now, approved)];
  if (inApproved.length + inThis.length === 0) return undefined;
  const kinds = andWords([...inApproved, ...inThis].map((name) => name.replaceAll("_", " ")));
  const [reader, other] = inThis.length > 0 ? ["approved review", "new one"] : ["new review", "approved one"];
  return (
    `Not known: the unmanaged ${kinds}. The ${reader} read them, and the ${other} did not. Review both plans in the same way, with ` +
    "or without --tenant."
  );
}

/** The JSON of a review may come from anybody. A problem in words, if the value has another form. */
function meaningFrom(value: unknown): Meaning | string {
  const { data, error } = meaningForm.safeParse(value);
  return data ?? `${["meaning", ...(error!.issues[0]?.path ?? [])].map(String).join(".")} has another form`;
}
