/** Additional rules for development pages. */
export const developer = `
.spread>*{min-width:0;overflow-wrap:anywhere}
.stack>*+*,.stack>.card+.card{margin-top:var(--s3)}
.columns{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--s4);align-items:start}
.columns>.card{margin:0}
@media(min-width:52rem){.columns{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}}
fieldset{border:1px solid var(--line);border-radius:var(--r2);padding:var(--s3) var(--s4) var(--s4);margin:0 0 1.2rem;min-width:0}
legend{font-size:var(--t2);font-weight:500;padding:0 .35rem}
fieldset .field{margin:var(--s3) 0 0}
fieldset .field+.main{margin-top:var(--s4)}
button.person{width:100%;justify-content:flex-start;margin-bottom:0;padding:.6rem .8rem}
button small{display:block;font-weight:400;color:var(--quiet)}
.log pre{margin:.3rem 0 0;padding:.6rem .75rem;border-radius:var(--r1);background:var(--sunken);white-space:pre-wrap;overflow-wrap:anywhere}
`;
