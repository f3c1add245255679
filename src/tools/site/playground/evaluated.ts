/** Evaluates the text of the playground: the reviews of its tenants, as HTML, and the outcome of requests. */
import type { PlannedAcl } from "../../../impact/network-acl/acl";
import { nothingElse, type Values } from "../../../impact/model";
import { ReviewError } from "../../../review/error";
import { articleOf, columnOf, effectItem } from "../../../review/render/html";
import { pageOf } from "../../../review/render/layout";
import { contentOf, list, markup, titled, type Markup } from "../../../review/render/markup";
import { parsePlan, type Plan } from "../../../review/input/plan";
import { reviewPlans, type Review } from "../../../review/review";
import { sectionsOf } from "../../../review/sections";
import { evaluationOf, type Evaluation } from "../../../review/probe";
import { reviewTenant, tenantsIn } from "../../../review/tenants";
import type { WrittenAcl } from "./acls";
import { listsIn, read, tryForm } from "./form";
import { writtenIn } from "./written";

export interface Evaluated {
  /** Complete, and every text in it is escaped. */
  readonly html: Markup;
  /** The ACLs of each form. No `before`: there is no change. */
  readonly sides: readonly { readonly before?: readonly PlannedAcl[]; readonly after: readonly PlannedAcl[] }[];
  /** The curated lists that exist. */
  readonly lists: readonly string[];
}

/** More ACLs could keep the page busy for minutes. */
const mostChanges = 400;

/** Throws a `ReviewError` with the remedy. `before`: the ACLs before a change. */
export function evaluated(text: string, before?: string): Evaluated {
  const written = writtenIn(text, "The text");
  if ("plan" in written) {
    if (before !== undefined)
      throw new ReviewError("A plan contains the ACLs before the change: empty the field with the ACLs before.");
    return ofPlan(written.plan);
  }
  if (before === undefined) return ofAcls(written.acls);
  const were = writtenIn(before, "The text before the change");
  if ("plan" in were)
    throw new ReviewError("The text before the change is a plan: paste the plan into the first field.");
  return ofReviews([reviewOf(were.acls, written.acls)], warningsOf(written.acls));
}

function ofPlan(plan: Plan): Evaluated {
  const count = plan.resource_changes.length;
  if (count > mostChanges)
    throw new ReviewError(
      `The plan has ${count} resources, and the playground reviews at most ${mostChanges}. Review it with \`npx tenantform review\`.`,
    );
  return ofReviews(tenantsIn([{ name: "plan", plan }]).map((tenant) => reviewTenant(tenant, {}).whole));
}

const ofReviews = (reviews: readonly Review[], warnings?: Markup): Evaluated => ({
  html: markup`${warnings}${reviews.map((review, index) => articleOf(pageOf(review), tryForm(review, index)))}`,
  sides: reviews.map(({ acls: { before, after } }) => ({ before, after })),
  lists: listsIn(reviews),
});

function warningsOf(acls: readonly WrittenAcl[]): Markup | undefined {
  const warnings = acls.flatMap(({ warnings: own = [] }) => own);
  return warnings.length === 0 ? undefined : titled("Doubtful values", list(warnings.map((one) => markup`${one}`)));
}

/** Without a change, the order of the ACLs is shown in place of a verdict. */
function ofAcls(acls: readonly WrittenAcl[]): Evaluated {
  const review = reviewOf(acls, acls);
  const { after, secrets } = review.acls;
  const never = sectionsOf(review).filter(({ title }) => title === "Rules that can never match");
  const effects = review.effects.map((one) => effectItem(one, review));
  const html = markup`${warningsOf(acls)}<article>
${tryForm(review, 0, "acls")}
${titled("Order of evaluation", after.length > 0 ? columnOf(after, secrets) : markup`<p>No ACL is active, so every request is allowed.</p>`)}
${never.map((section) => titled(section.title, contentOf(section)))}
${effects.length > 0 ? titled("Effects", list(effects)) : undefined}
</article>`;
  return { html, sides: [{ after }], lists: listsIn([review]) };
}

/** Reviews the change between two lists of ACLs as if they were all ACLs of a tenant. */
function reviewOf(before: readonly WrittenAcl[], after: readonly WrittenAcl[]): Review {
  const left = [...before];
  const changes = after.map((acl) => {
    const at = left.findIndex((other) => isSame(other, acl));
    const [old] = at < 0 ? [] : left.splice(at, 1);
    return changeOf(acl.address, old?.values, acl.values);
  });
  const removed = left.map(({ address, values }) => changeOf(`${address} (removed)`, values, undefined));
  const plan = parsePlan(
    JSON.stringify({ format_version: "1.2", complete: true, resource_changes: [...changes, ...removed] }),
    "The text",
  );
  return reviewPlans("these ACLs", [plan], { remote: nothingElse });
}

const isSame = (one: WrittenAcl, other: WrittenAcl) =>
  one.values["id"] !== undefined || other.values["id"] !== undefined
    ? one.values["id"] === other.values["id"]
    : one.address.startsWith("network_acls[")
      ? one.values["description"] === other.values["description"]
      : one.address === other.address;

function changeOf(address: string, before: Values | undefined, after: Values | undefined) {
  const isEqual = JSON.stringify(before) === JSON.stringify(after);
  const actions = isEqual ? ["no-op"] : before ? (after ? ["update"] : ["delete"]) : ["create"];
  const change = { actions, before: before ?? null, after: after ?? null };
  return { address, mode: "managed", type: "tenant_network_acl", change };
}

export interface Outcome {
  readonly side: "before" | "after";
  readonly evaluation: Evaluation;
  /** The index of the deciding ACL in the order of evaluation. -1: none. */
  readonly at: number;
}

/** The outcome of a request on each side, or the problem of each field that cannot be read. */
export function outcomes(
  { sides, lists }: Evaluated,
  index: number,
  fields: Readonly<Record<string, string>>,
): { readonly outcomes: readonly Outcome[]; readonly problems: Readonly<Record<string, string>> } {
  const { request, problems } = read(fields, lists);
  if (Object.keys(problems).length > 0) return { outcomes: [], problems };
  const own = sides[index]!;
  const found = (["before", "after"] as const).flatMap((side) => {
    const acls = own[side];
    if (!acls) return [];
    const evaluation = evaluationOf(acls, request);
    return [{ side, evaluation, at: evaluation.by ? acls.indexOf(evaluation.by) : -1 }];
  });
  return { outcomes: found, problems };
}
