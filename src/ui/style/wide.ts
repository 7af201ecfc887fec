/** Additional rules for pages with the account's tabs. On a phone the tabs are a grid, so that all of them are visible. */
export const wide = `
.wide :is(.brand,main,.foot){max-width:60rem}
.wide h1{font-size:var(--t6)}
.wide .field{max-width:26rem}
.tabs{display:flex;flex-wrap:wrap;gap:0 var(--s5);margin:var(--s4) 0 var(--s5);border-bottom:1px solid var(--line)}
.tabs a{display:flex;align-items:center;min-height:var(--tap);border-bottom:2px solid transparent;color:var(--quiet);font-weight:500;text-decoration:none;white-space:nowrap}
.tabs :is(a:hover,[aria-current]){color:var(--text)}
.tabs [aria-current]{border-color:var(--accent)}
@media(max-width:30rem){
.tabs{display:grid;grid-template-columns:repeat(3,1fr);gap:var(--s2);border:0}
.tabs a{justify-content:center;border:1px solid var(--line);border-radius:var(--r2);background:var(--card);text-align:center;white-space:normal}
.tabs [aria-current]{background:var(--soft)}
}
`;
