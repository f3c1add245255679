/** The script of the review page, which runs its forms. */
export const script = `
const { sides, lists } = JSON.parse(document.getElementById("acls").textContent);
for (const form of document.querySelectorAll("form.try")) {
  const columns = form.closest("article").querySelectorAll(".column");
  const show = (side, text) => (form.querySelector('[data-side="' + side + '"]').textContent = text);
  const mark = (column, at) => [...(columns[column]?.children ?? [])].forEach((item, index) => item.classList.toggle("hit", index === at));
  const clear = () => ["before", "after"].forEach((side, column) => (show(side, ""), mark(column, -1)));
  form.addEventListener("input", clear);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clear();
    const { request, problems } = TenantformReview.read(Object.fromEntries(new FormData(form)), lists);
    const fields = [...form.querySelectorAll("input")];
    for (const field of fields) {
      const problem = problems[field.name];
      if (problem === undefined) field.removeAttribute("aria-invalid");
      else field.setAttribute("aria-invalid", "true");
      document.getElementById(field.id + "-problem").textContent = problem ?? "";
    }
    const first = fields.find(({ name }) => name in problems);
    if (first) {
      show("before", "Not evaluated: correct the marked fields.");
      first.focus();
      return;
    }
    ["before", "after"].forEach((side, column) => {
      const { at, text } = TenantformReview.tried(sides[form.dataset.index][side], request);
      mark(column, at);
      show(side, side + ": " + text);
    });
  });
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
`;
