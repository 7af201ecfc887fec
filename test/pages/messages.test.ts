import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localeNames } from '../../src/http/context.ts';
import type { Catalogue } from '../../src/lib/texts.ts';
import { fill } from '../../src/ui/view.ts';

const folder = join(import.meta.dirname, '../../src/pages/messages');

const areas = await Promise.all(
  (await readdir(folder)).map(async (file) => {
    const exported = Object.values(await import(join(folder, file))) as Catalogue<string>[];
    return { file, catalogues: exported };
  }),
);

function placeholders(text = ''): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
}

describe('the page texts', () => {
  it.each(areas)(
    'have the same placeholders in every language and are never empty: $file',
    ({ catalogues }) => {
      expect(catalogues.length).toBeGreaterThan(0);
      for (const texts of catalogues) {
        for (const [key, text] of Object.entries(texts.en)) {
          for (const locale of Object.keys(localeNames) as (keyof typeof localeNames)[]) {
            const translated = texts[locale][key];
            expect(translated?.trim(), `${locale} ${key}`).toBeTruthy();
            expect([key, placeholders(translated)]).toEqual([key, placeholders(text)]);
          }
        }
      }
    },
  );

  it('insert values by name and keep a placeholder without a value', () => {
    expect(fill('{n} of {all}', { n: 1 })).toBe('1 of {all}');
  });
});
