/** The style of the review page, for wide and narrow, light and dark screens, and for paper. */
export const style = `
:root { color-scheme: light dark; --page: #fff; --text: #1f2328; --muted: #4a525b; --line: #8c959f; --panel: #f6f8fa; --link: #0a4db3;
  --severe: #9a0b22; --moderate: #7a3e00; --slight: #3f4852; --fine: #0b5725;
  --severe-page: #fff1f0; --moderate-page: #fff6e5; --fine-page: #eefbf1; }
@media screen and (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --text: #f0f6fc; --muted: #b7c0ca; --line: #6e7681; --panel: #161b22; --link: #8cc2ff;
    --severe: #ffb3ab; --moderate: #f5c06b; --slight: #c3ccd6; --fine: #86eba0;
    --severe-page: #2b1113; --moderate-page: #271d0c; --fine-page: #0f2416; }
}
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--page); color: var(--text); overflow-wrap: anywhere; }
article + article { border-top: 2px solid var(--line); margin-top: 3rem; padding-top: 1rem; }
h1 { font-size: 1.3rem; line-height: 1.35; margin: 0; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; } h3 { font-size: 1rem; margin: 0 0 .3rem; }
.line { display: block; padding: .5rem .75rem; margin-bottom: .4rem; border-left: .4rem solid; border-radius: .25rem; background: var(--panel); color: var(--slight); }
.line.severe { color: var(--severe); background: var(--severe-page); } .line.moderate { color: var(--moderate); background: var(--moderate-page); }
.line.fine { color: var(--fine); background: var(--fine-page); }
.about, .note { color: var(--muted); margin: .75rem 0; }
ul, ol { padding-left: 1.25rem; margin: .5rem 0; } li { margin-bottom: .3rem; }
code { font: .9em ui-monospace, monospace; background: var(--panel); border-radius: .2rem; padding: 0 .2rem; }
.level { border: 1px solid; border-radius: .3rem; padding: 0 .35rem; font-size: .85em; color: var(--slight); white-space: nowrap; }
.level.high, .level.critical { font-weight: 700; color: var(--severe); } .level.medium, .level.low { color: var(--moderate); }
.bars { list-style: none; padding: 0; } .bars li { display: grid; grid-template-columns: minmax(0, 16rem) minmax(3rem, 1fr) minmax(0, 16rem); gap: 0 .75rem; align-items: center; }
.bar { height: .8rem; border: 1px solid var(--line); border-radius: .2rem; overflow: hidden; } .bar i { display: block; height: 100%; min-width: 1px; background: var(--link); print-color-adjust: exact; }
summary { cursor: pointer; padding: .25rem 0; } summary h2 { display: inline; margin: 0; } .part { margin-top: 1rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; font-size: .95rem; } td, th { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; } tbody th { font-weight: 400; }
@media (max-width: 32rem) { body { padding: .75rem; } h1 { font-size: 1.1rem; } .bars li { grid-template-columns: minmax(0, 1fr) auto; margin-bottom: .6rem; } .bars .bar { grid-row: 2; grid-column: 1 / -1; } td, th { padding: .25rem .3rem; font-size: .85rem; } }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; } li, tr, .line { break-inside: avoid; } }
`;
