export type Theme = 'light' | 'dark';

/** The relative luminance of a colour as `#rrggbb`; it determines contrast (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** A colour mixed with a share of another. */
export function mix(colour: string, other: string, share: number): string {
  const others = channels(other);
  const mixed = channels(colour).map((value, index) =>
    Math.round(value + ((others[index] ?? 0) - value) * share),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The accent as a tinted background for text. */
export function softOf(accent: string, theme: Theme): string {
  return theme === 'light' ? mix('#ffffff', accent, 0.06) : mix('#141811', accent, 0.12);
}

/** The nearest colour that is readable on every background of an accent: 4.5:1 (WCAG 2.2, AA). */
export function readableAccent(accent: string, theme: Theme): string {
  const [sunken, end] = theme === 'light' ? ['#f0f2ec', '#000000'] : ['#1c2118', '#ffffff'];
  const shades = Array.from({ length: 101 }, (_, percent) => mix(accent, end, percent / 100));
  const passes = (shade: string) =>
    [sunken, softOf(shade, theme)].every((behind) => contrastOf(shade, behind) >= 4.5);
  return shades.find(passes) ?? end;
}
