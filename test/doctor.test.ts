import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { newApp, ownResource } from './support/apps.ts';
import { json } from './support/browser.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from './support/file-service.ts';
import { insertGrant } from './support/grant-rows.ts';
import { authorizeApp } from './support/oauth.ts';
import { newMember } from './support/people.ts';
import { testSecretKey } from './support/target.ts';

const script = join(import.meta.dirname, '../scripts/cli.ts');
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type Finding = Record<'check' | 'verdict' | 'says', string>;

async function doctor(files: ServiceFiles, variables: Record<string, string>) {
  const env = { ...process.env, ...variables, SECRET_KEY: testSecretKey };
  const places = { DATABASE_URL: `file:${files.database}`, KV_URL: `file:${files.kv}` };
  const child = spawn('node', [script, 'doctor', '--json'], {
    cwd: files.folder,
    env: { ...env, ...places },
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, findings: JSON.parse(out) as Finding[] };
}

const saysOf = (findings: Finding[], check: string, verdict: string) =>
  findings.filter((one) => one.check === check && one.verdict === verdict).map(({ says }) => says);

/** Serves BASE_URL like a proxy in front of a service. */
async function listen(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(answer as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the doctor command', { timeout: 120_000 }, () => {
  it('says what to do first if the service is stopped and its database is new', async () => {
    const files = await makeServiceFiles();
    ends.push(() => files.remove());
    const { code, findings } = await doctor(files, { BASE_URL: 'http://127.0.0.1:1', LOG_LEVLE: 'info' });
    expect(code).toBe(1);
    expect(saysOf(findings, 'settings', 'warning')).toContain(
      'LOG_LEVLE is not a setting; did you mean LOG_LEVEL?',
    );
    expect(saysOf(findings, 'address', 'problem')).toEqual([
      expect.stringContaining('check DNS, the proxy and BASE_URL'),
    ]);
    expect(saysOf(findings, 'database', 'problem')).toEqual(['run `npm run cli -- db migrate`']);
    expect(saysOf(findings, 'engine', 'ok')).toEqual([expect.stringMatching(/^SQLite 3\.\d+\.\d+ opens/)]);
    expect(findings.filter(({ check }) => check === 'popups')).toEqual([]);
    expect(findings[0]).toEqual({
      check: 'version',
      verdict: 'ok',
      says: `Peridot ${packageJson.version} on file:${files.database}`,
    });
  });

  it('reports problems with a running service’s proxy, clock, origins, webhooks, fees and resources', async () => {
    const files = await makeServiceFiles();
    ends.push(() => files.remove());
    const service = await openFileService(files, {
      IDP_ISSUER: inject('lyingIssuer'),
      IDP_CLIENT_ID: 'peridot',
      IDP_CLIENT_SECRET: 'provider secret',
    });
    ends.push(() => service.close());
    const { browser, handle } = await newMember(service);
    const { id } = await newApp(browser, { scopes: ['openid', 'fiat:transfer'] });
    const others = [await newApp(browser), await newApp(browser, { scopes: ['wallet:read'] })];
    await service.rows('UPDATE apps SET checked_at = 1 WHERE id = ?', [others[1]?.id ?? '']);
    const [other] = others;
    const resource = 'https://api.example.com/';
    await ownResource(service, { resource, owner: other?.id ?? '' });
    if (other) await authorizeApp(service, browser, other, { resource });
    await service.rows('DELETE FROM app_resources');
    const url = 'http://127.0.0.1:1/hook';
    expect((await browser.fetch(`/v1/apps/${id}/webhook`, json('POST', { url }))).status).toBe(200);
    const grant = await insertGrant(service, id, handle);
    await service.rows('UPDATE grants SET per_transfer = 1000 WHERE id = ?', [grant]);
    const fee = await browser.fetch(`/v1/apps/${id}/fees/transfer`, json('PUT', { fixed: 5, bps: 0 }));
    expect(fee.status).toBe(200);
    const origin = await listen((request, response) => {
      if (request.url === '/signin') response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Date', new Date(Date.now() - 60_000).toUTCString());
      response.end(JSON.stringify({ status: 'ok', warnings: ['TRUSTED_PROXIES does not list the proxy'] }));
    });
    const { code, findings } = await doctor(files, {
      BASE_URL: origin,
      ALLOWED_ORIGINS: 'http://app.example.com',
      APPS_MONEY: 'checked',
    });
    expect(code).toBe(1);
    expect(saysOf(findings, 'address', 'ok')).toEqual([`${origin}/readyz is ready`]);
    expect(saysOf(findings, 'address', 'warning')).toEqual(['TRUSTED_PROXIES does not list the proxy']);
    expect(saysOf(findings, 'clock', 'problem')).toEqual([
      expect.stringMatching(/^the service's clock is \d+ s off/),
    ]);
    expect(saysOf(findings, 'origins', 'warning')).toEqual([
      expect.stringContaining('http://app.example.com gets no cookies: set COOKIE_DOMAIN'),
    ]);
    expect(saysOf(findings, 'popups', 'warning')).toEqual([
      expect.stringContaining('from /signin (same-origin)'),
    ]);
    expect(saysOf(findings, 'migrations', 'ok')).toEqual(['all are applied']);
    expect(saysOf(findings, 'keys', 'ok')).toEqual([
      expect.stringMatching(/ has been signing for 0 days, with \d\d left$/),
    ]);
    expect(saysOf(findings, 'callback', 'ok')).toContain(
      `enter at google: ${origin}/v1/auth/google/callback`,
    );
    expect(saysOf(findings, 'apps', 'warning')).toEqual([
      expect.stringContaining(`no wallet or fiat scopes: ${id} (Corner Shop);`),
    ]);
    expect(saysOf(findings, 'webhook', 'warning')).toEqual([
      expect.stringContaining(`${id} cannot be reached from here`),
    ]);
    expect(saysOf(findings, 'fees', 'warning')).toEqual([
      expect.stringContaining(`${id} takes a fee that 1 of its grants do not cover`),
    ]);
    expect(saysOf(findings, 'resources', 'warning')).toEqual([
      expect.stringContaining(`${other?.id} gets no tokens for ${resource} (sign-ins: 1): `),
    ]);
  });
});
