/**
 * `npm run shots`: takes a picture of every state of every hosted page, in both themes and languages and in two
 * brands, on a desktop, in a popup and on a phone, into test-results/shots. `npm run shots -- claim error-4` takes only states with these
 * prefixes, and
 * `npm run shots -- docs` those shown in the documents, into docs/images.
 *
 * Starts its own service on Bun and needs Chromium at /usr/bin/chromium, or at $CHROMIUM.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '../checks/playwright.ts';
import { serveExamples } from './dev-examples.ts';
import { withOwnService } from './own-service.ts';
import { documented, fingerprint, inReadme } from './shots-documented.ts';

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

/** The pictures in the documents: some states by file name, and the demo shop. */
async function shootForDocs(browser: Browser, origin: string): Promise<void> {
  const small = { viewport: { width: 560, height: 640 }, deviceScaleFactor: 1.5 };
  const prints: Record<string, string> = {};
  for (const [name, state] of Object.entries(documented)) {
    const isSmall = name in inReadme;
    const size = isSmall ? small : { viewport: { width: 960, height: 640 } };
    const page = await browser.newPage({ baseURL: origin, reducedMotion: 'reduce', ...size });
    await page.goto(`/dev/pages/${state}`);
    await page.screenshot({ path: pictureOf(name), fullPage: !isSmall });
    await page.close();
    prints[name] = fingerprint(await (await fetch(`${origin}/dev/pages/${state}`)).text());
  }
  writeFileSync(join(root, 'docs/images/pages.json'), `${JSON.stringify(prints, null, 2)}\n`);
  await shootShop(browser, origin);
}

const pictureOf = (name: string): string => join(root, `docs/images/${name}.png`);

/** The demo shop after a purchase, with another product in the cart, and wide enough for both columns. */
async function shootShop(browser: Browser, origin: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'peridot-shots-'));
  const examples = await serveExamples(origin, scratch);
  await fetch(`${origin}/dev/seed`, { method: 'POST' });
  await examples?.openShop(origin);
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 840, height: 960 },
  });
  const page = await context.newPage();
  await page.goto(examples?.shop ?? '');
  await page.getByRole('button', { name: 'Add Iced palm sugar coffee' }).click();
  const signIn = await popupOf(page, 'Sign in to pay');
  await signIn.locator('a[data-away=idp]').click();
  await signIn.getByRole('button', { name: 'Budi' }).click();
  const approval = await popupOf(page, 'Pay IDR');
  await approval.getByRole('button', { name: /^Approve/ }).click();
  await page.locator('.badge.paid').waitFor();
  await page.getByRole('button', { name: 'Add Klepon' }).click();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: pictureOf('shop') });
  await context.close();
  await examples?.close();
  rmSync(scratch, { recursive: true, force: true });
}

async function popupOf(page: Page, name: string): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name }).click();
  return opened;
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
