/** Proves that plans mean what an earlier review of them showed. */
import { andWords } from "../impact/list-words";
import type { Meaning } from "../impact/meaning/meaning";
import { compareMeanings, type MeaningComparison } from "../impact/meaning/same";
import { differenceLines } from "../impact/meaning/words";
import type { Values } from "../impact/model";
import { ReviewError } from "./error";
import { readDocument, type Edge } from "./input";
import { meaningFrom } from "./meaning-form";
import type { TenantReview } from "./tenants";

/** The meaning of the plans of one tenant. */
export interface ApprovedMeaning {
  /** Left out: the review covers one plan alone. */
  readonly name?: string;
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
}

/** The approved meanings of all tenants in the JSON of a review. */
export async function readApproved(file: string, edge: Edge): Promise<ApprovedMeaning[]> {
  const text = await readDocument(file, edge);
  let read: unknown;
  try {
    read = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new ReviewError(`${file} is no JSON. ${remedy}`);
  }
  const whole = valuesIn(read, file);
  const { format_version: version, plans, tenants, together } = whole;
  if (typeof version !== "string" || !/^1\.\d+$/.test(version))
    throw new ReviewError(`${file} is no review. ${remedy}`);
  const reviews = Array.isArray(plans)
    ? together === undefined
      ? ([...plans, ...(Array.isArray(tenants) ? tenants : [])] as unknown[])
      : [together]
    : [whole];
  const found = reviews.map((one) => valuesIn(one, file)).filter(({ meaning }) => meaning !== undefined);
  if (found.length === 0) {
    throw new ReviewError(
      `${file} has the format ${version} without \`meaning\`, so nothing can be compared with it. Review the approved plan again ` +
        "with this version of Tenantform.",
    );
  }
  return found.map(({ name, meaning }) => {
    const known = meaningFrom(meaning);
    if (typeof known === "string") throw new ReviewError(`${file} cannot be read: ${known}. ${remedy}`);
    return { ...(typeof name === "string" && { name }), meaning: known };
  });
}

const remedy = "Give the JSON output of `tenantform review --format json`.";

function valuesIn(value: unknown, file: string): Values {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Values;
  throw new ReviewError(`${file} is no review. ${remedy}`);
}

/** One result for each tenant of the plans, and for each approved tenant that they no longer have. */
export function compareWithApproved(
  approved: readonly ApprovedMeaning[],
  reviews: readonly TenantReview[],
): ApprovalResult[] {
  const isOne = approved.length === 1 && reviews.length === 1;
  const left = new Set(approved);
  const results = reviews.map(({ whole: { name, meaning } }): ApprovalResult => {
    const same = isOne ? approved[0] : approved.find((one) => one.name === name && left.has(one));
    if (!same) return { name, verdict: "different", lines: [`The approved review does not have ${name}.`] };
    left.delete(same);
    const found = compareMeanings(same.meaning, meaning!);
    const lines = differenceLines(found, { one: "approved", other: "now" });
    const blind = unreadWords(same.meaning, meaning!);
    const isPartial = meaning!.unseen.length > 0 && { isPartial: true as const };
    if (blind === undefined) return { name, verdict: found.verdict, lines, ...isPartial };
    return { name, verdict: found.verdict === "same" ? "not known" : found.verdict, lines: [...lines, blind] };
  });
  const lost = [...left].map(({ name = "a plan" }): ApprovalResult => {
    return { name, verdict: "different", lines: [`The approved review has ${name}, and these plans do not.`] };
  });
  return [...results, ...lost];
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
