const light = `
color-scheme:light;
--page:#f6f7f4;--card:#fff;--sunken:#f0f2ec;--text:#161a13;--quiet:#596153;--line:#e1e5da;--line-strong:#cdd3c4;--edge:#848c7c;
--accent:#3b7214;--accent-strong:#2c570d;--on-accent:#fff;--soft:#ebf4df;--ring:#4b8f1b;
--bad:#ab2019;--bad-soft:#fdf2f0;--bad-line:#eec4be;--on-bad:#fff;--warn:#6f4b00;--warn-soft:#fff8e6;--warn-line:#e9d7a3;
--shadow:0 1px 2px rgb(22 26 19/.05),0 4px 16px -4px rgb(22 26 19/.07);--shadow-high:0 16px 48px -8px rgb(22 26 19/.28);`;

const dark = `
color-scheme:dark;
--page:#0c0f0a;--card:#141811;--sunken:#1c2118;--text:#e9ede3;--quiet:#a3ab99;--line:#272d22;--line-strong:#3a4233;--edge:#727b69;
--accent:#a4d958;--accent-strong:#bdea7c;--on-accent:#132007;--soft:#1e2b13;--ring:#a4d958;
--bad:#ff9d92;--bad-soft:#2a1512;--bad-line:#5b2b25;--on-bad:#2a0b08;--warn:#eac16c;--warn-soft:#251d0b;--warn-line:#54441d;
--shadow:0 1px 2px rgb(0 0 0/.4);--shadow-high:0 16px 48px -8px rgb(0 0 0/.7);`;

/**
 * The design's values. Colours follow the reader's setting, unless `data-theme` says which ones are wanted; the
 * dark ones are therefore written in two places.
 */
export const tokens = `
:root{${light}
--s1:.25rem;--s2:.5rem;--s3:.75rem;--s4:1rem;--s5:1.5rem;--s6:2rem;--s7:3rem;
--t1:.8125rem;--t2:.875rem;--t3:.9375rem;--t4:1.0625rem;--t5:1.375rem;--t6:1.75rem;
--r1:6px;--r2:9px;--r3:14px;--target:2.75rem;--fast:.12s ease-out;
--mono:ui-monospace,"SFMono-Regular",Menlo,Consolas,monospace;
}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}
:root[data-theme=dark]{${dark}}
`;
