const light = `
color-scheme:light;
--page:#f6f7f4;--card:#fff;--sunken:#f0f2ec;--text:#161a13;--quiet:#596153;--line:#e1e5da;--rim:#cdd3c4;--edge:#848c7c;
--accent:#3b7214;--deep:#2c570d;--on-accent:#fff;--soft:#ebf4df;
--bad:#ab2019;--bad-soft:#fdf2f0;--bad-line:#eec4be;--fatal:#ab2019;--warn:#6f4b00;--warn-soft:#fff8e6;--warn-line:#e9d7a3;
--shadow:0 2px 12px -4px #161a1324;--lift:0 16px 48px -8px #161a1347;`;

const dark = `
color-scheme:dark;
--page:#0c0f0a;--card:#141811;--sunken:#1c2118;--text:#e9ede3;--quiet:#a3ab99;--line:#272d22;--rim:#3a4233;--edge:#727b69;
--accent:#a4d958;--deep:#bdea7c;--on-accent:#132007;--soft:#1e2b13;
--bad:#ff9d92;--bad-soft:#2a1512;--bad-line:#5b2b25;--fatal:#c8372d;--warn:#eac16c;--warn-soft:#251d0b;--warn-line:#54441d;
--shadow:0 1px 2px #0006;--lift:0 16px 48px -8px #000b;`;

/** The design's values. With null, the colours follow the browser's setting. */
export function tokens(theme: 'light' | 'dark' | null): string {
  return `:root{${theme === 'dark' ? dark : light}
--s2:.5rem;--s3:.75rem;--s4:1rem;--s5:1.5rem;
--t1:.8125rem;--t2:.875rem;--t3:.9375rem;--t4:1.0625rem;--t5:1.375rem;--t6:1.75rem;
--r1:6px;--r2:9px;--r3:14px;--tap:2.75rem;--fast:.12s ease-out;
--font:system-ui,sans-serif;--mono:ui-monospace,Menlo,Consolas,monospace;
}${theme === null ? `@media(prefers-color-scheme:dark){:root{${dark}}}` : ''}`;
}
