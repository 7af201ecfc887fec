import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

const runtimes = {
  'npm run dev (workerd)': (port: number, folder: string) => ({
    script: ['dev', '--', '--port', String(port), '--inspector-port', '0', '--persist-to', folder],
    env: { SPA_PORT: 'off' },
  }),
  'npm start (Bun)': (port: number, folder: string) => ({
    script: ['start'],
    env: {
      PORT: String(port),
      BASE_URL: `http://localhost:${port}`,
      DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
      KV_URL: `file:${join(folder, 'kv.db')}`,
    },
  }),
};

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe.each(Object.entries(runtimes))('the contract and its pages, on %s', (_, runtime) => {
  let folder: string;
  let server: RunningProcess;
  let origin: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'peridot-docs-'));
    const port = await freePort();
    origin = `http://localhost:${port}`;
    const { script, env } = runtime(port, folder);
    server = await runScript(script, env, async () => (await fetch(`${origin}/readyz`)).ok);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are served as files without rate limits, with safe headers and an ETag', async () => {
    for (const [path, type] of [
      ['/docs', 'text/html'],
      ['/docs/transfers', 'text/html'],
      ['/docs/page.css', 'text/css'],
      ['/openapi.json', 'application/json'],
      ['/sdk/v1/pid.js', 'text/javascript'],
    ] as const) {
      const answer = await fetch(origin + path);
      expect([path, answer.status, answer.headers.get('RateLimit')]).toEqual([path, 200, null]);
      expect(answer.headers.get('Content-Type')).toContain(type);
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(answer.headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
      expect(answer.headers.get('Content-Security-Policy')).toMatch(
        /^default-src 'none';.*frame-ancestors 'none'$/,
      );
      expect(answer.headers.get('Content-Security-Policy')).not.toContain('unsafe');
      expect(answer.headers.get('Permissions-Policy')).toContain('camera=()');
      expect(answer.headers.get('Cross-Origin-Resource-Policy')).toBe(
        path.startsWith('/docs') ? 'same-origin' : 'cross-origin',
      );
      const tag = answer.headers.get('ETag') ?? '';
      const again = await fetch(origin + path, { headers: { 'If-None-Match': tag } });
      expect([tag === '', again.status]).toEqual([false, 304]);
      expect((await fetch(origin + path, { method: 'POST' })).status).toBe(405);
    }
    const sdk = await fetch(`${origin}/sdk/v1/pid.js`);
    expect(sdk.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    expect(sdk.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(sdk.headers.get('Cross-Origin-Opener-Policy')).toBeNull();
    expect((await fetch(`${origin}/_headers`)).status).toBe(404);
    expect((await fetch(`${origin}/%64ocs`)).status).toBe(404);
  });

  it('show every operation, send requests, and comply with their own content security policy', async () => {
    const context = await browser.newContext({ baseURL: origin });
    const page = await context.newPage();
    const problems: string[] = [];
    const requested: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => requested.push(request.url()));
    await page.goto('/docs');
    expect(requested).toEqual(['/docs', '/docs/page.css', '/docs/page.js'].map((path) => origin + path));
    const contract = (await (await fetch(`${origin}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const operations = Object.values(contract.paths).flatMap((methods) => Object.keys(methods));
    expect(await page.locator('.operations li').count()).toBe(operations.length);
    await page.getByRole('searchbox', { name: 'Find an operation' }).fill('handle_taken');
    await expect.poll(() => page.getByRole('link', { name: 'Who is signed in' }).isVisible()).toBe(false);
    await page.locator('a[href$="#claim"]').click();
    const refused = page.locator('#claim details', { hasText: 'Errors' });
    await refused.locator('summary').click();
    await refused.getByRole('row', { name: '409 handle_taken PID already taken' }).waitFor();

    await page.getByRole('link', { name: 'External sign-in' }).click();
    const login = page.locator('#getSignInUrl');
    await login.getByText('Try it').click();
    await login.getByRole('textbox', { name: 'Body' }).fill('{"returnTo":"/settings"}');
    await login.getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => login.getByRole('status').innerText())
      .toContain('"url": "/v1/auth/idp?returnTo=%2Fsettings"');
    expect(await login.getByRole('status').innerText()).toMatch(
      /^200 OK\nRateLimit-Policy: "default";q=20;w=60/,
    );
    expect(problems).toEqual([]);
    await context.close();
  });
});
