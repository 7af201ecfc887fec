import { base } from './style/base.ts';
import { developer } from './style/developer.ts';
import { parts } from './style/parts.ts';
import { tokens } from './style/tokens.ts';

const common = minify(base + parts);
const extra = minify(developer);
const byTheme = { light: minify(tokens('light')), dark: minify(tokens('dark')), auto: minify(tokens(null)) };

/**
 * The one stylesheet of all pages: system fonts, light and dark, from 320 px up. It travels inside each page.
 * @param theme the colours that were asked for; null follows the reader's setting
 * @param isDeveloper also what only pages of development need
 */
export function styleFor(theme: 'light' | 'dark' | null, isDeveloper: boolean): string {
  return byTheme[theme ?? 'auto'] + common + (isDeveloper ? extra : '');
}

/** Rules are written with one space at most where it matters, so that taking away what stands around marks is safe. */
function minify(css: string): string {
  return css
    .replace(/\s+/g, ' ')
    .replace(/\s*([{};])\s*/g, '$1')
    .replaceAll(';}', '}')
    .trim();
}
