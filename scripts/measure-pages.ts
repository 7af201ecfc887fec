/**
 * `npm run measure:pages`: bytes on the wire, requests, first contentful paint and layout shift of hosted pages as Bun
 * sends them, in Chromium over slow 4G (150 ms, 1.6 Mbit/s), as medians of five loads without a cache; and the size of
 * the gzipped document, which an edge also sends to signed-in people. Then the same for the demo shop, as built.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from '../checks/playwright.ts';
import { olu } from '../dev/people.ts';
import { pidOf } from '../src/lib/id.ts';
import { serveExamples, startBuilt } from './dev-examples.ts';
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
  const page = { Origin: appOrigin, 'X-App-Id': (await ownApp(context)).id };
  const asked = { to: 'budi@pid', amount: 15_000 };
  const inquiry = await context.request.post('/v1/fiat/transfers/inquiry', { headers: page, data: asked });
  const about = { kind: 'approval', inquiryId: (await inquiry.json()).id };
  return popup(context, '/popup/approve', about, page);
}

/** The address to which Ayu's own app sends a browser for consent. */
async function consentTo(context: BrowserContext): Promise<string> {
  const { id, redirectUris } = await ownApp(context);
  const asked = {
    ...{ client_id: id, redirect_uri: redirectUris[0] ?? '', response_type: 'code', scope: 'openid profile' },
    ...{ code_challenge: createHash('sha256').update('verifier').digest('base64url') },
    ...{ code_challenge_method: 'S256', state: 'state' },
  };
  return `/v1/auth/authorize?${new URLSearchParams(asked)}`;
}

async function ownApp({ request }: BrowserContext): Promise<{ id: string; redirectUris: string[] }> {
  const { data } = await (await request.get('/v1/apps')).json();
  return data[0];
}

/** The page of the wallet's newest movement. */
async function newestMovement(page: Page): Promise<string> {
  await page.goto('/account/wallet');
  return (await page.locator('main a[href*="/transactions/"]').first().getAttribute('href')) ?? '';
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
    'sign-in, all methods enabled': '/signin',
    'register by email': '/v1/auth/email/register',
    'popup: sign-in': await popup(nobody, '/popup/login', { kind: 'login' }),
    error: '/nowhere',
  });

  const newcomer = await open();
  await signIn(await newcomer.newPage(), /^Siti/, '/signin');
  await keep(newcomer, { claim: '/v1/auth/claim' });

  const member = await open();
  await member.request.post('/dev/seed');
  const own = await member.newPage();
  await signIn(own, /^Ayu Lestari/, '/account/wallet');
  const app = `/developers/apps/${(await ownApp(member)).id}`;
  await keep(member, {
    'sign-in as a known person': '/signin',
    'popup: continue': await popup(member, '/popup/login', { kind: 'login' }),
    'popup: approval': await approvalOf(member),
    'account: sign-in methods': '/account/credentials',
    'account: activity': '/account/activity',
    'account: apps': '/account/apps',
    'account: profile': '/account/profile',
    'account: wallet': '/account/wallet',
    'account: transaction': await newestMovement(own),
    'account: send': '/account/wallet/send',
    'account: request': '/account/wallet/request?amount=25000',
    'account: top-up': '/account/wallet/top-up',
    'consent to an app': await consentTo(member),
    'sign-out by an app': '/v1/auth/end-session',
    developers: '/developers',
    'developers: register an app': '/developers/register',
    'developers: settings': app,
    'developers: secrets': `${app}/secrets`,
    'developers: webhook': `${app}/webhook`,
    'developers: fees': `${app}/fees`,
  });

  const administrator = await open();
  await signIn(await administrator.newPage(), /^Olúmìdé/, '/admin');
  await keep(administrator, {
    'admin desk': '/admin',
    'admin desk: search': '/admin/people?q=nobody',
    'admin desk: person': '/admin/people/ayu',
    'admin desk: audit': '/admin/audit',
  });
  return found;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Serves the demo shop as built, and measures its page as first seen. */
async function measureShop(browser: Browser, origin: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'peridot-shop-'));
  const examples = await serveExamples(origin, scratch, startBuilt);
  if (examples) {
    await examples.openShop(origin);
    await measure(browser, 'demo shop', { address: examples.shop, visitor: { cookies: [], origins: [] } });
    await examples.close();
  }
  rmSync(scratch, { recursive: true, force: true });
}

async function measure(browser: Browser, name: string, visit: Visit): Promise<void> {
  const loads: Load[] = [];
  for (let round = 0; round < rounds; round += 1) loads.push(await load(browser, visit));
  const of = (key: keyof Load, digits: number, unit = 1) =>
    (median(loads.map((one) => one[key])) / unit).toFixed(digits);
  const sizes = [of('bytes', 1, 1000), of('gzipped', 1, 1000)];
  const cells = [name, ...sizes, of('requests', 0), of('paintMs', 2, 1000), of('shift', 3)];
  console.log(`| ${cells.join(' | ')} |`);
}

const administrators = { ADMIN_PIDS: pidOf(olu.id) };
await withOwnService(async ({ browser, origin }) => {
  console.log('| page | kB on the wire | kB gzipped | requests | first paint, s | layout shift |');
  console.log('|---|--:|--:|--:|--:|--:|');
  for (const [name, visit] of await visits(browser, origin)) await measure(browser, name, visit);
  await measureShop(browser, origin);
}, administrators);
