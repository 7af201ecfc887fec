import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, expect, inject, it, type MockInstance, vi } from 'vitest';
import type { CallAnswer, Deps } from '../../../src/deps.ts';
import { setApp } from '../../../src/features/admin/apps.ts';
import { readDocument } from '../../../src/features/app/document.ts';
import { documentOf } from '../../support/client-documents.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { answerIn, authorizeApp, authorizeUrl } from '../../support/oauth.ts';
import { newMember } from '../../support/people.ts';

let files: ServiceFiles;
let service: InProcessTarget;
let calls: MockInstance<Deps['callOut']>;
beforeAll(async () => {
  files = await makeServiceFiles();
  service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    APPS_MONEY: 'checked',
    CLIENT_DOCUMENTS: 'agent.acme.com, other.acme.com',
    RATE_LIMITS: '{"*":1000000}',
  });
  calls = vi.spyOn(service.deps, 'callOut');
});
beforeEach(async () => {
  calls.mockReset().mockImplementation(async ({ url }) => answerOf(url));
  await service.advance(1);
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

function answerOf(url: string, changes: object = {}): CallAnswer {
  const bytes = new TextEncoder().encode(documentOf(url, changes));
  return { status: 200, retryAfter: null, contentType: 'application/json; charset=utf-8', bytes };
}

const clientAt = (id: string) => ({ id, redirectUris: ['http://127.0.0.1/callback'] });
const money = { scope: 'openid wallet:read fiat:transfer' };
const grants = () => service.rows('SELECT scopes FROM grants');

it('only clients whose host is in CLIENT_DOCUMENTS get money scopes [CD-06]', async () => {
  const { browser } = await newMember(service);
  const listed = clientAt('https://agent.acme.com/client.json');
  expect(await authorizeApp(service, browser, listed, money)).toBeTypeOf('string');
  for (const id of [
    'https://agent.acme.com.evil.com/client.json',
    'https://evil.com/agent.acme.com/client.json',
  ]) {
    await service.advance(1);
    const answer = await browser.navigate(authorizeUrl(clientAt(id), money));
    expect(answerIn(answer.headers.get('Location'))).toMatchObject({ error: 'invalid_scope' });
  }
  expect(await grants()).toHaveLength(1);
  await service.restart({ CLIENT_DOCUMENTS: '' });
  calls = vi.spyOn(service.deps, 'callOut').mockImplementation(async ({ url }) => answerOf(url));
  const later = await browser.navigate(authorizeUrl(listed, money));
  expect(answerIn(later.headers.get('Location'))).toMatchObject({ error: 'invalid_scope' });
});

it('a document is rejected unless its https redirect URIs are on its own origin [CD-09]', async () => {
  const { browser } = await newMember(service);
  const id = 'https://files.acme.com/anyone/client.json';
  const own = 'https://files.acme.com/callback';
  for (const [index, elsewhere] of [
    'https://acme.com/callback',
    'https://agent.files.acme.com/callback',
    'https://files.acme.com:8443/callback',
    'https://localhost/callback',
  ].entries()) {
    calls.mockImplementation(async ({ url }) => answerOf(url, { redirect_uris: [own, elsewhere] }));
    const client = { id: `${id}${index}`, redirectUris: [elsewhere] };
    const answer = await browser.navigate(authorizeUrl(client));
    expect(answer.headers.get('X-Error-Code')).toBe('client_document_invalid');
    await service.advance(1);
  }
  calls.mockImplementation(async ({ url }) => answerOf(url, { redirect_uris: [own] }));
  const page = await browser.navigate(authorizeUrl({ id, redirectUris: [own] }));
  expect(page.status).toBe(200);
  expect(await page.text()).not.toContain('a program on your device');
});

it('a suspended host cannot continue under another address or name, and other hosts are not affected [CD-02, CD-08]', async () => {
  const { browser } = await newMember(service);
  const statusOf = async (id: string) => {
    await service.advance(1);
    const answer = await browser.navigate(authorizeUrl(clientAt(id)));
    return answer.headers.get('X-Error-Code') ?? answer.status;
  };
  await setApp(service.deps, 'operator', {
    id: 'https://bad.acme.com',
    status: 'suspended',
    reason: 'a fraud',
  });
  expect(await statusOf('https://bad.acme.com/client.json')).toBe('app_suspended');
  expect(await statusOf('https://bad.acme.com/another')).toBe('app_suspended');
  // A second name of the same host.
  expect(await statusOf('https://bad.acme.com./client.json')).toBe('client_document_invalid');
  for (const id of ['https://bad.acme.com.evil.com/client.json', 'https://acme.com/bad.acme.com/'])
    expect(await statusOf(id)).toBe(200);
});

it('twenty concurrent requests fetch a document only once [CD-03]', async () => {
  const id = 'https://slow.acme.com/client.json';
  calls.mockImplementation(({ url }) => new Promise((resolve) => setTimeout(resolve, 100, answerOf(url))));
  const read = await Promise.all(
    Array.from({ length: 20 }, (_, index) => readDocument(service.deps, id, `10.0.0.${index}`)),
  );
  expect(new Set(read.map(({ host }) => host))).toEqual(new Set(['slow.acme.com']));
  expect(calls).toHaveBeenCalledTimes(1);
});

it('a failed fetch is remembered for a minute, and does not delay others', async () => {
  const id = 'https://gone.acme.com/client.json';
  calls.mockRejectedValue(new Error('no answer in time'));
  const read = () => readDocument(service.deps, id, '10.0.1.1').catch(({ code }) => code);
  expect([await read(), await read()]).toEqual(['client_document_invalid', 'client_document_invalid']);
  expect(calls).toHaveBeenCalledTimes(1);
  expect(calls.mock.calls[0]?.[0]).toMatchObject({ url: id, timeoutMs: 5000, maxBytes: 5000 });
  await service.advance(61);
  await read();
  expect(calls).toHaveBeenCalledTimes(2);
});

it('100,000 invented addresses cause one request a second per network, add no rows and use little memory [CD-07]', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const rows = () => service.rows('SELECT count(*) AS n FROM apps');
  const before = await rows();
  const filler = 'a'.repeat(400);
  const deps: Deps = { ...service.deps, callOut: async ({ url }) => answerOf(url) };
  collect();
  const heap = process.memoryUsage().heapUsed;
  const startedAt = service.now();
  let refused = 0;
  for (let count = 0; count < 100_000; count += 1) {
    const network = `10.${count % 7}.0.1`;
    await readDocument(deps, `https://a${count}.acme.com/${filler}`, network).catch(({ code }) => {
      if (code === 'rate_limited') refused += 1;
    });
  }
  const seconds = Math.ceil((service.now() - startedAt) / 1000);
  expect(100_000 - refused).toBeLessThanOrEqual(7 * (seconds + 1));
  collect();
  expect(process.memoryUsage().heapUsed - heap).toBeLessThan(10_000_000);
  expect(await rows()).toEqual(before);
});

it('at most 1,000 documents are kept in memory [CD-07]', async () => {
  const deps: Deps = { ...service.deps };
  const idOf = (index: number) => `https://d${index}.acme.com/client.json`;
  for (let index = 0; index < 701; index += 1)
    await readDocument(deps, idOf(index), `10.2.${index >> 8}.${index & 255}`);
  const seen = calls.mock.calls.length;
  await service.advance(1);
  await readDocument(deps, idOf(700), '10.3.0.1');
  expect(calls.mock.calls.length).toBe(seen);
  await readDocument(deps, idOf(0), '10.3.0.1');
  expect(calls.mock.calls.length).toBe(seen + 1);
});
