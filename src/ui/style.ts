import { base } from './style/base.ts';
import { developer } from './style/developer.ts';
import { money } from './style/money.ts';
import { parts } from './style/parts.ts';
import { tokens } from './style/tokens.ts';
import { wide as wideRules } from './style/wide.ts';

const common = minify(base + parts);
const wide = minify(wideRules);
const extras = { none: '', developer: minify(developer), money: minify(money) };
const byTheme = { light: minify(tokens('light')), dark: minify(tokens('dark')), auto: minify(tokens(null)) };

export type ExtraStyle = keyof typeof extras;

interface StyleOptions {
  readonly extra?: ExtraStyle;
  /** True for pages with columns and tabs. */
  readonly isWide?: boolean;
  readonly brand?: string;
}

/**
 * The stylesheet that every page contains: system fonts, light and dark, from 320 px up.
 * @param theme null follows the browser's setting
 * @param options the further rules of some pages, and those of a brand, which replace the default custom properties
 */
export function styleFor(theme: 'light' | 'dark' | null, options: StyleOptions = {}): string {
  const { extra = 'none', isWide = false, brand = '' } = options;
  return byTheme[theme ?? 'auto'] + brand + common + (isWide ? wide : '') + extras[extra];
}

/** Removes spaces around punctuation; no rule depends on them. */
function minify(css: string): string {
  return css
    .replace(/\s+/g, ' ')
    .replace(/\s*([{};])\s*/g, '$1')
    .replaceAll(';}', '}')
    .trim();
}
