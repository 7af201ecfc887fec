import { mix, readableAccent, softOf, type Theme } from './colour.ts';

/** The colours derived from an accent. */
export interface Shades {
  readonly accent: string;
  /** For hover, and for text on `soft`. */
  readonly deep: string;
  /** For text on the accent. */
  readonly onAccent: string;
  readonly soft: string;
}

export function lightShades(accent: string): Shades {
  return { accent, deep: mix(accent, '#000000', 0.22), onAccent: '#ffffff', soft: softOf(accent, 'light') };
}

export function darkShades(accent: string): Shades {
  return {
    accent,
    deep: mix(accent, '#ffffff', 0.3),
    onAccent: mix('#000000', accent, 0.12),
    soft: softOf(accent, 'dark'),
  };
}

interface Accents {
  readonly BRAND_ACCENT?: string | undefined;
  readonly BRAND_ACCENT_DARK?: string | undefined;
}

/**
 * The shades of both themes, or null without an accent. The dark accent defaults to the readable colour nearest to the
 * light one.
 */
export function shadesOf({ BRAND_ACCENT, BRAND_ACCENT_DARK }: Accents): Record<Theme, Shades> | null {
  if (BRAND_ACCENT === undefined) return null;
  const dark = BRAND_ACCENT_DARK ?? readableAccent(BRAND_ACCENT, 'dark');
  return { light: lightShades(BRAND_ACCENT), dark: darkShades(dark) };
}
