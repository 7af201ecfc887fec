/** Additional rules for pages of the wallet. */
export const money = `
.day{margin:var(--s4) 0 0;font-size:var(--t1);font-weight:500;color:var(--quiet)}
.moves{list-style:none;padding:0}
.moves .person{flex-wrap:wrap;align-items:start;gap:0 .75rem;margin:0;padding:.65rem 0;color:inherit;text-decoration:none}
.moves li+li{border-top:1px solid var(--line)}
.moves a:hover{background:var(--sunken)}
.moves .initials{width:2.25rem;height:2.25rem}
.moves .initials+span{flex:1 1 6rem;min-width:0;overflow-wrap:anywhere}
.moves .clamp{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.moves .person>:last-child{flex:none;max-width:100%;margin-left:auto;text-align:right}
.moves .warn{background:var(--warn-soft);color:var(--warn)}
.moves .open{background:var(--sunken);color:var(--quiet)}
.moves form{margin:0 0 .65rem 3rem}
.moves .in{color:var(--accent)}
.facts .spread{grid-column:1/-1;gap:0 var(--s4)}
.facts .link{min-width:var(--tap)}
.back{display:inline-flex;align-items:center;gap:.4rem;min-height:var(--tap)}
@media(max-width:30rem){#balance .button{flex:1 1 40%}#balance .main{flex-basis:100%}}
.recent{display:flex;gap:var(--s3);margin-bottom:var(--s4)}
.recent a{flex:1;max-width:6rem;min-width:0;overflow:hidden;text-align:center;text-overflow:ellipsis;white-space:nowrap;font-size:var(--t1);color:inherit;text-decoration:none}
.recent .initials{margin:0 auto .3rem}
.qr{display:block;width:100%;max-width:16rem;margin:0 auto var(--s4);border-radius:var(--r2)}
.revealed input{padding-right:7.5rem}
@media print{
*{color:#000!important;background:none!important}
.card{border:0;padding:0;box-shadow:none}
.foot,.toast,.back,button,.button{display:none}
}
`;
