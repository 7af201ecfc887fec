/**
 * `npm run measure:pages`: bytes on the wire, requests, first contentful paint and layout shift of hosted pages as Bun
 * sends them, in Chromium over slow 4G (150 ms, 1.6 Mbit/s), as medians of five loads without a cache; and the size of
 * the gzipped document, which an edge also sends to signed-in people.
 */
import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from '../checks/playwright.ts';
import { withOwnService } from './own-service.ts';

const rounds = 5;
const slow4g = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const appOrigin = 'http://localhost:5173';

type Visitor = Awaited<ReturnType<BrowserContext['storageState']>>;

/** A page, and the cookies of the person who opens it. */
interface Visit {
  readonly address: string;
  readonly visitor: Visitor;
}

interface Load {
  readonly bytes: number;
  readonly gzipped: number;
  readonly requests: number;
  readonly paintMs: number;
  readonly shift: number;
}

/** Measurements made by the page itself half a second after its last request. */
const observed = `new Promise((resolve) => {
  let shift = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shift += value; })
    .observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName('first-contentful-paint');
    if (paint) setTimeout(() => resolve({ paintMs: paint.startTime, shift }), 500);
  }).observe({ type: 'paint', buffered: true });
})`;

/** Opens a page once, in a separate browser context. */
async function load(browser: Browser, { address, visitor }: Visit): Promise<Load> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    storageState: visitor,
  });
  // A popup without an opener reports this, which adds a request.
  await context.addInitScript('window.opener = window');
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', slow4g);
  let bytes = 0;
  let requests = 0;
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:')) requests += 1;
  });
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const answer = await page.goto(address, { waitUntil: 'networkidle' });
  const gzipped = gzipSync((await answer?.body()) ?? '').length;
  const seen = await page.evaluate<Pick<Load, 'paintMs' | 'shift'>>(observed);
  await context.close();
  return { bytes, gzipped, requests, ...seen };
}

/** Registers a popup request as an app's page does. @returns the popup's URL */
async function popup(
  { request }: BrowserContext,
  page: string,
  about: object,
  headers = {},
): Promise<string> {
  const id = randomBytes(16).toString('base64url');
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  const data = { id, challenge, ...about };
  const answer = await request.post('/v1/popup/requests', {
    headers: { Origin: appOrigin, ...headers },
    data,
  });
  if (!answer.ok()) throw new Error(`no popup: ${await answer.text()}`);
  return `${page}?c=${id}`;
}

/** Signs in at the sandbox as a demo person, from a page that requires a sign-in. */
async function signIn(page: Page, person: RegExp, from: string): Promise<void> {
  await page.goto(from);
  await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
  await page.getByRole('button', { name: person }).click();
  await page.waitForLoadState('networkidle');
}

/** The URL of the popup in which Ayu approves a payment to Budi through her own app. */
async function approvalOf(context: BrowserContext): Promise<string> {
  const { data } = await (await context.request.get('/v1/apps')).json();
  const page = { Origin: appOrigin, 'X-App-Id': data[0].id };
  const asked = { to: 'budi@pid', amount: 15_000 };
  const inquiry = await context.request.post('/v1/fiat/transfers/inquiry', { headers: page, data: asked });
  const about = { kind: 'approval', inquiryId: (await inquiry.json()).id };
  return popup(context, '/popup/approve', about, page);
}

/** The pages to measure, by name. */
async function visits(browser: Browser, origin: string): Promise<Map<string, Visit>> {
  const found = new Map<string, Visit>();
  const open = () => browser.newContext({ baseURL: origin });
  const keep = async (context: BrowserContext, pages: Record<string, string>) => {
    const visitor = await context.storageState();
    for (const [name, path] of Object.entries(pages))
      found.set(name, { visitor, address: new URL(path, origin).href });
    await context.close();
  };
  const nobody = await open();
  await keep(nobody, {
    'sign-in, every way on': '/signin',
    'register by email': '/v1/auth/email/register',
    'popup: sign-in': await popup(nobody, '/popup/login', { kind: 'login' }),
    error: '/nowhere',
  });

  const newcomer = await open();
  await signIn(await newcomer.newPage(), /^Siti/, '/signin');
  await keep(newcomer, { claim: '/v1/auth/claim' });

  const member = await open();
  await member.request.post('/dev/seed');
  await signIn(await member.newPage(), /^Ayu Lestari/, '/account/wallet');
  await keep(member, {
    'sign-in as somebody known': '/signin',
    'popup: continue': await popup(member, '/popup/login', { kind: 'login' }),
    'popup: approval': await approvalOf(member),
    'account: sign-in methods': '/account/credentials',
    'account: activity': '/account/activity',
    'account: apps': '/account/apps',
    developers: '/developers',
    'account: wallet': '/account/wallet',
    'account: send': '/account/wallet/send',
    'account: request': '/account/wallet/request?amount=25000',
  });
  return found;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

await withOwnService(async ({ browser, origin }) => {
  console.log('| page | kB on the wire | kB gzipped | requests | first paint, s | layout shift |');
  console.log('|---|--:|--:|--:|--:|--:|');
  for (const [name, visit] of await visits(browser, origin)) {
    const loads: Load[] = [];
    for (let round = 0; round < rounds; round += 1) loads.push(await load(browser, visit));
    const of = (key: keyof Load, digits: number, unit = 1) =>
      (median(loads.map((one) => one[key])) / unit).toFixed(digits);
    const sizes = [of('bytes', 1, 1000), of('gzipped', 1, 1000)];
    const cells = [name, ...sizes, of('requests', 0), of('paintMs', 2, 1000), of('shift', 3)];
    console.log(`| ${cells.join(' | ')} |`);
  }
});
