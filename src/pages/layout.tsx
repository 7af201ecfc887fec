import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Locale } from './locale.ts';
import { style } from './style.ts';

const gem = 'M8 3h16l6 8-14 18L2 11z';
const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="${gem}" fill="#6a9f2b"/></svg>`,
)}`;

interface DocumentProps {
  readonly title: string;
  readonly locale: Locale;
  readonly nonce: string;
  /** Room for two columns, as developers' pages need. */
  readonly wide: boolean;
  /** Where the browser goes on by itself, without a script. */
  readonly continueTo?: string | undefined;
  readonly script?: string | undefined;
  readonly children: Child;
}

/** What every page shares: its head, the brand line and the one `main`. */
export function Document({ title, locale, nonce, wide, continueTo, script, children }: DocumentProps) {
  return (
    <html lang={locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {continueTo !== undefined && <meta http-equiv="refresh" content={`1;url=${continueTo}`} />}
        <title>{`${title} · Peridot`}</title>
        <link rel="icon" href={icon} />
        <style nonce={nonce}>{raw(style)}</style>
      </head>
      <body class={wide ? 'wide' : undefined}>
        <div class="brand">
          <svg
            width="22"
            height="22"
            viewBox="0 0 32 32"
            fill="none"
            stroke="currentColor"
            aria-hidden="true"
          >
            <path d={`${gem}M2 11h28M8 3l4 8 4 18 4-18 4-8`} stroke-width="2" stroke-linejoin="round" />
          </svg>
          Peridot
        </div>
        <main>{children}</main>
        {script !== undefined && <script nonce={nonce}>{raw(script)}</script>}
      </body>
    </html>
  );
}

/**
 * The button that the Enter key presses. Browsers take the first one of a form, so a form that shows other
 * buttons before its own one begins with this.
 */
export function DefaultButton({ children }: { children: Child }) {
  return (
    <button type="submit" class="unseen" tabindex={-1}>
      {children}
    </button>
  );
}

/** A person as a coloured disc, two lines of text beside it. No picture is fetched from anywhere. */
export function Person({ name, detail }: { name: string; detail: string }) {
  return (
    <>
      <span class="initials" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span>
        {name}
        <small>{detail}</small>
      </span>
    </>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0]);
  return letters.join('').toLocaleUpperCase() || '?';
}
