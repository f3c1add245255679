/** The form of the playground to try requests: its fields, and how they are read. */
import {
  type AccessRequest,
  curatedLists,
  factNames,
  factTable,
  type FactName,
  problemOf,
  refusal,
} from "../../../access/access";
import type { PlannedAcl } from "../../../impact/network-acl/acl";
import { markup, titled, type Markup } from "../../../review/render/markup";
import type { Review } from "../../../review/review";

/** The ACLs that the form evaluates: before and after a plan, or without a plan. */
type Tried = "plan" | "acls";

const intros: Readonly<Record<Tried, string>> = {
  plan: "Evaluates one request before and after the plan. An empty field is a fact that is not known.",
  acls: "Evaluates one request. An empty field is a fact that is not known.",
};

/** Undefined without ACLs. `index`: the place of the review on the page. */
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

/** A request from the fields of the form, or the problem of each field that cannot be read. */
export interface Read {
  readonly request: Omit<AccessRequest, "api"> & { readonly path: string };
  readonly problems: Readonly<Record<string, string>>;
}

/** `lists`: the curated lists that exist. Apart from the path, an empty field is a fact that is not known. */
export function read(fields: Readonly<Record<string, string>>, lists: readonly string[]): Read {
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
