/** The page, its text and its containers. */
export const base = `
*{box-sizing:border-box;accent-color:var(--accent)}
html{text-size-adjust:100%;scroll-padding-bottom:8rem}
body{
margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--page);color:var(--text);
font:var(--t3)/1.55 var(--font);overflow-wrap:break-word
}
.brand,main,.foot{width:100%;max-width:27.5rem;margin:0 auto;padding:0 var(--s4)}
.brand,.foot,.spread,.row{display:flex;flex-wrap:wrap;gap:var(--s2) var(--s4);align-items:center;justify-content:space-between}
.row{gap:var(--s2);justify-content:start}
.brand{min-height:3.5rem}
.mark{display:inline-flex;align-items:center;gap:.55rem;font-weight:650;letter-spacing:-.01em}
.mark svg{color:var(--accent)}
main{flex:1 0 auto;padding-bottom:var(--s5)}
@media(min-width:30rem) and (min-height:60rem){body:not(.wide) .brand{margin-top:8vh}}
.foot{padding-bottom:var(--s4);color:var(--quiet);font-size:var(--t1)}
.foot :is(a,b){display:inline-flex;align-items:center;min-height:var(--tap);margin-right:var(--s3);color:inherit}
.foot b{color:var(--text)}
h1,h2{font-size:var(--t5);line-height:1.3;letter-spacing:-.015em;font-weight:650;margin:0 0 var(--s2)}
h2{font-size:var(--t4)}
:is(h1,h2)+:not(p){margin-top:var(--s4)}
p,ul,ol{margin:0 0 var(--s4)}
ul,ol{padding-left:1.25rem}
b,strong{font-weight:600}
small{font-size:var(--t1)}
a,.link{color:var(--accent);text-underline-offset:.18em}
a:hover{color:var(--deep)}
code,pre,.mono{font:var(--t1)/1.5 var(--mono);overflow-wrap:anywhere}
time,td,.number,.amount{font-variant-numeric:tabular-nums}
hr{border:0;border-top:1px solid var(--line);margin:var(--s5) 0}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
:is(h1,[role=alert]):focus-visible{outline:0}
[hidden]{display:none!important}
.quiet,.lead,dt,th{color:var(--quiet)}
.quiet{font-size:var(--t2)}
.last,:is(.card,.note,.warning,.problems,.empty,.icon>*,dialog)>:last-child{margin-bottom:0}
.full{width:100%}
.unseen{position:absolute;width:1px;height:1px;padding:0;border:0;min-height:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.stack>*+*{margin-top:var(--s2)}
.lead{margin-bottom:var(--s4)}
.quiet+.plain,.stack+p,form+:is(p,.warning),.hint+form,.hint+dl,.full+.hint{margin-top:1.2rem}
dl{display:grid;grid-template-columns:fit-content(50%) minmax(0,1fr);gap:.35rem 1.25rem;margin:0 0 var(--s4)}
dd{margin:0}
.facts dd{text-align:right}
@media(prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
@media(forced-colors:active){
.main,.badge,.initials{border:1px solid}
.tabs [aria-current]{border-color:Highlight}
}
`;
