import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { brandName } from '../brand/brand-name.ts';
import { type Brand, fonts } from '../brand/brand-settings.ts';
import type { Theme } from '../brand/colour.ts';
import { type Shades, shadesOf } from '../brand/shades.ts';
import { localeNames } from '../http/context.ts';
import { commonTexts } from './messages.ts';
import { withParameter } from './read-view.ts';
import { type ExtraStyle, styleFor } from './style.ts';
import { useTexts, useView } from './view.ts';

interface DocumentProps {
  readonly title: string;
  /** True to leave room for columns and tables. */
  readonly wide: boolean;
  /** True for a development page, in English only. */
  readonly developer: boolean;
  readonly extraStyle: ExtraStyle;
  /** A URL that the browser opens automatically, without a script. */
  readonly continueTo?: string | undefined;
  /** A URL opened only by browsers without script. */
  readonly withoutScript?: { readonly seconds: number; readonly url: string } | undefined;
  readonly script?: string | undefined;
  /** Shown opposite the brand. */
  readonly corner?: Child;
  readonly children: Child;
}

/** The parts shared by all pages: head, brand, `main`, and the languages in the footer. */
export function Document(props: DocumentProps) {
  const { title, wide, developer, extraStyle, continueTo, withoutScript, script, corner, children } = props;
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
        <style nonce={nonce}>
          {raw(styleFor(theme, { extra: extraStyle, isWide: wide, brand: brandStyle(brand, theme) }))}
        </style>
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

/**
 * As text, because Hono moves a `meta` element out of the `noscript`, where it would work with scripts enabled too. The
 * address may be an app's: its quotes and angle brackets are encoded as in a URL, so that none can end the attribute or
 * the `noscript`, whose content is not parsed for entities.
 */
function refreshOf({ seconds, url }: { readonly seconds: number; readonly url: string }): string {
  const encoded = url.replaceAll(/["'<>`]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const address = encoded.replaceAll('&', '&amp;');
  return `<meta http-equiv="refresh" content="${seconds}; url=${address}">`;
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

const gem = 'M8 3h16l6 8-14 18L2 11z';

/** The name and logo at the top of a page. */
export function BrandMark() {
  const { brand } = useView();
  return (
    <span class="mark">
      {brand.BRAND_LOGO === undefined ? (
        <>
          {brand.BRAND_NAME === undefined && <Gem />}
          {brandName(brand)}
        </>
      ) : (
        <Logo brand={brand} />
      )}
    </span>
  );
}

function Logo({ brand }: { brand: Brand }) {
  const { theme } = useView();
  const { BRAND_LOGO: light = '', BRAND_LOGO_DARK: dark = light } = brand;
  const image = <img src={theme === 'dark' ? dark : light} alt={brandName(brand)} height={32} />;
  if (theme !== null || dark === light) return image;
  return (
    <picture>
      <source media="(prefers-color-scheme:dark)" srcset={dark} />
      {image}
    </picture>
  );
}

function Gem() {
  return (
    <svg width="24" height="24" viewBox="0 0 32 32" fill="none" stroke="currentColor" aria-hidden="true">
      <path d={gem} fill="currentColor" stroke="none" opacity=".18" />
      <path d={`${gem}M2 11h28M8 3l4 8 4 18 4-18 4-8`} stroke-width="2" stroke-linejoin="round" />
    </svg>
  );
}

/** Help, privacy and terms links, if there are any. */
export function BrandLinks() {
  const { SUPPORT_URL, PRIVACY_URL, TERMS_URL } = useView().brand;
  const texts = useTexts(commonTexts);
  const links = { support: SUPPORT_URL, privacy: PRIVACY_URL, terms: TERMS_URL } as const;
  const given = (Object.keys(links) as (keyof typeof links)[]).filter((key) => links[key] !== undefined);
  if (given.length === 0) return null;
  return (
    <span>
      {given.map((key) => (
        <a href={links[key]}>{texts[key]}</a>
      ))}
    </span>
  );
}

/** The favicon: the logo, or the name's initial in the accent colour. */
export function tabIcon(brand: Brand): string {
  if (brand.BRAND_LOGO !== undefined) return brand.BRAND_LOGO;
  const colour = brand.BRAND_ACCENT ?? '#6a9f2b';
  const [initial = ''] = brandName(brand);
  const letter = initial.replace(/[<>&]/, '');
  const shape =
    brand.BRAND_NAME === undefined
      ? `<path d="${gem}" fill="${colour}"/>`
      : `<rect width="32" height="32" rx="7" fill="${colour}"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="#fff">${letter}</text>`;
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shape}</svg>`)}`;
}

/** The custom properties changed by the settings. */
export function brandStyle(brand: Brand, theme: Theme | null): string {
  const shades = shadesOf(brand);
  const { BRAND_RADIUS: radius, BRAND_FONT: font } = brand;
  const shape =
    radius === undefined
      ? ''
      : `--r1:${Math.round(radius / 1.5)}px;--r2:${radius}px;--r3:${Math.round(radius * 1.5)}px;`;
  const common = `${shape}${font === 'system' ? '' : `--font:${fonts[font]};`}`;
  const base = `${common}${shades === null ? '' : propertiesOf(shades[theme ?? 'light'])}`;
  const dark =
    shades === null || theme !== null
      ? ''
      : `@media(prefers-color-scheme:dark){:root{${propertiesOf(shades.dark)}}}`;
  const logo =
    brand.BRAND_LOGO === undefined ? '' : '.mark img{display:block;max-width:12rem;object-fit:contain}';
  const provider =
    brand.IDP_LOGO === undefined ? '' : '.provider img{position:absolute;left:1rem;object-fit:contain}';
  return `${base === '' ? '' : `:root{${base}}`}${dark}${logo}${provider}`;
}

function propertiesOf({ accent, deep, onAccent, soft }: Shades): string {
  return `--accent:${accent};--deep:${deep};--on-accent:${onAccent};--soft:${soft};`;
}
