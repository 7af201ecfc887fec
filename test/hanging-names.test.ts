import { createSocket } from 'node:dgram';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { json } from './support/browser.ts';
import { bun, entryFile, startBun } from './support/bun-process.ts';
import { newMember } from './support/people.ts';
import { sendTo } from './support/send-to.ts';

/** A name server that never responds. */
async function silentNameServer() {
  const asked = new Set<string>();
  const socket = createSocket('udp4', (query) => asked.add(firstLabel(query)));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => socket.close(() => resolve())));
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

/** The first label of the name in a query, which follows the header of 12 bytes (RFC 1035 section 4.1). */
function firstLabel(query: Buffer): string {
  return query.toString('latin1', 13, 13 + query.readUInt8(12));
}

/** The service on Bun, which asks this name server. */
async function startService(nameServer: string) {
  const preload = join(import.meta.dirname, 'support/bun-name-server.ts');
  const service = await startBun(
    {
      NAME_SERVER: nameServer,
      IDP_ISSUER: inject('lyingIssuer'),
      IDP_CLIENT_ID: 'peridot',
      IDP_CLIENT_SECRET: 'provider secret',
      RATE_LIMITS: 'off',
    },
    [bun, '--preload', preload, entryFile],
  );
  onTestFinished(service.close);
  return {
    origin: 'http://localhost:8787',
    now: Date.now,
    request: (path: string, init: Parameters<typeof sendTo>[2] = {}) =>
      sendTo(service.port, path, { ...init, headers: { Host: 'localhost:8787', ...init.headers } }),
  };
}

const appWithLogo = (host: string) =>
  json('POST', { name: 'Logo', type: 'spa', logoUrl: `https://${host}.example.com/l.png` });

it('a refresh does not wait for 20 strangers’ host names whose name server never responds [R-23]', async () => {
  const { address, asked } = await silentNameServer();
  const service = await startService(address);
  const { browser } = await newMember(service);
  const strangers: Awaited<ReturnType<typeof newMember>>[] = [];
  while (strangers.length < 4) strangers.push(await newMember(service));
  const names = Array.from({ length: 20 }, (_, index) => `hang${index}`);
  const answered: number[] = [];
  const registrations = names.map(async (name, index) => {
    const { status } = (await strangers[index % 4]?.browser.fetch('/v1/apps', appWithLogo(name))) ?? {};
    answered.push(status ?? 0);
  });
  await expect.poll(() => [...asked].sort()).toEqual([...names].sort());

  const { status } = await browser.fetch('/v1/auth/refresh', { method: 'POST' });
  expect([status, answered]).toEqual([204, []]);

  await Promise.all(registrations);
  expect(new Set(answered)).toEqual(new Set([400]));
  expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
});

it('a person has at most five calls to untrusted addresses in progress [R-23]', async () => {
  const { address, asked } = await silentNameServer();
  const service = await startService(address);
  const { browser } = await newMember(service);
  const registrations = ['a', 'b', 'c', 'd', 'e'].map((name) => browser.fetch('/v1/apps', appWithLogo(name)));
  await expect.poll(() => asked.size).toBe(5);
  const sixth = await browser.fetch('/v1/apps', appWithLogo('f'));
  expect([sixth.status, sixth.headers.get('Retry-After'), asked.has('f')]).toEqual([429, '5', false]);
  const others = await Promise.all(registrations);
  expect(others.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  // The calls have ended, so there is room for another.
  expect((await browser.fetch('/v1/apps', appWithLogo('f'))).status).toBe(400);
});
