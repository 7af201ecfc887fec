import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ServerRequest, type VerifyOptions, verifyOrigin, verifySession } from '../../sdk/server.ts';
import { type Member, newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';
import {
  compactJwt,
  decodeJwt,
  ecdsaSigner,
  hmacSigner,
  type ServiceKey,
  serviceKey,
} from '../support/signing.ts';
import type { Target } from '../support/target.ts';

// Runs in Node and in workerd.

type Parts = Record<string, unknown>;

const post = { method: 'POST' };
const dayMs = 86_400_000;

const accessOf = async ({ browser }: Member) => (await browser.cookie('pid_access')) ?? '';
const carrying = (token: string): ServerRequest => ({ headers: { cookie: `pid_access=${token}` } });

/** A back end next to the service: how it reads the keys, and how often it has read them. */
function backEndOf(target: Target): {
  options: VerifyOptions;
  reads: number;
  breakDown(): void;
  recover(): void;
} {
  let isBroken = false;
  const backEnd = {
    reads: 0,
    breakDown() {
      isBroken = true;
    },
    recover() {
      isBroken = false;
    },
    options: {
      baseUrl: target.origin,
      now: () => target.now(),
      fetch: async (url: string) => {
        backEnd.reads += 1;
        if (isBroken) throw new TypeError('fetch failed');
        return target.request(url.slice(target.origin.length));
      },
    },
  };
  return backEnd;
}

describe('verifySession', () => {
  const target = useService({ BASE_URL: 'http://verify.localhost:8787' });
  let member: Member;
  let token: string;
  let header: Parts;
  let payload: Parts;
  let key: ServiceKey;
  let options: VerifyOptions;
  beforeAll(async () => {
    member = await newMember(target);
    token = await accessOf(member);
    ({ header, payload } = decodeJwt(token));
    key = await serviceKey(target);
    ({ options } = backEndOf(target));
  });

  const verify = (request: ServerRequest) => verifySession(request, options);
  async function expectRefused(forgeries: Record<string, string>): Promise<void> {
    for (const [name, forged] of Object.entries(forgeries))
      expect([name, await verify(carrying(forged))]).toEqual([name, null]);
    expect(await verify(carrying(token))).not.toBeNull();
  }

  it('returns the same session details as the service, except roles', async () => {
    const { roles, ...session } = (await (await member.browser.fetch('/v1/auth/session')).json()) as Parts;
    expect(roles).toEqual([]);
    const tokenExpiresAt = new Date(Number(payload['exp']) * 1000).toISOString();
    const cookie = `theme=dark; pid_access=${token}; pid_accessory=1`;
    expect(await verify(new Request(target.origin, { headers: { cookie } }))).toEqual({
      ...session,
      email: null,
      tokenExpiresAt,
    });
    expect(await verify({ headers: new Headers({ cookie }) })).toMatchObject({ pid: `${member.handle}@pid` });
    // Node's headers, whose names the client chooses.
    expect(await verify({ headers: { get: 'x', cookie } })).toMatchObject({ handle: member.handle });
  });

  it('returns null without exactly one token, as the service returns 401', async () => {
    const cookies = [
      undefined,
      '',
      'pid_access',
      'pid_access=',
      `svc_access=${token}`,
      `xpid_access=${token}`,
    ];
    const doubled = [`pid_access=${token}; pid_access=${token}`, `pid_access=${token}; pid_access=`];
    for (const cookie of [...cookies, ...doubled]) {
      expect([cookie, await verify({ headers: { cookie } })]).toEqual([cookie, null]);
      const asked = await target.request('/v1/auth/session', cookie ? { headers: { Cookie: cookie } } : {});
      expect(asked.status).toBe(401);
    }
    const headers = { cookie: `svc_access=${token}` };
    expect(await verifySession({ headers }, { ...options, cookieName: 'svc_access' })).not.toBeNull();
  });

  it('rejects a header that the service would not write, even with a valid signature', async () => {
    const { publicJwk, privateJwk } = await ownPair();
    const ownSign = await ecdsaSigner(privateJwk, 'P-256', 'SHA-256');
    const hmac = await hmacSigner(new TextEncoder().encode(JSON.stringify(key.publicJwk)));
    const [, , signature = ''] = token.split('.');
    const forged = (changes: Parts, sign: (text: string) => string | Promise<string>) =>
      compactJwt({ ...header, ...changes }, payload, sign);
    await expectRefused({
      'alg none, no signature': await forged({ alg: 'none' }, () => ''),
      'alg none, old signature': await forged({ alg: 'none' }, () => signature),
      'alg none, valid signature': await forged({ alg: 'none' }, key.sign),
      'alg HS256': await forged({ alg: 'HS256' }, hmac),
      'alg ES256, signed by HMAC': await forged({}, hmac),
      'alg ES384': await forged({ alg: 'ES384' }, key.sign),
      'another typ': await forged({ typ: 'at+jwt' }, key.sign),
      'typ in lower case': await forged({ typ: 'jwt' }, key.sign),
      'no typ': await forged({ typ: undefined }, key.sign),
      'no kid': await forged({ kid: undefined }, key.sign),
      'unknown kid': await forged({ kid: 'unknown' }, key.sign),
      'another order': await compactJwt({ typ: 'JWT', ...header }, payload, key.sign),
      'one member more': await forged({ crit: [] }, key.sign),
      'own key, kid of the service': await forged({}, ownSign),
      'own key in the header': await forged({ jwk: publicJwk }, ownSign),
      'address of a key set': await forged({ jku: 'https://evil.example/jwks.json' }, ownSign),
    });
  });

  it('rejects a token changed after signing, and a non-canonical encoding of a token', async () => {
    const [head, body = '', signature = ''] = token.split('.');
    const other = (text: string, at: number) =>
      `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
    await expectRefused({
      'a changed payload': `${head}.${other(body, 20)}.${signature}`,
      'a changed signature': `${head}.${body}.${other(signature, 20)}`,
      'a signature of zeros': `${head}.${body}.${'A'.repeat(86)}`,
      'no signature': `${head}.${body}.`,
      'two parts': `${head}.${body}`,
      'a fourth part': `${token}.${signature}`,
      padding: `${token}=`,
      'unused bits of the last character': `${token.slice(0, -1)}${{ A: 'B', Q: 'R', g: 'h', w: 'x' }[token.at(-1) ?? '']}`,
      'a space': `${head}. ${body}.${signature}`,
      'more than a cookie holds': `${head}.${'A'.repeat(4_100)}.${signature}`,
    });
  });

  it('rejects claims with another audience, another time or a subject that is not a PID', async () => {
    const seconds = Math.floor(target.now() / 1000);
    const lies: Record<string, Parts> = {
      'expired, beyond the skew': { exp: seconds - 31 },
      'no exp': { exp: undefined },
      'exp is a text': { exp: String(seconds + 100) },
      'issued in the future, beyond the skew': { iat: seconds + 40 },
      'no iat': { iat: undefined },
      'not valid yet': { nbf: seconds + 40 },
      'nbf is a text': { nbf: 'tomorrow' },
      'another issuer': { iss: 'https://id.example.com' },
      'issuer with a slash': { iss: `${payload['iss']}/` },
      'another audience': { aud: 'https://api.example.com' },
      'several audiences': { aud: [payload['aud'], 'https://api.example.com'] },
      'no subject': { sub: undefined },
      'subject of another kind': { sub: `app:${member.handle}` },
      'subject and more': { sub: `${payload['sub']}\n` },
      'subject is a list': { sub: [payload['sub']] },
      'no session': { sid: undefined },
      'no time of sign-in': { auth_time: undefined },
      'time of sign-in is no time': { auth_time: 1e300 },
    };
    const forgeries: Record<string, string> = {};
    for (const [name, changes] of Object.entries(lies))
      forgeries[name] = await compactJwt(header, { ...payload, ...changes }, key.sign);
    for (const text of ['null', '[]', '7', '{', '']) {
      const signed = `${token.split('.')[0]}.${btoa(text).replaceAll('=', '')}`;
      forgeries[`payload ${text}`] = `${signed}.${await key.sign(signed)}`;
    }
    await expectRefused(forgeries);
  });

  it('tolerates clock skew only up to the configured limit', async () => {
    const expired = await compactJwt(header, { ...payload, exp: target.now() / 1000 - 20 }, key.sign);
    const early = await compactJwt(header, { ...payload, iat: target.now() / 1000 + 20 }, key.sign);
    for (const one of [expired, early]) {
      expect(await verify(carrying(one))).not.toBeNull();
      expect(await verifySession(carrying(one), { ...options, clockSkewSeconds: 5 })).toBeNull();
    }
  });

  it('rejects an invalid address', async () => {
    const wrong = verifySession(carrying(token), { baseUrl: 'id.example.com' });
    await expect(wrong).rejects.toThrow(TypeError);
  });
});

describe('the key set', () => {
  const target = useService({ BASE_URL: 'http://keys.localhost:8787', ACCESS_TTL_SECONDS: '86400' });

  it('is read once by the first of many requests, and again after five minutes', async () => {
    const backEnd = backEndOf(target);
    const request = carrying(await accessOf(await newMember(target)));
    const verify = () => verifySession(request, backEnd.options);
    const answers = await Promise.all(Array.from({ length: 20 }, verify));
    expect(answers).not.toContain(null);
    expect(backEnd.reads).toBe(1);
    await target.advance(295);
    expect(await verify()).not.toBeNull();
    expect(backEnd.reads).toBe(1);
    await target.advance(10);
    expect(await Promise.all(Array.from({ length: 20 }, verify))).not.toContain(null);
    expect(backEnd.reads).toBe(2);
    const eager = { ...backEnd.options, maxAgeSeconds: 30 };
    await target.advance(40);
    expect(await verifySession(request, eager)).not.toBeNull();
    expect(backEnd.reads).toBe(3);
  });

  it('is read again for an unknown key, but not for every forged one', async () => {
    const backEnd = backEndOf(target);
    const verify = (token: string) => verifySession(carrying(token), backEnd.options);
    const token = await accessOf(await newMember(target));
    await target.advance(400);
    expect(await verify(token)).not.toBeNull();
    await target.advance(11);
    const { header, payload } = decodeJwt(token);
    const { sign } = await serviceKey(target);
    const forge = (kid: string) => compactJwt({ ...header, kid }, payload, sign);
    const before = backEnd.reads;
    for (let count = 0; count < 30; count += 1)
      expect(await verify(await forge(`forged-${count}`))).toBeNull();
    await Promise.all(Array.from({ length: 30 }, async (_, index) => verify(await forge(`more-${index}`))));
    expect(backEnd.reads).toBe(before + 1);
    // Nor does a token that no key of the service could verify.
    await target.advance(11);
    expect(
      await verify(await compactJwt({ ...header, alg: 'none' }, payload, () => 'A'.repeat(86))),
    ).toBeNull();
    expect(backEnd.reads).toBe(before + 1);
    expect(await verify(await forge('later'))).toBeNull();
    expect(backEnd.reads).toBe(before + 2);
  });

  it('follows the key rotation without rejecting a token of the old or the new key', async () => {
    const backEnd = backEndOf(target);
    const verify = (token: string) => verifySession(carrying(token), backEnd.options);
    const member = await newMember(target);
    expect(await verify(await accessOf(member))).not.toBeNull();
    const ends = [target.now() + 8 * dayMs - 60_000, target.now() + 12 * dayMs];
    await target.rows('UPDATE signing_keys SET signs_until = ?, verifies_until = ?', ends);
    expect((await target.request('/dev/scheduled', post)).status).toBe(200);
    await target.advance(86_400 - 600);
    expect((await member.browser.fetch('/v1/auth/refresh', post)).status).toBe(204);
    const old = await accessOf(member);
    await target.advance(660);
    expect((await member.browser.fetch('/v1/auth/refresh', post)).status).toBe(204);
    const successor = await accessOf(member);
    expect(decodeJwt(successor).header['kid']).not.toBe(decodeJwt(old).header['kid']);
    expect(await verify(successor)).not.toBeNull();
    expect(await verify(old)).not.toBeNull();
  });

  it('drops a key removed by the service and finds its successor immediately', async () => {
    const backEnd = backEndOf(target);
    const verify = (token: string) => verifySession(carrying(token), backEnd.options);
    const member = await newMember(target);
    const token = await accessOf(member);
    expect(await verify(token)).not.toBeNull();
    await target.rows('DELETE FROM signing_keys');
    await target.advance(301);
    expect((await member.browser.fetch('/v1/auth/refresh', post)).status).toBe(204);
    expect(await verify(await accessOf(member))).not.toBeNull();
    expect(await verify(token)).toBeNull();
  });
});

describe('a back end whose service does not respond', () => {
  const target = useService({ BASE_URL: 'http://outage.localhost:8787', ACCESS_TTL_SECONDS: '86400' });

  it('throws while it knows no key, and tries again a second later', async () => {
    const backEnd = backEndOf(target);
    const request = carrying(await accessOf(await newMember(target)));
    backEnd.breakDown();
    const verify = () => verifySession(request, backEnd.options);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, verify));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
    await expect(verify()).rejects.toThrow(`The public keys of ${target.origin} could not be read`);
    expect(backEnd.reads).toBe(1);
    // Without a token there is nothing to verify.
    expect(await verifySession({ headers: {} }, backEnd.options)).toBeNull();
    backEnd.recover();
    await target.advance(2);
    expect(await verify()).not.toBeNull();
  });

  it('keeps using known keys for an hour, and throws for a token with an unknown key', async () => {
    const backEnd = backEndOf(target);
    const token = await accessOf(await newMember(target));
    const verify = (one = token) => verifySession(carrying(one), backEnd.options);
    expect(await verify()).not.toBeNull();
    backEnd.breakDown();
    await target.advance(600);
    expect(await verify()).not.toBeNull();
    const { header, payload } = decodeJwt(token);
    const { sign } = await serviceKey(target);
    const unknown = await compactJwt({ ...header, kid: 'next' }, payload, sign);
    await expect(verify(unknown)).rejects.toThrow('could not be read');
    await target.advance(3_600);
    await expect(verify()).rejects.toThrow('could not be read');
    backEnd.recover();
    await target.advance(2);
    expect(await verify()).not.toBeNull();
  });

  it('throws if the response is anything but the keys', async () => {
    const { options } = backEndOf(target);
    const request = carrying(await accessOf(await newMember(target)));
    const answers = [
      new Response('', { status: 302, headers: { Location: 'https://evil.example' } }),
      new Response('<p>Welcome'),
      Response.json({}),
      Response.json({ keys: [] }, { status: 503 }),
    ];
    for (const answer of answers) {
      await target.advance(7_200);
      const keys = await target.request('/.well-known/jwks.json');
      const send = async (_: string, { redirect }: RequestInit) => (redirect === 'manual' ? answer : keys);
      const wrong = verifySession(request, { ...options, fetch: send });
      await expect(wrong).rejects.toThrow('could not be read');
    }
  });

  it('does not keep other callers waiting if the request that loads the keys is cancelled', async () => {
    const { options } = backEndOf(target);
    const request = carrying(await accessOf(await newMember(target)));
    await target.advance(7_200);
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    void verifySession(request, { ...options, fetch: () => new Promise(() => {}) });
    const next = verifySession(request, options);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await next).not.toBeNull();
  });
});

describe('verifyOrigin', () => {
  const own = 'https://app.example.com';
  const allowed = [own, 'https://admin.example.com:8443'];
  const check = (method: string | undefined, headers: Record<string, string>) => [
    verifyOrigin({ method, headers }, allowed),
    verifyOrigin({ method, headers: new Headers(headers) }, allowed),
  ];

  it('accepts pages of the listed origins, and clients that are not browsers', () => {
    for (const headers of [
      { origin: own, 'sec-fetch-site': 'same-origin' },
      { origin: 'https://admin.example.com:8443', 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin' },
      {},
    ]) {
      expect([headers, check('POST', headers)]).toEqual([headers, [true, true]]);
    }
  });

  it('rejects a WebSocket from every other page, which could read from it', () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
    expect(check('GET', { ...upgrade, origin: own })).toEqual([true, true]);
    for (const origin of ['https://blog.example.com', 'null'])
      expect(check('GET', { ...upgrade, origin })).toEqual([false, false]);
    expect(check('GET', { upgrade: 'h2c', origin: 'https://blog.example.com' })).toEqual([true, true]);
  });

  it('rejects every other page, especially those of sibling domains', () => {
    for (const headers of [
      { origin: 'https://evil.example.com', 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      { origin: 'null' },
      { origin: '' },
      { origin: `${own}/` },
      { origin: `${own}.evil.example` },
      { origin: 'http://app.example.com' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', undefined])
        expect([method, headers, check(method, headers)]).toEqual([method, headers, [false, false]]);
      for (const method of ['GET', 'HEAD', 'OPTIONS']) expect(check(method, headers)).toEqual([true, true]);
    }
  });
});

async function ownPair(): Promise<{ publicJwk: Parts; privateJwk: Parameters<typeof ecdsaSigner>[0] }> {
  const parameters = { name: 'ECDSA', namedCurve: 'P-256' };
  const pair = await crypto.subtle.generateKey(parameters, true, ['sign', 'verify']);
  const { publicKey, privateKey } = pair as CryptoKeyPair;
  return {
    publicJwk: { ...((await crypto.subtle.exportKey('jwk', publicKey)) as object) },
    privateJwk: (await crypto.subtle.exportKey('jwk', privateKey)) as Parameters<typeof ecdsaSigner>[0],
  };
}
