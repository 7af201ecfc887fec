import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json } from './support/browser.ts';
import { endsWithUs } from './support/ends-with-us.ts';
import { freePort } from './support/processes.ts';
import { sendTo } from './support/send-to.ts';
import { type TargetRequest, testSecretKey } from './support/target.ts';

const root = join(import.meta.dirname, '..');
const node = join(root, 'node_modules/.bin/node');
const settings = {
  ENVIRONMENT: 'production',
  BASE_URL: 'https://id.example.com',
  CLIENT_SUCCESS_URL: 'https://app.example.com/',
  SECRET_KEY: testSecretKey.replace('dGhpcyBp', 'cHJvZHVj'),
  IDP_ISSUER: 'https://accounts.example.net',
  IDP_CLIENT_ID: 'peridot',
  IDP_CLIENT_SECRET: 'provider secret',
  MAIL_TRANSPORT: 'resend',
  MAIL_FROM: 'Example <no-reply@example.com>',
  RESEND_API_KEY: 're_test',
  RATE_LIMITS: '{"*":1000000}',
  BRAND_NAME: 'Lontar',
  BRAND_ACCENT: '#1d4ed8',
  TEXTS: '{"en":{"signIn.title":"Log in"}}',
};

let folder = '';
let port = 0;
let stop = async () => {};

/** `npm run cli` on the production environment's D1, as wrangler stores it on this machine. */
function cli<T>(...args: string[]): T {
  const place = ['--d1', '--env', 'production', '--persist-to', folder, '--json'];
  const env = { ...process.env, ...settings, WRANGLER_SEND_METRICS: 'false' };
  return JSON.parse(execFileSync(node, ['scripts/cli.ts', ...args, ...place], { cwd: root, env }).toString());
}

// Serves the build deployed by `npm run deploy`, minified and in chunks, with its assets, over D1, in workerd.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-production-'));
  const file = join(folder, 'settings');
  await writeFile(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
  );
  port = await freePort();
  const server = endsWithUs(
    spawn(
      node,
      [
        join(root, 'node_modules/wrangler/bin/wrangler.js'),
        ...['dev', '--env', 'production', '--env-file', file, '--persist-to', folder, '--ip', '127.0.0.1'],
        ...['--port', String(port), '--inspector-port', '0', '--show-interactive-dev-session=false'],
      ],
      {
        cwd: root,
        detached: true,
        env: {
          ...process.env,
          CI: 'true',
          WRANGLER_SEND_METRICS: 'false',
          CLOUDFLARE_CF_FETCH_ENABLED: 'false',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    ),
  );
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += text));
  stop = async () => {
    const exited = new Promise((resolve) => server.once('exit', resolve));
    if (server.pid !== undefined && server.exitCode === null && process.kill(-server.pid, 'SIGTERM'))
      await exited;
  };
  const isUp = () =>
    sendTo(port, '/healthz').then(
      ({ ok }) => ok,
      () => false,
    );
  for (let attempt = 0; attempt < 600 && server.exitCode === null; attempt += 1) {
    if (await isUp()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the production build did not come up:\n${output}`);
}, 120_000);

afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

const ask = (path: string, init: TargetRequest = {}) => sendTo(port, path, init);
const post = (path: string, body: unknown) => ask(path, json('POST', body));

describe('the production build', () => {
  it('is ready after a single command has migrated its D1 database', async () => {
    expect((await ask('/readyz')).status).toBe(503);
    const { applied } = cli<{ applied: string[] }>('db', 'migrate');
    expect(applied).toContain('0000_identity.sql');
    expect(cli('db', 'migrate')).toEqual({ applied: [] });
    expect(cli('db', 'status')).toMatchObject({ pendingMigrations: [], identities: 0 });
    expect((await ask('/readyz')).status).toBe(200);
  }, 180_000);

  it('contains no sandbox: everything under /dev is 404', async () => {
    for (const path of [
      '/dev',
      '/dev/idp/authorize',
      '/dev/mail',
      '/dev/mail.json',
      '/dev/pages',
      '/dev/webhooks',
      '/dev/webhooks.json',
      '/dev/welcome',
    ]) {
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    }
    for (const path of ['/dev/clock', '/dev/scheduled', '/dev/seed']) {
      expect([path, (await post(path, {})).status]).toEqual([path, 404]);
    }
  });

  it('uses the brand and texts from its settings', async () => {
    const page = await (await ask('/signin', { headers: { Accept: 'text/html' } })).text();
    expect(page).toContain('<title>Log in · Lontar</title>');
    expect(page).toContain('--accent:#1d4ed8;');
    expect(page).not.toMatch(/peridot/i);
  });

  it('loads each chunk on first use', async () => {
    const headers = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    const pages = {
      '/signin': 200,
      '/v1/auth/email/register': 200,
      '/v1/auth/email/forgot': 200,
      '/claim': 302,
      '/account': 302,
      '/popup/login?c=AAAAAAAAAAAAAAAAAAAAAA&v=1': 200,
      '/error/state_invalid': 200,
      '/error/none_such': 404,
    };
    const statuses: Record<string, number> = {};
    for (const path of Object.keys(pages)) {
      const answer = await ask(path, { headers });
      expect(answer.headers.get('Strict-Transport-Security')).toContain('max-age');
      statuses[path] = answer.status;
    }
    expect(statuses).toEqual(pages);
    expect((await post('/v1/auth/passkey/options', {})).status).toBe(200);
    const stranger = { email: 'nobody@example.com', password: 'correct horse battery staple' };
    expect((await post('/v1/auth/email/login', stranger)).status).toBe(401);
    expect((await ask('/.well-known/jwks.json')).status).toBe(200);
  });

  it('serves the contract, its pages and the SDK as assets with their headers', async () => {
    for (const [path, type] of [
      ['/openapi.json', 'application/json'],
      ['/docs', 'text/html'],
      ['/docs/transfers', 'text/html'],
      ['/sdk/v1/pid.js', 'text/javascript'],
    ] as const) {
      const answer = await ask(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('Content-Type')).toContain(type);
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      await answer.text();
    }
    expect((await ask('/docs')).headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  });

  it('revalidates the SDK package and its newest version, and caches each version permanently', async () => {
    const cached = async (path: string) => {
      const answer = await ask(path);
      expect([path, answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([
        path,
        200,
        '*',
      ]);
      return { policy: answer.headers.get('Cache-Control'), bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const afresh = 'public, max-age=0, must-revalidate';
    for (const path of ['/sdk/v1/pid.js', '/sdk/peridot-sdk.tgz', '/sdk/versions.json'])
      expect([path, (await cached(path)).policy]).toEqual([path, afresh]);
    const { latest, versions } = JSON.parse((await cached('/sdk/versions.json')).bytes.toString());
    for (const [name, integrity] of Object.entries(versions[latest])) {
      const { policy, bytes } = await cached(`/sdk/${latest}/${name}`);
      expect([name, policy]).toEqual([name, 'public, max-age=31536000, immutable']);
      expect(`sha384-${createHash('sha384').update(bytes).digest('base64')}`).toBe(integrity);
    }
    expect((await cached(`/sdk/${latest}/index.d.ts`)).bytes.toString()).toContain('createClient');
    // A future version's 404 must not be cached for a year.
    const next = await ask('/sdk/99.0.0/pid.js');
    expect([next.status, next.headers.get('Cache-Control')]).toEqual([404, null]);
  });
});
