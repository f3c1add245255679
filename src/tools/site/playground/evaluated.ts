/** Evaluates the text of the playground: the reviews of its tenants, as HTML with a form to try requests, and the outcome of requests. */
import { withCauses } from "../../../impact/words/words";
import {
  type AccessRequest,
  curatedLists,
  factNames,
  factTable,
  type FactName,
  problemOf,
  refusal,
} from "../../../access/access";
import { nothingElse } from "../../../impact/model";
import type { PlannedAcl } from "../../../impact/network-acl/acl";
import { ReviewError } from "../../../review/error";
import { parsePlan, type Plan } from "../../../review/input/plan";
import { evaluationOf, type Evaluation } from "../../../review/probe";
import { articleOf, columnOf, effectItem } from "../../../review/render/html";
import { pageOf } from "../../../review/render/layout";
import { contentOf, list, markup, titled, type Markup } from "../../../review/render/markup";
import { reviewPlans, type Review } from "../../../review/review";
import { sectionsOf } from "../../../review/sections";
import { reviewTenant, tenantsIn } from "../../../review/tenants";
import { writtenIn, type WrittenAcl } from "./written";

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

/** Throws a `ReviewError` with the remedy. */
export function evaluated(text: string): Evaluated {
  const written = writtenIn(text);
  return "plan" in written ? ofPlan(written.plan) : ofAcls(written.acls);
}

function ofPlan(plan: Plan): Evaluated {
  const count = plan.resource_changes.length;
  if (count > mostChanges)
    throw new ReviewError(
      `The plan has ${count} resources, and the playground reviews at most ${mostChanges}. Review it with \`npx tenantform review\`.`,
    );
  const reviews = tenantsIn([{ name: "plan", plan }]).map((tenant) => reviewTenant(tenant, {}).whole);
  return {
    html: markup`${reviews.map((review, index) => articleOf(pageOf(review), tryForm(review, index)))}`,
    sides: reviews.map(({ acls: { before, after } }) => ({ before, after })),
    lists: listsIn(reviews),
  };
}

/** Without a change, the order of the ACLs is shown in place of a verdict. */
function ofAcls(acls: readonly WrittenAcl[]): Evaluated {
  const changes = acls.map(({ address, values }) => ({
    address,
    mode: "managed",
    type: "tenant_network_acl",
    change: { actions: ["no-op"], before: values, after: values },
  }));
  const text = JSON.stringify({ format_version: "1.2", complete: true, resource_changes: changes });
  const review = reviewPlans("these ACLs", [parsePlan(text, "The text")], { remote: nothingElse });
  const { after, secrets } = review.acls;
  const warnings = acls.flatMap(({ warnings: own = [] }) => own);
  const never = sectionsOf(review).filter(({ title }) => title === "Rules that can never match");
  const effects = review.effects.map((one) => effectItem({ effect: one, words: withCauses(one) }, review));
  const html = markup`${warnings.length > 0 ? titled("Doubtful values", list(warnings.map((one) => markup`${one}`))) : undefined}<article>
${tryForm(review, 0, "acls")}
${titled("Order of evaluation", after.length > 0 ? columnOf(after, secrets) : markup`<p>No ACL is active, so every request is allowed.</p>`)}
${never.map((section) => titled(section.title, contentOf(section)))}
${effects.length > 0 ? titled("Effects", list(effects)) : undefined}
</article>`;
  return { html, sides: [{ after }], lists: listsIn([review]) };
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

/** The ACLs that the form evaluates: before and after a plan, or without a plan. */
type Tried = "plan" | "acls";

const intros: Readonly<Record<Tried, string>> = {
  plan: "Evaluates one request before and after the plan. An empty field is a fact that is not known.",
  acls: "Evaluates one request. An empty field is a fact that is not known.",
};

/** Undefined without ACLs. `index`: the place of the review on the page. */
function tryForm({ acls: { before, after } }: Review, index: number, of: Tried = "plan"): Markup | undefined {
  if (before.length + after.length === 0) return undefined;
  const fields = factNames.map((name) => {
    const id = `try-${index}-${name}`;
    // A request without a path cannot be evaluated, so the field has a value.
    const start =
      name === "path" ? markup`value="/authorize"` : markup`placeholder="such as ${factTable[name].example}"`;
    return markup`<div class="field"><label for="${id}">${name.replaceAll("_", " ")}</label>
<input id="${id}" name="${name}" ${start} title="${plain(factTable[name].help)}" aria-describedby="${id}-problem" autocomplete="off" autocapitalize="off" spellcheck="false">
<span class="problem" id="${id}-problem"></span></div>\n`;
  });
  return titled(
    "Try a request",
    markup`<form class="try" data-index="${index}" novalidate>
<p>${intros[of]}</p>
${fields}<button>Try</button>
<div class="result" role="status">${of === "plan" ? markup`<p data-side="before"></p>` : undefined}<p data-side="after"></p></div>
</form>`,
  );
}

const plain = (help: string) => help.replaceAll("`", "");

/** The curated lists that exist: those that this version knows, and those that rules name. */
function listsIn(reviews: readonly Review[]): readonly string[] {
  const named = reviews.flatMap(({ acls: { before, after } }) => [...before, ...after].flatMap(listsOf));
  return [...new Set([...curatedLists, ...named])];
}

/** The service may know more lists than this version, so the lists that rules name exist too. */
function listsOf({ rule, secret }: PlannedAcl): string[] {
  if (secret.has("auth0_managed")) return [];
  const lists = [rule.match, rule.not_match].map((side) => (typeof side === "object" ? side["auth0_managed"] : []));
  return lists.flat().flatMap((name) => (typeof name === "string" ? name.toLowerCase() : []));
}

/** A request from the fields of the form, or the problem of each field that cannot be read. */
interface Read {
  readonly request: Omit<AccessRequest, "api"> & { readonly path: string };
  readonly problems: Readonly<Record<string, string>>;
}

/** `lists`: the curated lists that exist. Apart from the path, an empty field is a fact that is not known. */
function read(fields: Readonly<Record<string, string>>, lists: readonly string[]): Read {
  const given = factNames.flatMap((name): [FactName, string][] => {
    const text = (fields[name] ?? "").trim();
    return text === "" && name !== "path" ? [] : [[name, text]];
  });
  const problems = given.flatMap(([name, text]) => {
    const problem = entriesOf(name, text).map((entry) => problemOfEntry(name, entry, lists));
    return problem.filter((one) => one !== undefined).map((one): [string, string] => [name, one]);
  });
  const facts = given.map(([name, text]) => [name, valueOf(name, text)] as const);
  return { request: Object.fromEntries(facts) as unknown as Read["request"], problems: Object.fromEntries(problems) };
}

const entriesOf = (name: FactName, text: string) => (factTable[name].kind === "list" ? text.split(/[\s,]+/) : [text]);

function valueOf(name: FactName, text: string): unknown {
  if (factTable[name].kind === "number") return Number(text);
  return factTable[name].kind === "list" ? entriesOf(name, text) : text;
}

/** Stricter than in a file of probes: a person probably forgot the slash, or misspelt the list. */
function problemOfEntry(name: FactName, entry: string, lists: readonly string[]): string | undefined {
  const problem = problemOf(name, entry);
  if (problem !== undefined) return problem;
  if (name === "path" && !/^(\/|https?:\/\/)/i.test(entry)) return refusal(name, entry, `/${entry}`);
  if (name === "managed" && !lists.includes(entry.toLowerCase())) return refusal(name, entry);
  return undefined;
}
