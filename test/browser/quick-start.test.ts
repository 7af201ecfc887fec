import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import { claimHandle } from '../support/claim-page.ts';
import { freePort, type RunningProcess, runProcess, runScript } from '../support/processes.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
let folder: string;
let browser: Browser;
let service: RunningProcess;
let origin: string;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  // Inside the project, so that the block finds its imported packages.
  folder = await mkdtemp(join(root, 'node_modules/.quick-start-'));
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const place = await mkdtemp(join(tmpdir(), 'peridot-quick-start-'));
  const env = {
    PORT: `${port}`,
    BASE_URL: origin,
    DATABASE_URL: `file:${join(place, 'peridot.db')}`,
    KV_URL: `file:${join(place, 'kv.db')}`,
  };
  service = await runScript(['start'], env, async () => (await fetch(`${origin}/readyz`)).ok);
  stops.push(
    () => service.stop(),
    () => rm(place, { recursive: true, force: true }),
  );
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  for (const stop of stops.reverse()) await stop();
  await rm(folder, { recursive: true, force: true });
});

/** The first code block in a language under a heading, with this service's address. */
async function blockOf(heading: string, language: string, file = 'docs/quick-start.md'): Promise<string> {
  const text = await readFile(join(root, file), 'utf8');
  const section = text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const [, block] = new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'ms').exec(section) ?? [];
  if (block === undefined) throw new Error(`no ${language} under ${heading}`);
  return block.replaceAll('http://localhost:8787', origin);
}

/** Serves the result of `page` on a separate port. @returns the origin */
async function serve(page: () => string): Promise<string> {
  const server: Server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page());
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  return `http://localhost:${typeof address === 'object' ? address?.port : 0}`;
}

/** The page for an App.tsx, built with the package served by the service. */
async function pageOf(app: string): Promise<string> {
  const sdk = join(folder, 'node_modules/peridot-sdk');
  await mkdir(sdk, { recursive: true });
  const archive = await fetch(`${origin}/sdk/peridot-sdk.tgz`);
  await writeFile(join(folder, 'sdk.tgz'), new Uint8Array(await archive.arrayBuffer()));
  await run('tar', ['-xzf', join(folder, 'sdk.tgz'), '-C', sdk, '--strip-components=1']);
  await writeFile(join(folder, 'App.tsx'), app);
  // As in Vite's template.
  const main = `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import App from './App.tsx';
createRoot(document.getElementById('root')).render(<StrictMode><App /></StrictMode>);`;
  await writeFile(join(folder, 'main.tsx'), main);
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'main.tsx')],
    bundle: true,
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return `<!doctype html><div id="root"></div><script>${outputFiles[0]?.text}</script>`;
}

/** Presses a button that opens a popup. */
async function openPopup(page: Page, button: string): Promise<Page> {
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return popup;
}

/** Presses the sign-in button, and chooses a person at the provider. */
async function signIn(page: Page, name = 'Siti'): Promise<Page> {
  const popup = await openPopup(page, 'Sign in');
  await popup.locator('a[data-away=idp]').click();
  await popup.getByRole('button', { name }).click();
  return popup;
}

it('the page signs in and out by popup, and the back end identifies the caller', async () => {
  const html = await blockOf('A page', 'html');
  const address = await serve(() => html);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.getByText('Not signed in').waitFor();
  const popup = await signIn(page);
  await claimHandle(popup, 'siti');
  await page.getByText('Hello, siti@pid').waitFor();

  await writeFile(join(folder, 'server.ts'), await blockOf('A back end', 'ts'));
  const port = await freePort();
  const url = `http://localhost:${port}/notes`;
  const bun = join(root, 'node_modules/.bin/bun');
  const env = { PORT: `${port}`, ISSUER: origin };
  const backEnd = await runProcess([bun, 'server.ts'], { cwd: folder, env }, async () => {
    return (await fetch(url)).status === 401;
  });
  stops.push(() => backEnd.stop());
  const answer = await context.request.get(url);
  expect([answer.status(), await answer.json()]).toEqual([200, { owner: 'siti@pid' }]);
  const forged = await fetch(url, { headers: { Cookie: 'pid_access=eyJhbGciOiJub25lIn0.e30.' } });
  expect(forged.status).toBe(401);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Not signed in').waitFor();
  await context.close();
});

it('the React app signs in and out by popup, with the package that the service serves', async () => {
  const html = await pageOf(await blockOf('React', 'tsx'));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(await serve(() => html));
  await signIn(page);
  await page.getByRole('button', { name: 'Sign out siti@pid' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await context.close();
});

/** Registers the shop's app as described in the guide. @returns the id */
async function registerShop(page: Page, shop: string): Promise<string> {
  await fetch(`${origin}/dev/seed`, { method: 'POST' });
  await page.goto(`${origin}/developers/register`);
  await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
  await page.getByRole('button', { name: 'Ayu' }).click();
  await page.goto(`${origin}/developers/register`);
  await page.getByLabel('Name', { exact: true }).fill('Corner Shop');
  await page.getByLabel('Address', { exact: true }).fill(shop);
  await page.getByRole('button', { name: 'Register an app' }).click();
  await page.locator('#secret').waitFor();
  const [id = ''] = /app_\w+/.exec(page.url()) ?? [];
  return id;
}

/** @returns the secret that signs the webhook */
async function setWebhook(page: Page, id: string, webhook: string): Promise<string> {
  await page.goto(`${origin}/developers/apps/${id}/webhook`);
  const form = page.locator('form[action$="/webhook"]');
  await form.locator('input[name=url]').fill(webhook);
  await form.locator('button').first().click();
  return (await page.locator('#secret').inputValue()).trim();
}

/** Signs in as Budi, buys, and approves in the popup. */
async function buyAsBudi(address: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await signIn(page, 'Budi');
  await page.getByText('Hello, budi@pid').waitFor();
  const approval = await openPopup(page, 'Buy a snack');
  await approval.getByText('Corner Shop').first().waitFor();
  await approval.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText(/^Paid: trf_/).waitFor();
  await context.close();
}

it('the page from the README works unchanged: it signs in and takes a payment', async () => {
  await fetch(`${origin}/dev/seed`, { method: 'POST' });
  const html = await blockOf('A page that signs in and takes a payment', 'html', 'README.md');
  await buyAsBudi(`${await serve(() => html)}/`);
});

it('the page takes a payment with the code from the guide, and the command funds the wallet', async () => {
  let html = '';
  const address = await serve(() => html);
  const owner = await browser.newContext();
  const id = await registerShop(await owner.newPage(), address);
  const lines = (await blockOf('Take a payment', 'html')).replace('app_…', id);
  html = (await blockOf('A page', 'html')).replace('</html>', `${lines}</html>`);
  const { stdout } = await run('sh', ['-c', await blockOf('Take a payment', 'sh')]);
  expect(JSON.parse(stdout)).toMatchObject({ pid: 'budi@pid', balance: expect.any(Number) });
  await buyAsBudi(`${address}/`);
  await owner.close();
});

it('the shop takes a payment that the person approves, and is notified by webhook', async () => {
  const port = await freePort();
  let html = '';
  const shop = await serve(() => html);
  const here = (code: string) =>
    code.replaceAll('http://localhost:5600', shop).replaceAll('localhost:3001', `localhost:${port}`);
  const owner = await browser.newContext();
  const page = await owner.newPage();
  const id = await registerShop(page, shop);
  const secret = await setWebhook(page, id, here('http://localhost:3001/webhooks'));
  expect(secret).toMatch(/^whsec_/);
  html = await pageOf(here(await blockOf('Know that it was paid', 'tsx')).replace('app_…', id));
  const server = here(await blockOf('Know that it was paid', 'js')).replace('listen(3001', `listen(${port}`);
  await writeFile(join(folder, 'server.mjs'), server);
  const env = { WEBHOOK_SECRET: secret };
  const backEnd = await runProcess([process.execPath, 'server.mjs'], { cwd: folder, env }, async () => {
    return (await fetch(`http://localhost:${port}/paid/x`)).status === 404;
  });
  stops.push(() => backEnd.stop());
  const forged = await fetch(`http://localhost:${port}/webhooks`, { method: 'POST', body: '{}' });
  expect(forged.status).toBe(401);

  await buyAsBudi(`${shop}/`);
  await owner.close();
});
