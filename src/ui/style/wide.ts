/** Additional rules for pages with the account's tabs. On a phone the tabs are two rows, so that all of them are visible, and the
 * account's heading is only for screen readers. */
export const wide = `
.wide :is(.brand,main,.foot){max-width:60rem}
.wide h1{font-size:var(--t6)}
.wide .field{max-width:26rem}
.tabs{display:flex;flex-wrap:wrap;gap:0 var(--s5);margin:var(--s4) 0 var(--s5);border-bottom:1px solid var(--line)}
.tabs a{display:flex;align-items:center;min-height:var(--tap);border-bottom:2px solid transparent;color:var(--quiet);font-weight:500;text-decoration:none;white-space:nowrap}
.tabs :is(a:hover,[aria-current]){color:var(--text)}
.tabs [aria-current]{border-color:var(--accent)}
@media(max-width:30rem){
h1:has(+.holder){position:absolute;clip-path:inset(50%)}
.tabs{gap:6px;border:0}
.tabs a{flex:1 0 24%;justify-content:center;padding:0 5px;border:1px solid var(--line);border-radius:var(--r2);background:var(--card)}
.tabs [aria-current]{background:var(--soft)}
}
`;
