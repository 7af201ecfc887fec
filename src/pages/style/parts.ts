/** The parts that pages are made of, each named by the class its component writes. */
export const parts = `
.card,dialog{background:var(--card);border:1px solid var(--line);border-radius:var(--r3);padding:var(--s5);box-shadow:var(--shadow)}
.card+.card{margin-top:var(--s4)}
@media(max-width:26rem){.card{padding:1.25rem var(--s4)}}
.button,button{
display:inline-flex;align-items:center;justify-content:center;gap:.6rem;min-height:var(--target);padding:.45rem var(--s4);
border:1px solid var(--line-strong);border-radius:var(--r2);background:var(--card);color:var(--text);font:inherit;font-weight:560;line-height:1.3;
text-align:center;text-decoration:none;cursor:pointer;overflow-wrap:anywhere;transition:var(--fast)
}
:is(.button,button):hover{background:var(--sunken);border-color:var(--edge);color:var(--text)}
:is(.button,button):active{border-color:var(--text)}
.main{background:var(--accent)!important;border-color:var(--accent);color:var(--on-accent)!important}
.main:hover{background:var(--accent-strong)!important;border-color:var(--accent-strong)}
.danger,.danger:hover{color:var(--bad)}
.danger:hover{background:var(--bad-soft);border-color:var(--bad)}
.danger.main{background:var(--bad)!important;border-color:var(--bad);color:var(--on-bad)!important}
.danger.main:hover{border-color:var(--text)}
button:disabled,button:disabled:hover{background:var(--sunken);border-color:var(--line);color:var(--quiet);cursor:not-allowed}
.link,.link:hover{padding:0;border:0;background:none;color:var(--accent);font-weight:400;text-decoration:underline 1px;text-underline-offset:.18em}
.provider{position:relative;padding:.45rem 2.9rem}
.provider svg{position:absolute;left:1rem}
.or{display:flex;align-items:center;gap:var(--s3);margin:var(--s4) 0;color:var(--quiet);font-size:var(--t1)}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
label,.label{display:block;font-size:var(--t2);font-weight:560;margin-bottom:.35rem}
.field,.person,.note,.warning,.problems{margin-bottom:1.2rem}
:is(input,select):not([type=checkbox],[type=radio]){
width:100%;min-width:0;min-height:var(--target);padding:.45rem .75rem;border:1px solid var(--edge);border-radius:var(--r2);background:var(--card);color:var(--text);
font:inherit;font-size:1rem
}
::placeholder{color:var(--quiet);opacity:1}
:is(input,select):focus-visible{outline-offset:-1px}
[type=checkbox],[type=radio]{width:1.25rem;height:1.25rem;margin:.1rem 0 0;flex:none;accent-color:var(--accent)}
.suffixed{display:flex}
.suffixed input{border-radius:var(--r2) 0 0 var(--r2)!important;border-right:0!important}
.suffixed span{display:flex;align-items:center;padding:0 .8rem;border:1px solid var(--edge);border-radius:0 var(--r2) var(--r2) 0;background:var(--sunken);color:var(--quiet);font-weight:560}
input[aria-invalid=true]{border-color:var(--bad)!important;box-shadow:inset 0 0 0 1px var(--bad)}
.code{font:600 1.5rem/1 var(--mono)!important;letter-spacing:.4em;text-align:center;text-indent:.4em}
.hint,.problem,.good{color:var(--quiet);font-size:var(--t1);margin:.4rem 0 0}
.problem{color:var(--bad);font-weight:560}
.good{color:var(--accent);font-weight:560}
.note,.warning,.problems,.toast,.who{border:1px solid var(--line);border-radius:var(--r2);padding:.8rem var(--s4);background:var(--soft)}
.warning{border-color:var(--warn-line);background:var(--warn-soft)}
.warning :is(svg,strong){color:var(--warn)}
.problems{border-color:var(--bad-line);background:var(--bad-soft)}
.problems h2{font-size:var(--t3);margin-bottom:var(--s1)}
.problems :is(h2,a,svg){color:var(--bad)}
.icon,.toast,.person,.item{display:flex;gap:.75rem;align-items:center;min-width:0}
.icon{align-items:start}
:is(.icon,.toast,.item)>svg{flex:none;margin-top:.15rem}
.icon>:last-child,.person>:last-child{min-width:0;flex:1;text-align:left}
.person{font-weight:560;line-height:1.35}
.person small{display:block;font-weight:400;color:var(--quiet)}
.initials{flex:none;display:grid;place-items:center;width:2.75rem;height:2.75rem;border-radius:50%;background:var(--soft);color:var(--accent-strong);font-size:var(--t2);font-weight:620}
.who{background:var(--page)}
.badge{display:inline-block;padding:.05rem .5rem;border-radius:1rem;background:var(--soft);color:var(--accent-strong);font-size:var(--t1);font-weight:560}
.plain{list-style:none;padding:0}
.plain>li{padding:.9rem 0;border-top:1px solid var(--line)}
.plain>li:first-child{border:0;padding-top:0}
.plain:last-child>li:last-child{padding-bottom:0}
.item{flex-wrap:wrap}
.item>div{flex:1 1 14rem;min-width:0;overflow-wrap:anywhere}
.item p{margin:0}
.item>svg+div{flex-basis:10rem}
@media(max-width:30rem){.item>:is(form,.button,button),.item button,.end>*,.end button{width:100%}}
.tabs{display:flex;gap:var(--s5);margin:var(--s4) 0 var(--s5);border-bottom:1px solid var(--line);overflow-x:auto;scrollbar-width:none}
.tabs a{display:flex;align-items:center;min-height:var(--target);border-bottom:2px solid transparent;color:var(--quiet);font-weight:560;text-decoration:none;white-space:nowrap}
.tabs :is(a:hover,[aria-current]){color:var(--text)}
.tabs [aria-current]{border-color:var(--accent)}
.tabs a:focus-visible{outline-offset:-3px}
table{width:100%;border-collapse:collapse;font-size:var(--t2)}
th,td{padding:.7rem var(--s4) .7rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{font-weight:560;font-size:var(--t1)}
tr:last-child td{border:0}
@media(max-width:40rem){
thead{position:absolute;clip-path:inset(50%)}
tr,td{display:block;padding:.1rem 0;border:0}
tr+tr{border-top:1px solid var(--line)}
tr{padding:.7rem 0}
td+td{color:var(--quiet)}
}
.steps{display:flex;gap:var(--s2);list-style:none;padding:0;font-size:var(--t1);color:var(--quiet)}
.steps li{flex:1;padding-top:.45rem;border-top:3px solid var(--line)}
.steps :is([aria-current],.done){border-color:var(--accent)}
.steps [aria-current]{color:var(--text);font-weight:560}
.toast{border-color:var(--accent);margin-bottom:var(--s4);font-weight:560;animation:rise .2s ease-out}
.toast svg{color:var(--accent)}
@keyframes rise{from{opacity:0;transform:translateY(-.4rem)}}
.empty{padding:var(--s5) var(--s4);border:1px dashed var(--line-strong);border-radius:var(--r2);text-align:center}
.skeleton i{display:block;height:.85rem;margin-bottom:.8rem;border-radius:var(--r1);background:var(--line);animation:pulse 1.4s infinite}
.skeleton i:nth-child(odd){width:60%}
@keyframes pulse{50%{opacity:.45}}
dialog{width:calc(100% - 2rem);max-width:26rem;color:var(--text);box-shadow:var(--shadow-high)}
dialog::backdrop{background:rgb(8 11 6/.55)}
.end{display:flex;flex-wrap:wrap;gap:var(--s2);justify-content:end;margin-top:var(--s5)}
.timer{font-size:var(--t5);font-weight:620}
`;
