/** The form of the review page to try requests, and the ACLs that it evaluates. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { curatedLists, factNames, factTable } from "../access/access";
import { hidden } from "../impact/hidden";
import type { PlannedAcl } from "../impact/network-acl/acl";
import { titleOf } from "../impact/network-acl/words";
import { titled } from "./html-list";
import { markup, type Markup } from "./html-markup";
import type { Review } from "./review";

/** The evaluator, which the build writes into the same folder. */
export const evaluator = () => readFileSync(path.join(__dirname, "../review/try.bundle.js"), "utf8");

/** The ACLs that the form evaluates: before and after a plan, or without a plan. */
export type Tried = "plan" | "acls";

const intros: Readonly<Record<Tried, string>> = {
  plan: "Evaluates one request before and after the plan. An empty field is a fact that is not known.",
  acls: "Evaluates one request. An empty field is a fact that is not known.",
};

/** `index`: the place of the review on the page. */
export function tryForm({ acls: { before, after } }: Review, index: number, of: Tried = "plan"): Markup | undefined {
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

/** The data of the forms. */
export function triedBy(reviews: readonly Review[]): object {
  const sides = reviews.map(({ acls: { before, after, secrets } }) => ({
    before: before.map((acl) => triable(acl, rankIn(before, acl), secrets)),
    after: after.map((acl) => triable(acl, rankIn(after, acl), secrets)),
  }));
  return { sides, lists: listsIn(reviews) };
}

/** The curated lists that exist: those that this version knows, and those that rules name. */
export function listsIn(reviews: readonly Review[]): readonly string[] {
  const named = reviews.flatMap(({ acls: { before, after } }) => [...before, ...after].flatMap(listsOf));
  return [...new Set([...curatedLists, ...named])];
}

/** The service may know more lists than this version, so the lists that rules name exist too. */
function listsOf({ rule, secret }: PlannedAcl): string[] {
  if (secret.has("auth0_managed")) return [];
  const lists = [rule.match, rule.not_match].map((side) => (typeof side === "object" ? side["auth0_managed"] : []));
  return lists.flat().flatMap((name) => (typeof name === "string" ? name.toLowerCase() : []));
}

/** Its index in the order of evaluation, because the priority may be sensitive or not known. */
function rankIn(acls: readonly PlannedAcl[], acl: PlannedAcl): number {
  const first = acls.findIndex(({ priority }) => priority === acl.priority);
  return first < 0 ? acls.indexOf(acl) : first;
}

/** Leaves sensitive values out of the page, so the evaluator reports "may match" for them. */
function triable(acl: PlannedAcl, priority: number, secrets: ReadonlySet<string>) {
  const shown = (value: unknown): unknown => {
    if (typeof value === "symbol") return { unknown: value.description };
    if (Array.isArray(value))
      return value.some((entry) => typeof entry === "symbol") ? { partly: value.map(String) } : value;
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, part]) => [name, secrets.has(name) ? hidden : shown(part)]);
    return Object.fromEntries(entries);
  };
  const { rule, active, key } = acl;
  return { rule: shown(rule), active, priority, key, title: titleOf(acl) };
}
