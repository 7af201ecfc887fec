import type { webcrypto } from 'node:crypto';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { fromBase64url, toBase64url, utf8 } from '../../src/lib/encoding.ts';
import { openBrowser } from '../support/browser.ts';
import { type Member, newMember, signIn } from '../support/people.ts';
import { countVisits, makeCode } from '../support/provider-driver.ts';
import { useSharedService } from '../support/service.ts';
import { valueSet } from '../support/set-cookie.ts';
import {
  compactJwt,
  decodeJwt,
  ecdsaSigner,
  hmacSigner,
  type ServiceKey,
  serviceKey,
} from '../support/signing.ts';
import { ticketCookies } from '../support/tickets.ts';

type Parts = Record<string, unknown>;

let member: Member;
let token: string;
let header: Parts;
let payload: Parts;
let key: ServiceKey;

const target = useSharedService();
beforeAll(async () => {
  member = await newMember(target);
  token = (await member.browser.cookie('pid_access')) ?? '';
  ({ header, payload } = decodeJwt(token));
  key = await serviceKey(target);
});

const read = (access: string) =>
  target.request('/v1/auth/session', { headers: { Cookie: `pid_access=${access}` } });

async function expectRefused(forgeries: Record<string, string>): Promise<void> {
  for (const [name, forged] of Object.entries(forgeries)) {
    for (const [method, path] of [
      ['GET', '/v1/auth/session'],
      ['DELETE', '/v1/credentials/crd_x'],
    ] as const) {
      const answer = await target.request(path, { method, headers: { Cookie: `pid_access=${forged}` } });
      expect([name, answer.status, answer.headers.getSetCookie()]).toEqual([name, 401, []]);
    }
  }
  expect((await read(token)).status).toBe(200);
}

const lie = (changes: Parts) => compactJwt(header, { ...payload, ...changes }, key.sign);

async function ownPair(
  namedCurve: string,
): Promise<{ publicJwk: webcrypto.JsonWebKey; privateJwk: webcrypto.JsonWebKey }> {
  const parameters = { name: 'ECDSA', namedCurve };
  const pair = (await crypto.subtle.generateKey(parameters, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const [publicJwk, privateJwk] = await Promise.all(
    [pair.publicKey, pair.privateKey].map((one) => crypto.subtle.exportKey('jwk', one)),
  );
  return { publicJwk: publicJwk as webcrypto.JsonWebKey, privateJwk: privateJwk as webcrypto.JsonWebKey };
}

describe('an access token', () => {
  it('is accepted if the service’s key signed it and its claims are valid', async () => {
    const answer = await read(await lie({ name: 'Somebody Else' }));
    expect(await answer.json()).toMatchObject({
      handle: member.handle,
      profile: { displayName: 'Somebody Else' },
    });
  });

  it('is rejected without a valid signature, regardless of the algorithm in its header [D-14]', async () => {
    const [, body = '', signature = ''] = token.split('.');
    const forgeries: Record<string, string> = {
      'signature cut off': token.slice(0, -signature.length),
      'no third part': token.split('.').slice(0, 2).join('.'),
      'all zero signature': `${token.slice(0, -signature.length)}${toBase64url(new Uint8Array(64))}`,
      'one bit of the signature': `${token.slice(0, -4)}${token.at(-4) === 'A' ? 'B' : 'A'}${token.slice(-3)}`,
      'one bit of the payload': token.replace(
        body,
        `${body.slice(0, 20)}${body[20] === 'A' ? 'B' : 'A'}${body.slice(21)}`,
      ),
      'a fourth part': `${token}.${signature}`,
      'a space': `${token} `.replace('.', ' .'),
      padding: `${token}=`,
    };
    for (const alg of ['none', 'None', 'nOnE', 'NONE', '', undefined, null, ['ES256'], { alg: 'ES256' }]) {
      for (const { name, sign } of [
        { name: 'empty', sign: () => '' },
        { name: 'old', sign: () => signature },
      ]) {
        forgeries[`alg ${JSON.stringify(alg)}, ${name} signature`] = await compactJwt(
          { ...header, alg },
          payload,
          sign,
        );
      }
    }
    await expectRefused(forgeries);
  });

  it('is rejected if signed with HS256 using any form of the public key as the secret [D-15]', async () => {
    const served = await (await target.request('/.well-known/jwks.json')).text();
    const [jwk] = (JSON.parse(served) as { keys: webcrypto.JsonWebKey[] }).keys;
    const bare = { kty: jwk?.kty, crv: jwk?.crv, x: jwk?.x, y: jwk?.y };
    const imported = await crypto.subtle.importKey(
      'jwk',
      bare as webcrypto.JsonWebKey,
      { name: 'ECDSA', namedCurve: 'P-256' },
      true,
      ['verify'],
    );
    const spki = new Uint8Array((await crypto.subtle.exportKey('spki', imported)) as ArrayBuffer);
    const raw = new Uint8Array((await crypto.subtle.exportKey('raw', imported)) as ArrayBuffer);
    const base64 = btoa(String.fromCharCode(...spki));
    const lines = base64.match(/.{1,64}/g)?.join('\n') ?? '';
    const pem = `-----BEGIN PUBLIC KEY-----\n${lines}\n-----END PUBLIC KEY-----`;
    const secrets: Record<string, Uint8Array<ArrayBuffer>> = {
      pem: utf8(pem),
      'pem and a new line': utf8(`${pem}\n`),
      'pem on one line': utf8(pem.replace(lines, base64)),
      der: spki,
      'der as base64': utf8(base64),
      'raw point': raw,
      'jwk as served': utf8(JSON.stringify(jwk)),
      'bare jwk': utf8(JSON.stringify(bare)),
      'key set as served': utf8(served),
      kid: utf8(key.kid),
      'kid bytes': fromBase64url(key.kid) ?? new Uint8Array(),
      x: fromBase64url(jwk?.x ?? '') ?? new Uint8Array(),
      'x as text': utf8(jwk?.x ?? ''),
    };
    const forgeries: Record<string, string> = {};
    for (const [name, secret] of Object.entries(secrets)) {
      const sign = await hmacSigner(secret);
      forgeries[name] = await compactJwt({ ...header, alg: 'HS256' }, payload, sign);
      forgeries[`${name}, called ES256`] = await compactJwt(header, payload, sign);
    }
    await expectRefused(forgeries);
  });

  it('is rejected if its header differs from ours or it was signed with another key [D-15]', async () => {
    const [p256, p384] = [await ownPair('P-256'), await ownPair('P-384')];
    const forgeries: Record<string, string> = {
      'ES384 and the kid of ours': await compactJwt(
        { ...header, alg: 'ES384' },
        payload,
        await ecdsaSigner(p384.privateJwk, 'P-384', 'SHA-384'),
      ),
      'our key, called ES384': await compactJwt({ ...header, alg: 'ES384' }, payload, key.sign),
      'our key, called ES256K': await compactJwt({ ...header, alg: 'ES256K' }, payload, key.sign),
      'own key and the kid of ours': await compactJwt(
        header,
        payload,
        await ecdsaSigner(p256.privateJwk, 'P-256', 'SHA-256'),
      ),
      'our key under an unknown kid': await compactJwt({ ...header, kid: 'unknown' }, payload, key.sign),
      'our key without a kid': await compactJwt({ alg: 'ES256', typ: 'JWT' }, payload, key.sign),
      'our key, another type': await compactJwt({ ...header, typ: 'at+jwt' }, payload, key.sign),
      'our key and an unknown critical extension': await compactJwt(
        { ...header, crit: ['exp2'], exp2: 1 },
        payload,
        key.sign,
      ),
    };
    await expectRefused(forgeries);
  });

  it('cannot supply its own key or a URL to fetch a key from [D-16]', async () => {
    const { publicJwk, privateJwk } = await ownPair('P-256');
    const sign = await ecdsaSigner(privateJwk, 'P-256', 'SHA-256');
    const sink = `${inject('lyingIssuer')}/at/sink-${Math.floor(performance.now())}`;
    const spki = btoa(JSON.stringify(publicJwk));
    const forgeries: Record<string, string> = {};
    for (const kid of [key.kid, 'own-key', undefined]) {
      const base = { ...header, kid };
      for (const [name, extra] of Object.entries<Parts>({
        jwk: { jwk: { ...publicJwk, kid } },
        jku: { jku: `${sink}/jwks` },
        x5u: { x5u: `${sink}/jwks` },
        x5c: { x5c: [spki] },
        'kid is an address': { kid: `${sink}/jwks` },
        'kid is a path': { kid: '../../../../dev/null' },
      })) {
        forgeries[`${name}, kid ${kid}`] = await compactJwt({ ...base, ...extra }, payload, sign);
      }
    }
    // Enough time for the service to look for new keys again, so that an unknown kid takes every path.
    await target.advance(11);
    await expectRefused(forgeries);
    expect((await countVisits(sink)).jwks).toBe(0);
    await fetch(`${sink}/jwks`);
    expect((await countVisits(sink)).jwks).toBe(1);
  });

  it('is rejected if a claim is wrong, even with a valid signature [D-17]', async () => {
    const seconds = Math.floor(target.now() / 1000);
    const { sub, aud } = payload;
    const lies: Record<string, Parts> = {
      'expired a second ago': { exp: seconds - 1 },
      'expires now': { exp: seconds },
      'no exp': { exp: undefined },
      'exp is a text': { exp: String(seconds + 100) },
      'exp is null': { exp: null },
      'not valid yet': { nbf: seconds + 3600 },
      'nbf is a text': { nbf: 'tomorrow' },
      'issued in an hour': { iat: seconds + 3600 },
      'no iat': { iat: undefined },
      'another issuer': { iss: 'https://id.example.com' },
      'issuer with a slash': { iss: `${payload['iss']}/` },
      'no issuer': { iss: undefined },
      'several issuers': { iss: [payload['iss']] },
      'another audience': { aud: 'https://api.example.com' },
      'no audience': { aud: undefined },
      'audiences without us': { aud: ['https://a.example.com', 'https://b.example.com'] },
      'audiences with us and another': { aud: [aud, 'https://a.example.com'] },
      'no subject': { sub: undefined },
      'subject without the suffix': { sub: member.handle },
      'subject of another kind': { sub: `app:${member.handle}` },
      'empty handle': { sub: '@pid' },
      'subject in capitals': { sub: String(sub).toUpperCase() },
      'subject and more': { sub: `${sub}\n` },
      'subject is a list': { sub: [sub] },
      'subject is a number': { sub: 7 },
      'no session': { sid: undefined },
      'session is a number': { sid: 7 },
    };
    const forgeries: Record<string, string> = {};
    for (const [name, changes] of Object.entries(lies)) forgeries[name] = await lie(changes);
    for (const text of ['null', '[]', '"text"', '7', '{', '']) {
      const signed = `${token.split('.')[0]}.${toBase64url(utf8(text))}`;
      forgeries[`payload ${text}`] = `${signed}.${await key.sign(signed)}`;
    }
    await expectRefused(forgeries);
  });

  it('is not interchangeable with any other token from the service or the provider [D-18]', async () => {
    const browser = openBrowser(target);
    const ticket = valueSet(await signIn(target, browser), 'pid_claim') ?? '';
    const refreshToken = (await member.browser.cookie('pid_refresh')) ?? '';
    const issuer = inject('lyingIssuer');
    const { iss, aud, sub, sid } = payload;
    const claims = { iss, aud, sub, sid };
    const { code } = await makeCode(issuer, { literalClaims: claims, claims: {}, alg: 'ES256' });
    const body = new URLSearchParams({ grant_type: 'authorization_code', code, client_id: 'peridot' });
    const redeemed = await fetch(`${issuer}/token`, { method: 'POST', body });
    const { id_token: idToken } = (await redeemed.json()) as { id_token: string };
    expect(decodeJwt(idToken).payload).toMatchObject(claims);
    await expectRefused({
      'refresh token': refreshToken,
      ticket,
      'ID token of the provider': idToken,
      'access token of an app': await compactJwt({ ...header, typ: 'at+jwt' }, payload, key.sign),
      'ID token of ours': await compactJwt({ alg: 'ES256', kid: header['kid'] }, payload, key.sign),
      'logout token': await compactJwt({ ...header, typ: 'logout+jwt' }, payload, key.sign),
      'session id': String(sid),
    });
    for (const access of [token, `${token}.${refreshToken}`]) {
      const cookie = { Cookie: `pid_refresh=${access}` };
      const answer = await target.request('/v1/auth/refresh', { method: 'POST', headers: cookie });
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    }
    const cookie = { Cookie: ticketCookies(target, token) };
    expect((await target.request('/v1/auth/claim', { headers: cookie })).status).toBe(410);
  });

  it('is accepted until it expires and not after, even if cached', async () => {
    const fresh = await newMember(target);
    const access = (await fresh.browser.cookie('pid_access')) ?? '';
    const expiresAt = Number(decodeJwt(access).payload['exp']) * 1000;
    expect((await read(access)).status).toBe(200);
    await target.advance(Math.floor((expiresAt - target.now()) / 1000) - 3);
    expect((await read(access)).status).toBe(200);
    await target.advance(4);
    expect((await read(access)).status).toBe(401);
  });

  it('is rejected after its key is removed and the service has reloaded its keys', async () => {
    const fresh = await newMember(target);
    const access = (await fresh.browser.cookie('pid_access')) ?? '';
    expect((await read(access)).status).toBe(200);
    const removed = await target.rows('DELETE FROM signing_keys RETURNING kid');
    expect(removed.length).toBe(1);
    await target.advance(301);
    expect((await read(access)).status).toBe(401);
    const answer = await fresh.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const successor = valueSet(answer, 'pid_access') ?? '';
    expect(decodeJwt(successor).header['kid']).not.toBe(key.kid);
    expect((await read(successor)).status).toBe(200);
  });
});
