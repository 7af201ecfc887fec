/**
 * `npm run shots`: takes a picture of every state of every hosted page, in both themes and languages and in two
 * brands, on a desktop, in a popup and on a phone, into test-results/shots. `npm run shots -- claim error-4` takes only states with these
 * prefixes, and
 * `npm run shots -- docs` those shown in the documents, into docs/images.
 *
 * Starts its own service on Bun and needs Chromium at /usr/bin/chromium, or at $CHROMIUM.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { withOwnService } from './own-service.ts';
import { documented, fingerprint } from './shots-documented.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'test-results/shots');
const wanted = process.argv.slice(2);
const sizes = {
  desktop: { width: 1280, height: 800 },
  popup: { width: 480, height: 720 },
  phone: { width: 320, height: 640 },
};
const themes = ['light', 'dark'] as const;
const locales = ['en', 'id'] as const;
const brands = ['own', 'second'] as const;

async function statesOf(origin: string): Promise<string[]> {
  const page = await (await fetch(`${origin}/dev/pages`)).text();
  const names = [...page.matchAll(/data-state="([\w-]+)"/g)].map(([, name = '']) => name);
  return names.filter((name) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)));
}

/** Takes all pictures with one size, theme, language and brand, on one page. */
async function shoot(browser: Browser, origin: string, states: string[], variant: Variant): Promise<void> {
  const { size, theme, locale, brand } = variant;
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  for (const state of states) {
    await page.goto(`${origin}/dev/pages/${state}?ui_locales=${locale}&brand=${brand}`);
    const path = join(target, `${state}.${size}.${theme}.${locale}.${brand}.png`);
    await page.screenshot({ path, fullPage: true });
  }
  await context.close();
}

/** The pictures in the documents: some states by file name, and the welcome page of a new person. */
async function shootForDocs(browser: Browser, origin: string): Promise<void> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 960, height: 640 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const take = (name: string) =>
    page.screenshot({ path: join(root, `docs/images/${name}.png`), fullPage: true });
  const prints: Record<string, string> = {};
  for (const [name, state] of Object.entries(documented)) {
    await page.goto(`/dev/pages/${state}`);
    await take(name);
    const answer = await fetch(`${origin}/dev/pages/${state}`);
    prints[name] = fingerprint(await answer.text());
  }
  writeFileSync(join(root, 'docs/images/pages.json'), `${JSON.stringify(prints, null, 2)}\n`);
  await page.goto('/v1/auth/idp');
  await page.getByRole('button', { name: 'Siti' }).click();
  await page.getByRole('link', { name: 'Choose your PID' }).click();
  await page.getByLabel('Handle', { exact: true }).fill('siti');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Claim siti@pid' }).click();
  await page.getByRole('link', { name: /^Continue to/ }).click();
  await page.waitForURL('**/dev/welcome');
  await page.getByRole('button', { name: 'Read the session' }).click();
  await page.locator('#log pre').waitFor();
  await take('welcome');
  await context.close();
}

interface Variant {
  readonly size: keyof typeof sizes;
  readonly theme: (typeof themes)[number];
  readonly locale: (typeof locales)[number];
  readonly brand: (typeof brands)[number];
}

function variants(): Variant[] {
  return (Object.keys(sizes) as (keyof typeof sizes)[]).flatMap((size) =>
    themes.flatMap((theme) =>
      locales.flatMap((locale) => brands.map((brand) => ({ size, theme, locale, brand }))),
    ),
  );
}

await withOwnService(async ({ browser, origin }) => {
  if (wanted[0] === 'docs') return shootForDocs(browser, origin);
  mkdirSync(target, { recursive: true });
  const states = await statesOf(origin);
  for (const variant of variants()) await shoot(browser, origin, states, variant);
  console.log(`${states.length * variants().length} pictures in ${target}`);
});
