import { base } from './style/base.ts';
import { developer } from './style/developer.ts';
import { money } from './style/money.ts';
import { parts } from './style/parts.ts';
import { tokens } from './style/tokens.ts';

const common = minify(base + parts);
const extras = { none: '', developer: minify(developer), money: minify(money) };
const byTheme = { light: minify(tokens('light')), dark: minify(tokens('dark')), auto: minify(tokens(null)) };

export type ExtraStyle = keyof typeof extras;

/**
 * The stylesheet that every page contains: system fonts, light and dark, from 320 px up.
 * @param theme null follows the browser's setting
 * @param extra adds the rules of some pages
 * @param brand rules that replace the default custom properties
 */
export function styleFor(theme: 'light' | 'dark' | null, extra: ExtraStyle = 'none', brand = ''): string {
  return byTheme[theme ?? 'auto'] + brand + common + extras[extra];
}

/** Removes spaces around punctuation; no rule depends on them. */
function minify(css: string): string {
  return css
    .replace(/\s+/g, ' ')
    .replace(/\s*([{};])\s*/g, '$1')
    .replaceAll(';}', '}')
    .trim();
}
