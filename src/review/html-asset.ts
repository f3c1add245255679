/** The style of the review page, and the script of its form to try requests. */

export const style = `
:root { color-scheme: light dark; --line: #8888; --allow: #1a7f37; --block: #b42318; --redirect: #8250df; --log: #57606a; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 0 0 .3rem; }
.verdict { font-weight: 600; border-left: .4rem solid var(--line); padding-left: .7rem; }
.verdict.more_permissive { border-color: var(--redirect); } .verdict.less_permissive { border-color: var(--block); }
.verdict.equivalent { border-color: var(--allow); }
.note { color: var(--log); }
li { overflow-wrap: anywhere; }
.level { border: 1px solid var(--line); border-radius: .3rem; padding: 0 .3rem; font-size: .85em; }
.level.high, .level.critical { font-weight: 700; border-width: 2px; border-color: var(--block); }
.columns { display: grid; grid-template-columns: 1fr minmax(2rem, 6rem) 1fr; }
.columns svg { width: 100%; margin-top: 1.75rem; }
.columns path { fill: none; stroke: var(--line); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.columns path.moved { stroke: currentColor; stroke-width: 2.5; stroke-dasharray: 6 3; }
.column { list-style: none; margin: 0; padding: 0; }
.column li { box-sizing: border-box; height: 64px; margin-bottom: 8px; overflow: hidden; padding: .4rem .6rem; border: 1px solid var(--line); border-left-width: .45rem; border-radius: .3rem; font-size: .9rem; }
.column .allowed { border-left-color: var(--allow); } .column .blocked { border-left-color: var(--block); border-left-style: double; }
.column .redirected { border-left-color: var(--redirect); border-left-style: dashed; } .column .logged { border-left-color: var(--log); border-left-style: dotted; }
.column li { line-height: 1.25; } .column li span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
@media (max-width: 30rem) { .columns { grid-template-columns: 1fr 1.5rem 1fr; } .column li { font-size: .8rem; padding: .35rem .4rem; } ul { padding-left: 1.2rem; } }
.column li.hit { outline: 3px solid currentColor; }
.try { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .6rem; align-items: end; }
.try label { display: grid; font-size: .85rem; } .try input, .try button { font: inherit; padding: .3rem; min-width: 0; }
.try p, .try output { grid-column: 1 / -1; margin: 0; }
.try output:not(:empty) { border: 1px solid var(--line); border-radius: .3rem; padding: .5rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; }
`;

export const script = `
const sides = JSON.parse(document.getElementById("acls").textContent);
for (const form of document.querySelectorAll("form.try")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value !== ""));
    if (given.asn) given.asn = Number(given.asn);
    if (given.managed) given.managed = given.managed.split(/[\\s,]+/);
    const request = { path: "/authorize", ...given };
    const page = form.closest("main");
    const columns = page.querySelectorAll(".column");
    ["before", "after"].forEach((side, column) => {
      const { outcome, at, because } = TenantformReview.tried(sides[form.dataset.index][side], request);
      const items = [...columns[column].children];
      items.forEach((item, index) => item.classList.toggle("hit", index === at));
      const by = at < 0 ? "" : " (" + sides[form.dataset.index][side][at].description + ")";
      form.querySelector('[data-side="' + side + '"]').textContent = side + ": " + outcome + by + ": " + because;
    });
  });
}
`;
