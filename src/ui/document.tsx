import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { localeNames } from '../http/locale.ts';
import { brandName } from '../lib/brand-name.ts';
import { BrandLinks, BrandMark, brandStyle, tabIcon } from './brand.tsx';
import { commonTexts } from './messages.ts';
import { withParameter } from './read-view.ts';
import { styleFor } from './style.ts';
import { useTexts, useView } from './view.ts';

interface DocumentProps {
  readonly title: string;
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
  const { title, wide, developer, continueTo, withoutScript, script, corner, children } = props;
  const { locale, theme, brand, nonce } = useView();
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
        <title>{`${title} · ${brandName(brand)}`}</title>
        <link rel="icon" href={tabIcon(brand)} />
        <style nonce={nonce}>{raw(styleFor(theme, developer, brandStyle(brand, theme)))}</style>
      </head>
      <body class={wide ? 'wide' : undefined}>
        <header class="brand">
          <BrandMark />
          {corner}
        </header>
        <main>{children}</main>
        <footer class="foot">
          {developer ? <span>Development</span> : <Languages />}
          {!developer && <BrandLinks />}
        </footer>
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
