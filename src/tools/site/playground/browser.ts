/** The script of the playground: connects its fields, its results and its links. */
import "./without-eval";
import { ReviewError } from "../../../review/error";
import type { Markup } from "../../../review/render/markup";
import { evaluated, outcomes, type Evaluated, type Outcome } from "./evaluated";
import { exampleRequest, exampleText } from "./example";
import { fragmentOf, sharedIn, type Shared } from "./fragment";
import { shareable } from "./written";

const element = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const text = element<HTMLTextAreaElement>("text");
const problem = element("problem");
const notice = element("notice");
const results = element("results");
const link = element<HTMLInputElement>("link");

interface Policy {
  createHTML(html: string): string;
}

/** The only way from a text to elements. Every other one throws in browsers with trusted types. */
const policy: Policy = (
  window as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }
).trustedTypes?.createPolicy("tenantform", { createHTML: (html) => html }) ?? { createHTML: (html) => html };

const show = ({ text: html }: Markup) => (results.innerHTML = policy.createHTML(html));

let current: Evaluated | undefined;
let request: Readonly<Record<string, string>> = exampleRequest;

const wordsOf = (error: unknown) =>
  error instanceof ReviewError
    ? error.message
    : "The text has a value of a form that the playground does not know. Review the plan with `npx tenantform review`.";

function evaluate(): void {
  problem.textContent = "";
  notice.textContent = "";
  element("share").hidden = true;
  try {
    current = evaluated(text.value);
  } catch (error) {
    current = undefined;
    results.replaceChildren();
    problem.textContent = wordsOf(error);
    return;
  }
  show(current.html);
  for (const form of forms()) connect(form);
}

const forms = () => [...results.querySelectorAll<HTMLFormElement>("form.try")];
const fieldsOf = (form: HTMLFormElement) => [...form.querySelectorAll<HTMLInputElement>("input")];

function connect(form: HTMLFormElement): void {
  for (const field of fieldsOf(form)) field.value = request[field.name] ?? "";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const invalid = decide(form);
    invalid?.focus();
  });
  form.addEventListener("change", () => void decide(form));
  decide(form);
}

/** Shows the outcome of the request, and returns the first invalid field. */
function decide(form: HTMLFormElement): HTMLInputElement | undefined {
  request = Object.fromEntries(fieldsOf(form).map(({ name, value }) => [name, value]));
  const found = outcomes(current!, Number(form.dataset["index"]), request);
  for (const field of fieldsOf(form)) {
    const words = found.problems[field.name];
    if (words === undefined) field.removeAttribute("aria-invalid");
    else field.setAttribute("aria-invalid", "true");
    element(`${field.id}-problem`).textContent = words ?? "";
  }
  const columns = [...form.closest("article")!.querySelectorAll(".column")];
  columns.forEach((column) => highlight(column, -1));
  const sides = [...form.querySelectorAll<HTMLElement>("[data-side]")];
  const first = fieldsOf(form).find(({ name }) => name in found.problems);
  for (const side of sides) {
    const outcome = found.outcomes.find((one) => one.side === side.dataset["side"]);
    side.replaceChildren(
      ...(outcome ? linesOf(outcome, sides.length > 1) : first && side === sides[0] ? [notEvaluated] : []),
    );
    if (outcome && columns.length === sides.length) highlight(columns[sides.indexOf(side)]!, outcome.at);
  }
  return first;
}

const notEvaluated = "Not evaluated: correct the marked fields.";

const highlight = (column: Element, at: number) =>
  [...column.children].forEach((item, index) => item.classList.toggle("hit", index === at));

function linesOf({ side, evaluation: { steps, end, certain } }: Outcome, hasTwo: boolean): Node[] {
  const title = document.createElement("strong");
  title.textContent = `${hasTwo ? `${side}: ` : ""}${certain ? "" : "possible: "}${end}.`;
  const items = steps.map((step) => {
    const item = document.createElement("span");
    item.className = "step";
    item.textContent = step;
    return item;
  });
  return [title, ...items];
}

async function share(): Promise<void> {
  problem.textContent = "";
  notice.textContent = "";
  try {
    const shared: Shared = { text: shareable(text.value), request };
    const url = new URL(location.href);
    url.hash = await fragmentOf(shared);
    link.value = url.href;
    element("share").hidden = false;
    link.select();
    await navigator.clipboard?.writeText(url.href).then(
      () =>
        (notice.textContent = "The link is copied. It contains the ACLs and the request, but no other part of a plan."),
      () => (notice.textContent = "Copy the link from the field."),
    );
  } catch (error) {
    problem.textContent = wordsOf(error);
  }
}

async function open(): Promise<void> {
  const fragment = location.hash.slice(1);
  let shared: Shared = { text: exampleText, request: exampleRequest };
  let broken: unknown;
  if (fragment !== "") {
    try {
      shared = await sharedIn(fragment);
    } catch (error) {
      broken = error;
    }
  }
  text.value = shared.text;
  request = shared.request;
  evaluate();
  if (broken !== undefined) problem.textContent = wordsOf(broken);
}

element("evaluate").addEventListener("click", evaluate);
element("link-button").addEventListener("click", () => void share());
element("file").addEventListener("change", (event) => {
  const [file] = (event.target as HTMLInputElement).files ?? [];
  void file?.text().then((content) => {
    text.value = content;
    evaluate();
  });
});
addEventListener("hashchange", () => void open());
void open();
