import { base } from './style/base.ts';
import { developer } from './style/developer.ts';
import { parts } from './style/parts.ts';
import { tokens } from './style/tokens.ts';

/** The one stylesheet of all pages: system fonts, light and dark, from 320 px up. It travels inside each page. */
export const style: string = minify(tokens + base + parts);

/** The same, with what only pages of development need. */
export const developerStyle: string = style + minify(developer);

/** Rules are written with one space at most where it matters, so that taking away what stands around marks is safe. */
function minify(css: string): string {
  return css
    .replace(/\s+/g, ' ')
    .replace(/\s*([{};])\s*/g, '$1')
    .replaceAll(';}', '}')
    .trim();
}
