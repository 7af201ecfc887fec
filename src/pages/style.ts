/** The one stylesheet of all pages: system fonts, light and dark by the reader's setting, from 320 px up. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f4f6ee; --card: #fff; --text: #1b1f16; --quiet: #545c4a; --line: #d5dacb; --edge: #7f8772;
  --accent: #3a6a10; --accent-strong: #2c530b; --on-accent: #fff; --soft: #e8f1d8;
  --bad: #a11b16; --bad-soft: #fdeeec; --warn: #6b4a00; --warn-soft: #fff5da;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12150e; --card: #1b1f16; --text: #e9eddf; --quiet: #aab39b; --line: #353c2c; --edge: #808a70;
    --accent: #a9d95a; --accent-strong: #c3ec7f; --on-accent: #16210a; --soft: #28331a;
    --bad: #ffb3aa; --bad-soft: #3a1a17; --warn: #f2cf80; --warn-soft: #33290f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 1.25rem 1rem 3rem; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word;
}
.brand, main { max-width: 27rem; margin: 0 auto; }
.wide .brand, .wide main { max-width: 60rem; }
.brand { display: flex; align-items: center; gap: .5rem; padding: .25rem 0 1rem; font-weight: 650; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.5rem; }
.card + .card { margin-top: 1rem; }
@media (max-width: 26rem) { .card { padding: 1.1rem; } }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.1rem; line-height: 1.3; margin: 0 0 .5rem; }
p { margin: 0 0 1rem; }
ul, ol { margin: 0 0 1rem; padding-left: 1.25rem; }
.quiet { color: var(--quiet); font-size: .925rem; }
.last, .card > :last-child { margin-bottom: 0; }
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { color: var(--accent-strong); }
code, pre, .mono { font: .875rem/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.button, button {
  display: inline-flex; align-items: center; justify-content: center; gap: .5rem; min-height: 2.75rem; padding: .5rem 1rem;
  border: 1px solid var(--edge); border-radius: 10px; background: var(--card); color: var(--text); font: inherit;
  font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; overflow-wrap: anywhere;
}
.button:hover, button:hover { border-color: var(--accent); color: var(--accent-strong); }
.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.main:hover { background: var(--accent-strong); border-color: var(--accent-strong); color: var(--on-accent); }
.full { width: 100%; }
.row { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; }
.stack > * + *, .stack > .card + .card { margin-top: .75rem; }
label { display: block; font-weight: 600; margin-bottom: .3rem; }
.field { margin-bottom: 1.1rem; }
input[type=text], input[type=email], select {
  width: 100%; min-height: 2.75rem; padding: .45rem .7rem; border: 1px solid var(--edge); border-radius: 10px;
  background: var(--card); color: var(--text); font: inherit;
}
input[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
input[type=checkbox] { width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; flex: none; accent-color: var(--accent); }
.check { display: flex; gap: .65rem; align-items: flex-start; font-weight: 400; margin: 0; padding: .25rem 0; }
.suffixed { display: flex; align-items: stretch; }
.suffixed input { border-radius: 10px 0 0 10px; min-width: 0; }
.suffixed span {
  display: flex; align-items: center; padding: 0 .8rem; border: 1px solid var(--edge); border-left: 0;
  border-radius: 0 10px 10px 0; background: var(--soft); font-weight: 600;
}
.hint { color: var(--quiet); font-size: .875rem; margin: .35rem 0 0; }
.problem { color: var(--bad); font-size: .925rem; font-weight: 600; margin: .35rem 0 0; }
.problems { border: 2px solid var(--bad); border-radius: 10px; background: var(--bad-soft); padding: .9rem 1rem; margin-bottom: 1.25rem; }
.problems a { color: var(--bad); }
.problems ul { margin: 0; }
.note { border-left: 4px solid var(--accent); border-radius: 6px; background: var(--soft); padding: .75rem 1rem; margin-bottom: 1.1rem; }
.warning { border-left: 4px solid var(--warn); border-radius: 6px; background: var(--warn-soft); padding: .75rem 1rem; margin-bottom: 1.1rem; }
.note > :last-child, .warning > :last-child { margin-bottom: 0; }
.person { display: flex; gap: .8rem; align-items: center; margin-bottom: 1.25rem; min-width: 0; }
.person > span:last-child { min-width: 0; text-align: left; }
.initials {
  flex: none; display: grid; place-items: center; width: 2.75rem; height: 2.75rem; border-radius: 50%;
  background: var(--soft); color: var(--accent-strong); font-weight: 700;
}
.person small, button small { display: block; font-weight: 400; color: var(--quiet); font-size: .875rem; }
button.person { width: 100%; justify-content: flex-start; margin-bottom: 0; padding: .6rem .8rem; }
fieldset .field { margin: .75rem 0 0; }
fieldset .field + .main { margin-top: 1rem; }
fieldset { border: 1px solid var(--line); border-radius: 10px; padding: .75rem 1rem 1rem; margin: 0 0 1.1rem; min-width: 0; }
legend { font-weight: 600; padding: 0 .35rem; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.25rem 0; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1rem; margin: 0 0 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 26rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
.plain { list-style: none; padding: 0; }
.plain > li { padding: .6rem 0; border-top: 1px solid var(--line); }
.plain > li:first-child { border-top: 0; }
.spread { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; }
.spread > * { min-width: 0; overflow-wrap: anywhere; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; align-items: start; }
.columns > .card { margin: 0; }
@media (min-width: 52rem) { .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
.log pre { margin: .3rem 0 0; padding: .6rem .75rem; border-radius: 8px; background: var(--page); white-space: pre-wrap; overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; padding: 0; border: 0; min-height: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none; }
`;
