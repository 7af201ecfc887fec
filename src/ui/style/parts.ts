/** The components, each under the class that it renders. */
export const parts = `
.card,dialog{background:var(--card);border:1px solid var(--line);border-radius:var(--r3);padding:var(--s5);box-shadow:var(--shadow)}
.card+.card,.card+div>.card{margin-top:var(--s4)}
@media(max-width:26rem){.card{padding:1.25rem var(--s4)}}
.button,button{
display:inline-flex;align-items:center;justify-content:center;gap:.6rem;min-height:var(--tap);padding:.45rem var(--s4);
border:1px solid var(--rim);border-radius:var(--r2);background:var(--card);color:var(--text);font:inherit;font-weight:500;line-height:1.3;
text-align:center;text-decoration:none;cursor:pointer;overflow-wrap:anywhere;transition:background var(--fast)
}
.button:hover,button:hover{background:var(--sunken);border-color:var(--edge);color:var(--text)}
.main,.main:hover{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.main:hover{background:var(--deep);border-color:var(--deep)}
:is(.button,button):active{scale:.98}
.act{position:sticky;bottom:0;display:flex;flex-wrap:wrap;gap:var(--s2);padding:var(--s3) 0;background:var(--card)}
.act:not(:has(.main)){position:static}
.act>*{flex:1 1 5rem}
.act>.main{flex:2 1 9rem}
.danger,.danger:hover{color:var(--bad)}
.danger:hover{background:var(--bad-soft);border-color:var(--bad)}
.danger.main{background:var(--fatal);border-color:var(--fatal);color:#fff}
.revealed{position:relative}.revealed input{padding-right:5rem}.revealed .link{position:absolute;right:var(--s4);top:0;min-height:var(--tap)}
[aria-busy=true]:is(.button,button){pointer-events:none;opacity:.75}
[aria-busy=true]:is(.button,button)::after{content:"";flex:none;width:1em;height:1em;border:2px solid;border-right-color:transparent;border-radius:50%;animation:spin .7s linear infinite}
button[aria-disabled=true]{opacity:.6}
summary{padding:.4rem 0}
@keyframes spin{to{rotate:1turn}}
:disabled,:disabled:hover{background:var(--sunken);border-color:var(--line);color:var(--quiet)}
.link,.link:hover{padding:0;border:0;background:none;color:var(--accent);font-weight:400;text-decoration:underline}
.provider{position:relative;padding:.45rem var(--s4) .45rem 2.9rem}
.provider svg{position:absolute;left:1rem}
.provider:has(.badge){justify-content:start;flex-wrap:wrap;text-align:left}
.provider .badge{margin-left:auto}
.quiet .link{min-height:0}
.or{display:flex;align-items:center;gap:var(--s3);margin:var(--s2) 0;color:var(--quiet);font-size:var(--t1)}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
label,.label{display:block;font-size:var(--t2);font-weight:500;margin-bottom:.35rem}
.field,.person,.note,.warning,.problems{margin-bottom:1.2rem}
.fields{display:flex;flex-wrap:wrap;gap:0 var(--s4)}
.fields .field{flex:1 1 9rem}
.amount{font-size:var(--t6);font-weight:650}
:where(input,select,textarea):where(:not([type=checkbox])){
width:100%;min-width:0;min-height:var(--tap);padding:.45rem .75rem;border:1px solid var(--edge);border-radius:var(--r2);background:var(--card);color:var(--text);
font:inherit;font-size:1rem
}
[type=checkbox]{width:1.25rem;height:1.25rem;flex:none}
fieldset{border:0;padding:0;margin:0}
.check{display:flex;gap:.65rem;font-weight:400;padding:.6rem 0}
::placeholder{color:var(--quiet);opacity:1}
:is(input,select,textarea):focus-visible{outline-offset:-1px}
.suffixed{display:flex}
.suffixed input{border-radius:var(--r2) 0 0 var(--r2);border-right:0}
.suffixed span{display:flex;align-items:center;padding:0 .8rem;border:1px solid var(--edge);border-radius:0 var(--r2) var(--r2) 0;background:var(--sunken);color:var(--quiet);font-weight:500}
[aria-invalid=true]{border-color:var(--bad);box-shadow:inset 0 0 0 1px var(--bad)}
.code{font:600 1.5rem/1 var(--mono);letter-spacing:.4em;text-align:center;text-indent:.4em}
.hint,.problem,.good{display:block;color:var(--quiet);font-size:var(--t1);margin:.4rem 0 0}
.amount~details,.toast{margin-bottom:var(--s4)}
@media(pointer:coarse){.keys{display:none}}
.problem{color:var(--bad);font-weight:600}
.good{color:var(--accent);font-weight:600}
.note,.warning,.problems,.toast,.who{border:1px solid var(--line);border-radius:var(--r2);padding:.8rem var(--s4);background:var(--soft)}
.warning{border-color:var(--warn-line);background:var(--warn-soft)}
.warning :is(svg,strong){color:var(--warn)}
.problems{border-color:var(--bad-line);background:var(--bad-soft)}
.problems svg{color:var(--bad)}
.icon,.toast,.person,.item{display:flex;gap:.75rem;align-items:center;min-width:0}
.icon,.item{align-items:start}
:is(.icon,.toast,.item)>svg{flex:none;margin-top:.1rem}
.item>svg{box-sizing:content-box;padding:.6rem;border:1px solid var(--line);border-radius:var(--r2);background:var(--page)}
.icon>:last-child,.person>:last-child{min-width:0;flex:1;text-align:left}
.person{font-weight:600;line-height:1.35}
.person small{display:block;font-weight:400;color:var(--quiet)}
.initials{flex:none;display:grid;place-items:center;width:2.75rem;height:2.75rem;border-radius:50%;background:var(--soft);color:var(--deep);font-size:var(--t2);font-weight:600}
.who{background:var(--page);padding-bottom:.3rem}
.who .person{margin:.5rem 0}
.holder{margin-bottom:1.2rem}
.holder .person{margin:0}
:is(.item,.holder) :is(.button,button){min-height:2.25rem;padding:.3rem .8rem;font-size:var(--t2)}
.badge{display:inline-block;padding:.05rem .5rem;border-radius:1rem;background:var(--soft);color:var(--deep);font-size:var(--t1);font-weight:500}
.bad{background:var(--bad-soft);color:var(--bad)}
.plain{list-style:none;padding:0}
.plain>li{padding:.9rem 0;border-top:1px solid var(--line)}
.plain>li:first-child{border:0;padding-top:0}
.plain:last-child>li:last-child{padding-bottom:0}
.item{flex-wrap:wrap}
.item>div{flex:1 1 14rem;min-width:0}
.item p{margin:0}
@media(max-width:30rem){.item>*+div{flex-basis:10rem}.item>div~*{margin-left:3.4rem}.end :is(form,nav,a,button){width:100%}}
table{width:100%;border-collapse:collapse;font-size:var(--t2)}
th,td{padding:.7rem var(--s4) .7rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{font-weight:500;font-size:var(--t1)}
td{min-width:9rem}
tr:last-child td{border:0}
@media(max-width:40rem){
thead{position:absolute;clip-path:inset(50%)}
tr,td{display:block;padding:.1rem 0;border:0}
tr+tr{border-top:1px solid var(--line)}
tr{padding:.7rem 0}
}
.tick{display:grid;place-items:center;width:4rem;height:4rem;margin:0 auto var(--s4);border-radius:50%;background:var(--accent);color:var(--on-accent);animation:pop .3s}
.tick svg{scale:1.8}
.tick~:is(h1,p){text-align:center}
@keyframes pop{from{scale:.5}}
.pass{background:var(--soft)}
.pass b{display:block;margin-bottom:var(--s3);font:600 var(--t5) var(--mono)}
.toast{border-color:var(--accent);font-weight:500;animation:pop .2s}
.toast svg{color:var(--accent)}
:is(.empty,.pass){padding:var(--s5) var(--s4);border:1px dashed var(--rim);border-radius:var(--r2);text-align:center}
dialog{width:calc(100% - 2rem);max-width:26rem;color:var(--text);box-shadow:var(--lift)}
dialog::backdrop{background:#080b068c}
.end{display:flex;flex-wrap:wrap;gap:var(--s3);justify-content:end;margin-top:var(--s5)}
`;
