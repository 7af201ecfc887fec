import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrastOf, mix, readableAccent } from '../../src/brand/colour.ts';
import { darkShades, lightShades, shadesOf } from '../../src/brand/shades.ts';

const colours = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('colours', () => {
  it('meet the WCAG definition of contrast ratio', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
    expect(contrastOf('#123456', '#123456')).toBe(1);
    expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080');
  });

  it('yield readable shades for any accent', () => {
    fc.assert(
      fc.property(colours, (given) => {
        for (const theme of ['light', 'dark'] as const) {
          const accent = readableAccent(given, theme);
          expect(readableAccent(accent, theme)).toBe(accent);
          const shades = theme === 'light' ? lightShades(accent) : darkShades(accent);
          const behind =
            theme === 'light' ? ['#ffffff', '#f6f7f4', '#f0f2ec'] : ['#0c0f0a', '#141811', '#1c2118'];
          for (const surface of [...behind, shades.soft]) {
            expect(contrastOf(shades.accent, surface)).toBeGreaterThanOrEqual(4.5);
            expect(contrastOf(shades.deep, surface)).toBeGreaterThanOrEqual(4.5);
          }
          for (const surface of [shades.accent, shades.deep])
            expect(contrastOf(shades.onAccent, surface)).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  it('derive their dark shades from the light ones', () => {
    expect(shadesOf({})).toBeNull();
    expect(shadesOf({ BRAND_ACCENT: '#1d4ed8' })?.dark.accent).toBe(readableAccent('#1d4ed8', 'dark'));
    expect(shadesOf({ BRAND_ACCENT: '#1d4ed8', BRAND_ACCENT_DARK: '#93b4ff' })?.dark.accent).toBe('#93b4ff');
  });
});
