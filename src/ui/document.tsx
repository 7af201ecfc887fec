import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { localeNames } from '../http/locale.ts';
import { commonTexts } from './messages.ts';
import { styleFor } from './style.ts';
import { useTexts, useView, withParameter } from './view.ts';

const gem = 'M8 3h16l6 8-14 18L2 11z';
const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="${gem}" fill="#6a9f2b"/></svg>`,
)}`;

interface DocumentProps {
  readonly title: string;
  readonly nonce: string;
  /** Whether to leave room for columns and tables. */
  readonly wide: boolean;
  /** Whether this is a page of development, in English only. */
  readonly developer: boolean;
  /** An address that the browser opens by itself, without a script. */
  readonly continueTo?: string | undefined;
  /** An address of ours that only browsers without script open. */
  readonly withoutScript?: { readonly seconds: number; readonly url: string } | undefined;
  readonly script?: string | undefined;
  /** Shown opposite the brand. */
  readonly corner?: Child;
  readonly children: Child;
}

/** What all pages share: head, brand, `main`, and the languages in the footer. */
export function Document(props: DocumentProps) {
  const { title, nonce, wide, developer, continueTo, withoutScript, script, corner, children } = props;
  const { locale, theme } = useView();
  const { description } = useTexts(commonTexts);
  return (
    <html lang={developer ? 'en' : locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {!developer && <meta name="description" content={description} />}
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        {continueTo !== undefined && <meta http-equiv="refresh" content={`1; url=${continueTo}`} />}
        {withoutScript !== undefined && <noscript>{raw(refreshOf(withoutScript))}</noscript>}
        <title>{`${title} · Peridot`}</title>
        <link rel="icon" href={icon} />
        <style nonce={nonce}>{raw(styleFor(theme, developer))}</style>
      </head>
      <body class={wide ? 'wide' : undefined}>
        <header class="brand">
          <span class="mark">
            <Gem />
            Peridot
          </span>
          {corner}
        </header>
        <main>{children}</main>
        <footer class="foot">{developer ? <span>Development</span> : <Languages />}</footer>
        {script !== undefined && <script nonce={nonce}>{raw(script)}</script>}
      </body>
    </html>
  );
}

/** Text, because Hono moves a `meta` element out of the `noscript`, and it would work with scripts enabled too. */
function refreshOf({ seconds, url }: { readonly seconds: number; readonly url: string }): string {
  const { pathname, search } = new URL(url, 'http://local.invalid');
  const path = `${pathname}${search}`.replaceAll('&', '&amp;').replaceAll('"', '%22');
  return `<meta http-equiv="refresh" content="${seconds}; url=${path}">`;
}

function Gem() {
  return (
    <svg width="24" height="24" viewBox="0 0 32 32" fill="none" stroke="currentColor" aria-hidden="true">
      <path d={gem} fill="currentColor" stroke="none" opacity=".18" />
      <path d={`${gem}M2 11h28M8 3l4 8 4 18 4-18 4-8`} stroke-width="2" stroke-linejoin="round" />
    </svg>
  );
}

/** Links to the same page in each language. */
function Languages() {
  const { locale, here } = useView();
  const texts = useTexts(commonTexts);
  return (
    <nav aria-label={texts.language}>
      {Object.entries(localeNames).map(([tag, name]) =>
        tag === locale ? (
          <b lang={tag}>{name}</b>
        ) : (
          <a href={withParameter(here, 'ui_locales', tag)} lang={tag} hreflang={tag}>
            {name}
          </a>
        ),
      )}
    </nav>
  );
}
