import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import type { Target } from '../support/target.ts';
import { createTarget } from '../support/target-libsql.ts';

const sizes = [
  { width: 375, height: 553 },
  { width: 390, height: 664 },
  { width: 1280, height: 800 },
];
const flows = /^(sign-in|authorize|popup|approval|claim|account-(top-up|deposit-|send|refund|withdraw($|-)))/;
/** States without a main action: ended and waiting ones. */
const idle =
  /-(not-configured|waiting|no-request|signed-in|linked|cancelled|ended|frozen|no-wallet|own-wallet|no-gateway|none|done|denied|expired|lapsed|changed|tampered)$/;

let browser: Browser;
let target: Target;

beforeAll(async () => {
  [target, browser] = await Promise.all([createTarget({}), launchChromium()]);
});
afterAll(() => Promise.all([target?.close(), browser?.close()]));

/**
 * Shows documents in frames of every size, and lists how far each main action is from being visible, in pixels; null if
 * there is none. The main action is a page's first main button or, after an error, that of the form.
 */
const outOfSight = `async (documents, sizes) => {
  const frames = documents.flatMap((html) => sizes.map(({ width, height }) => {
    const frame = document.createElement('iframe');
    frame.style = 'border:0;width:' + width + 'px;height:' + height + 'px';
    frame.srcdoc = html;
    return frame;
  }));
  const loaded = frames.map((frame) => new Promise((resolve) => { frame.onload = resolve; }));
  document.body.replaceChildren(...frames);
  await Promise.all(loaded);
  return frames.map(({ contentWindow: { document, innerHeight } }) => {
    const actions = document.querySelectorAll('form:has([aria-invalid]) .main, main:not(:has([aria-invalid])) :is(.main,.provider)');
    const action = [...actions].find((node) => node.checkVisibility());
    if (!action) return null;
    document.querySelector('[autofocus]')?.focus();
    const { top, bottom } = action.getBoundingClientRect();
    return Math.max(0, Math.ceil(bottom - innerHeight), Math.ceil(-top));
  });
}`;

it('the balance starts in the upper half of a phone', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 664 } });
  for (const locale of ['en', 'id']) {
    const wallet = await target.request(`/dev/pages/account-wallet?ui_locales=${locale}`);
    await page.setContent(await wallet.text());
    expect((await page.locator('#balance').boundingBox())?.y, locale).toBeLessThan(270);
    expect((await page.locator('.tabs').boundingBox())?.height, locale).toBeLessThanOrEqual(110);
    // Only the colour, so that buttons do not lag behind a change of the width.
    const animated = `getComputedStyle(document.querySelector('#balance .button')).transitionProperty`;
    expect(await page.evaluate(animated)).toMatch(/^background/);
  }
  await page.close();
});

it('the main action is visible without scrolling in every state of a flow, on a phone, in a popup and on a desktop, in both languages', async () => {
  const read = async (path: string) => (await target.request(path)).text();
  const gallery = await read('/dev/pages');
  const states = [...gallery.matchAll(/data-state="([\w-]+)"/g)].map(([, name = '']) => name);
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  // Passkeys need an origin that browsers trust.
  await page.goto('http://localhost:8787');
  const hidden: string[] = [];
  for (const state of states.filter((name) => flows.test(name))) {
    const documents = await Promise.all(
      ['en', 'id'].map((locale) => read(`/dev/pages/${state}?ui_locales=${locale}`)),
    );
    const given = `(${outOfSight})(${JSON.stringify(documents)}, ${JSON.stringify(sizes)})`;
    const distances = await page.evaluate<(number | null)[]>(given);
    const isFine = distances.every((distance) => distance === 0 || (distance === null && idle.test(state)));
    if (!isFine) hidden.push(`${state}: ${distances.join(' ')}`);
  }
  expect(hidden).toEqual([]);
}, 180_000);
