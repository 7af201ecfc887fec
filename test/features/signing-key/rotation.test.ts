import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import {
  addFirstKey,
  addNextKey,
  removeKey,
  replaceKey,
  resealKeys,
  rotateKeysWhenDue,
  sealedUnder,
  unreadableKeys,
} from '../../../src/features/signing-key/rotation.ts';
import { getPublicKeys, requireSigner, verifyToken } from '../../../src/features/signing-key/signing-key.ts';
import { readKeys } from '../../../src/features/signing-key/stored-keys.ts';
import { rememberVerified } from '../../../src/features/signing-key/verified-tokens.ts';
import { json, openBrowser } from '../../support/browser.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { freshHandle, newMember, signIn } from '../../support/people.ts';
import { decodeJwt } from '../../support/signing.ts';
import { testSecretKey } from '../../support/target.ts';

const dayMs = 86_400_000;
const opened: InProcessTarget[] = [];
const folders: ServiceFiles[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((service) => service.close()));
  await Promise.all(folders.splice(0).map((files) => files.remove()));
});

const settings = (variables: Record<string, string> = {}) => ({
  IDP_ISSUER: inject('lyingIssuer'),
  IDP_CLIENT_ID: 'peridot',
  IDP_CLIENT_SECRET: 'provider secret',
  RATE_LIMITS: '{"*":1000000}',
  ...variables,
});

async function open(files?: ServiceFiles): Promise<InProcessTarget> {
  const place = files ?? (await makeServiceFiles());
  if (!files) folders.push(place);
  const service = await openFileService(place, settings());
  opened.push(service);
  return service;
}

const read = async (service: InProcessTarget, token: string) =>
  (await service.request('/v1/auth/session', { headers: { Cookie: `pid_access=${token}` } })).status;

describe('a new signing key', () => {
  it('is created only once by any number of jobs running on two nodes', async () => {
    const files = await makeServiceFiles();
    folders.push(files);
    const nodes = [await open(files), await open(files)];
    const everywhere = <T>(act: (service: InProcessTarget) => Promise<T>) =>
      Promise.all(nodes.flatMap((service) => Array.from({ length: 10 }, () => act(service))));
    const made = (kids: (string | null)[]) => kids.filter((kid) => kid !== null).length;
    expect(made(await everywhere(({ deps }) => addFirstKey(deps, deps.now())))).toBe(1);
    expect(made(await everywhere(({ deps }) => addNextKey(deps, 'due', deps.now())))).toBe(0);
    expect(made(await everywhere(({ deps }) => addNextKey(deps, 'asked', deps.now())))).toBe(1);
    expect(made(await everywhere(({ deps }) => addNextKey(deps, 'asked', deps.now())))).toBe(0);
  });

  it('is published for a day before it signs, and then signs for ninety days, if the jobs run hourly', async () => {
    const { deps, advance } = await open();
    const start = deps.now();
    await rotateKeysWhenDue(deps);
    const firstSeen = new Map<string, number>();
    const signers = new Map<string, number>();
    for (let hour = 0; hour < 24 * 200; hour += 1) {
      const now = deps.now();
      await rotateKeysWhenDue(deps);
      const keys = await readKeys(deps, now);
      for (const { kid } of keys) if (!firstSeen.has(kid)) firstSeen.set(kid, now);
      const signer = keys.findLast((key) => key.signs_from <= now && now < key.signs_until);
      expect(signer).toBeDefined();
      const kid = signer?.kid ?? '';
      if (!signers.has(kid)) signers.set(kid, now);
      await advance(3600);
    }
    const days = [...signers.values()].map((at) => Math.round((at - start) / dayMs));
    expect(days).toEqual([0, 90, 180]);
    const waits = [...signers].slice(1).map(([kid, at]) => at - (firstSeen.get(kid) ?? 0));
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(dayMs);
    expect(await readKeys(deps, deps.now())).toHaveLength(1);
  });

  it('is created in time after six days without jobs, and immediately if the jobs never run', async () => {
    const late = await open();
    await rotateKeysWhenDue(late.deps);
    const [first] = await readKeys(late.deps, late.now());
    await late.advance((90 + 5) * 86_400);
    expect(await rotateKeysWhenDue(late.deps)).toEqual({ added: 1 });
    const [, second] = await readKeys(late.deps, late.now());
    expect(second?.signs_from).toBeLessThan(first?.signs_until ?? 0);

    const never = await open();
    await newMember(never);
    await never.advance(200 * 86_400);
    const { browser } = await newMember(never);
    expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
  });

  it('keeps its predecessor only until the predecessor’s tokens expire if the rotation was requested', async () => {
    const { deps } = await open();
    const now = deps.now();
    await addFirstKey(deps, now);
    await addNextKey(deps, 'asked', now);
    const [old] = await readKeys(deps, now);
    expect(((old?.verifies_until ?? 0) - now) / 3_600_000).toBeCloseTo(24 + 1 + 0.25 + 1, 2);
    expect((await getPublicKeys(deps, now)).keys).toHaveLength(2);
  });

  it('signs immediately if it replaces another key, which can be removed only then', async () => {
    const service = await open();
    const { deps } = service;
    const { browser } = await newMember(service);
    const token = (await browser.cookie('pid_access')) ?? '';
    const kid = String(decodeJwt(token).header['kid']);
    expect(await removeKey(deps, kid)).toBe(false);
    await addNextKey(deps, 'asked', deps.now());
    expect(await removeKey(deps, kid)).toBe(false);
    const replacement = await replaceKey(deps, deps.now());
    await service.advance(301);
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
    const next = (await browser.cookie('pid_access')) ?? '';
    expect(decodeJwt(next).header['kid']).toBe(replacement);
    expect(await read(service, token)).toBe(200);

    expect(await removeKey(deps, kid)).toBe(true);
    await service.advance(301);
    expect([await read(service, token), await read(service, next)]).toEqual([401, 200]);
  });
});

describe('an RS256 key', () => {
  const rsa = async ({ deps }: InProcessTarget) =>
    (await readKeys(deps, deps.now())).filter(({ alg }) => alg === 'RS256');

  it('is created once, on first use', async () => {
    const files = await makeServiceFiles();
    folders.push(files);
    const nodes = [await open(files), await open(files)] as const;
    const [{ deps }] = nodes;
    await rotateKeysWhenDue(deps);
    expect((await getPublicKeys(deps, deps.now())).keys).toMatchObject([{ kty: 'EC', alg: 'ES256' }]);
    await Promise.all([...nodes, ...nodes].map((node) => requireSigner(node.deps, deps.now(), 'RS256')));
    expect(await rsa(nodes[0])).toHaveLength(1);
    const [, key] = (await getPublicKeys(deps, deps.now())).keys;
    expect(key).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', e: 'AQAB' });
    expect(Object.keys(key ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(key?.n).toHaveLength(342);
  });

  it('is rotated like the other key, with its own generations', async () => {
    const service = await open();
    const { deps } = service;
    await requireSigner(deps, deps.now(), 'RS256');
    await rotateKeysWhenDue(deps);
    await service.advance(90 * 86_400);
    expect(await rotateKeysWhenDue(deps)).toEqual({ added: 2 });
    const rows = await service.rows<{ alg: string; generation: number }>(
      'SELECT alg, generation FROM signing_keys ORDER BY alg, generation',
    );
    expect(rows.map(({ alg, generation }) => `${alg} ${generation}`)).toEqual([
      'ES256 1',
      'ES256 2',
      'RS256 1',
      'RS256 2',
    ]);
  });

  it('is not used as an ES256 key, or vice versa', async () => {
    const { deps } = await open();
    const ours = (await addFirstKey(deps, deps.now())) ?? '';
    const theirs = (await addFirstKey(deps, deps.now(), [], 'RS256')) ?? '';
    expect([await removeKey(deps, ours), await removeKey(deps, theirs)]).toEqual([false, false]);
    await replaceKey(deps, deps.now(), 'RS256');
    expect([await removeKey(deps, ours), await removeKey(deps, theirs)]).toEqual([false, true]);
  });
});

describe('a token signed by the service', () => {
  const uses = ['session', 'app', 'id', 'logout'] as const;

  it('is valid only for the use it was signed for, and with RS256 only as an ID token [D-18]', async () => {
    const { deps } = await open();
    const now = deps.now();
    const accepted: string[] = [];
    for (const alg of ['ES256', 'RS256'] as const) {
      const sign = await requireSigner(deps, now, alg);
      for (const signed of uses) {
        const token = await sign({ sub: 'somebody' }, signed);
        for (const read of uses) {
          if (await verifyToken(deps, token, now, read)) accepted.push(`${alg} ${signed} as ${read}`);
        }
      }
    }
    expect(accepted).toEqual([...uses.map((use) => `ES256 ${use} as ${use}`), 'RS256 id as id']);
  });
});

describe('unreadable signing keys', () => {
  /** A database that fails on request when the keys are read. */
  const breakKeys = (service: InProcessTarget) => {
    const { db } = service.deps;
    const real = db.batch;
    return vi.spyOn(db, 'batch').mockImplementation(async (statements) => {
      if (statements.some(({ text }) => text.includes('FROM signing_keys'))) throw new Error('no answer');
      return real.call(db, statements) as never;
    });
  };

  it('do not consume a refresh token or ticket, because the cached copy stays in use', async () => {
    const service = await open();
    const { browser } = await newMember(service);
    const newcomer = openBrowser(service);
    await signIn(service, newcomer);
    for (const seconds of [200, 200]) {
      await service.advance(seconds);
      const broken = breakKeys(service);
      expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
      expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
      broken.mockRestore();
    }
    const broken = breakKeys(service);
    const claimed = await newcomer.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
    expect(claimed.status).toBe(200);
    broken.mockRestore();
  });

  it('delay only the first request, even if the database fails slowly', async () => {
    const service = await open();
    const { browser } = await newMember(service);
    await service.advance(301);
    const { db } = service.deps;
    const real = db.batch;
    const silent = Promise.withResolvers<never>();
    let looks = 0;
    const broken = vi.spyOn(db, 'batch').mockImplementation(async (statements) => {
      if (!statements.some(({ text }) => text.includes('FROM signing_keys')))
        return real.call(db, statements) as never;
      looks += 1;
      // The second read never returns, so every later request waits for it.
      if (looks > 1) return silent.promise;
      await service.advance(3);
      throw new Error('no answer');
    });
    for (let read = 0; read < 5; read += 1) {
      expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
    }
    expect(looks).toBe(2);
    silent.reject(new Error('no answer'));
    await silent.promise.catch(() => {});
    broken.mockRestore();
  });

  it('do not affect a process that never had keys', async () => {
    const files = await makeServiceFiles();
    folders.push(files);
    const { browser } = await newMember(await open(files));
    const token = (await browser.cookie('pid_refresh', '/v1/auth/refresh')) ?? '';
    const other = await open(files);
    const refresh = () =>
      other.request('/v1/auth/refresh', { method: 'POST', headers: { Cookie: `pid_refresh=${token}` } });
    const broken = breakKeys(other);
    expect((await refresh()).status).toBe(500);
    broken.mockRestore();
    expect((await refresh()).status).toBe(204);
  });

  it('are read by only one of many requests when the cached copy is stale', async () => {
    const service = await open();
    const { browser } = await newMember(service);
    const cookie = await browser.cookies();
    await service.advance(200);
    const before = service.trips()?.database ?? 0;
    const reads = Array.from({ length: 50 }, () =>
      service.request('/v1/auth/session', { headers: { Cookie: cookie } }),
    );
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect((service.trips()?.database ?? 0) - before).toBe(1);
  });
});

describe('a SECRET_KEY without its predecessor', () => {
  it('signs with a new key, so people can sign in again', async () => {
    const files = await makeServiceFiles();
    folders.push(files);
    const { browser, claims } = await newMember(await open(files));
    const token = (await browser.cookie('pid_access')) ?? '';
    const other = await open(files);
    const [theirs] = await readKeys(other.deps, other.now());
    const replaced = await openFileService(
      files,
      settings({ SECRET_KEY: randomBytes(32).toString('base64') }),
    );
    opened.push(replaced);
    expect((await replaced.request('/readyz')).status).toBe(200);
    expect(await read(replaced, token)).toBe(401);
    const again = openBrowser(replaced);
    expect((await signIn(replaced, again, claims)).status).toBe(302);
    expect((await again.fetch('/v1/auth/session')).status).toBe(200);
    const [first, ...made] = await readKeys(replaced.deps, replaced.now());
    expect(first).toEqual(theirs);
    expect(made).toHaveLength(1);
    expect(await read(other, token)).toBe(200);
  });

  it('does not accept a key it cannot decrypt as a replacement for a removed key', async () => {
    const files = await makeServiceFiles();
    folders.push(files);
    const { deps } = await open(files);
    const other = await openFileService(files, settings({ SECRET_KEY: randomBytes(32).toString('base64') }));
    opened.push(other);
    const ours = (await addFirstKey(deps, deps.now())) ?? '';
    const theirs = (await addFirstKey(other.deps, deps.now(), [ours])) ?? '';
    expect(await unreadableKeys(deps, await readKeys(deps, deps.now()))).toEqual([theirs]);
    expect(await removeKey(deps, ours, [theirs])).toBe(false);
    await replaceKey(deps, deps.now());
    expect(await removeKey(deps, ours, [theirs])).toBe(true);
  });
});

describe('a new SECRET_KEY', () => {
  const newSecret = randomBytes(32).toString('base64');

  it('re-encrypts the keys of the previous one, which is then no longer needed', async () => {
    const service = await open();
    const { browser } = await newMember(service);
    const token = (await browser.cookie('pid_access')) ?? '';
    await addNextKey(service.deps, 'asked', service.now());

    await service.restart(settings({ SECRET_KEY: newSecret, SECRET_KEY_PREVIOUS: testSecretKey }));
    expect(await read(service, token)).toBe(200);
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
    const sealed = async () => {
      const rows = await readKeys(service.deps, service.now());
      return Promise.all(rows.map((row) => sealedUnder(service.deps, row)));
    };
    expect(await sealed()).toEqual(['previous', 'previous']);
    const { deps } = service;
    await Promise.all([resealKeys(deps), resealKeys(deps), resealKeys(deps)]);
    expect(await sealed()).toEqual(['current', 'current']);
    expect(await resealKeys(deps)).toEqual({ resealed: 0 });

    await service.restart(settings({ SECRET_KEY: newSecret }));
    expect(await read(service, token)).toBe(200);
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);

    await service.restart(settings({ SECRET_KEY: testSecretKey }));
    expect(await sealed()).toEqual(['unknown', 'unknown']);
    expect(await read(service, token)).toBe(401);
  });
});

describe('the cache of verified tokens', () => {
  it('drops the oldest entry when full, and serves the others without verifying again', async () => {
    const { deps } = await open();
    const kid = (await addFirstKey(deps, deps.now())) ?? '';
    await requireSigner(deps, deps.now());
    let verified = 0;
    const read = rememberVerified(async (_, token, now) => {
      verified += 1;
      return { claims: { token, expiresAt: now + dayMs }, kid };
    });
    const expectVerified = async (token: number, times: number) => {
      verified = 0;
      expect(await read(deps, String(token), deps.now())).toMatchObject({ token: String(token) });
      expect([token, verified]).toEqual([token, times]);
    };
    for (let token = 0; token <= 10_000; token += 1) await expectVerified(token, 1);
    await expectVerified(10_000, 0);
    await expectVerified(5_000, 0);
    await expectVerified(4_999, 1);
  });

  it('avoids the second signature check on session reads', async () => {
    const service = await open();
    const { browser } = await newMember(service);
    const token = (await browser.cookie('pid_access')) ?? '';
    const verify = vi.spyOn(crypto.subtle, 'verify');
    for (let time = 0; time < 3; time += 1) expect(await read(service, token)).toBe(200);
    expect(verify).toHaveBeenCalledTimes(1);
  });
});
