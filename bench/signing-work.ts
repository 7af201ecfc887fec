import type { webcrypto } from 'node:crypto';
import { SignJWT } from 'jose';

const parameters = {
  ES256: { key: { name: 'ECDSA', namedCurve: 'P-256' }, use: { name: 'ECDSA', hash: 'SHA-256' } },
  EdDSA: { key: { name: 'Ed25519' }, use: { name: 'Ed25519' } },
} as const;

export type Algorithm = keyof typeof parameters;

interface Sample {
  readonly keys: webcrypto.CryptoKeyPair;
  readonly signed: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

const samples = new Map<Algorithm, Sample>();

/** An access token as created by the service. */
function sign(algorithm: Algorithm, privateKey: CryptoKey): Promise<string> {
  return new SignJWT({
    iss: 'https://id.example.com',
    aud: 'https://id.example.com',
    sub: 'ada.lovelace@pid',
    sid: 'ses_06dhx3b8zs9rjbdpk6v5a2w1fc',
    iat: 1_800_000_000,
    exp: 1_800_000_900,
    auth_time: 1_800_000_000,
    session_exp: 1_807_776_000,
    provider: 'idp',
    name: 'Ada Lovelace',
  })
    .setProtectedHeader({ alg: algorithm, kid: 'O4pM5ZbJHXhQW3fFzYqv1t2c8e7d6s5a4b3c2d1e0fg', typ: 'JWT' })
    .sign(privateKey);
}

async function sampleOf(algorithm: Algorithm): Promise<Sample> {
  const known = samples.get(algorithm);
  if (known) return known;
  const usages = ['sign', 'verify'] as const;
  const keys = (await crypto.subtle.generateKey(parameters[algorithm].key, true, [
    ...usages,
  ])) as webcrypto.CryptoKeyPair;
  const token = await sign(algorithm, keys.privateKey);
  const [head = '', body = '', tail = ''] = token.split('.');
  const signed = new TextEncoder().encode(`${head}.${body}`);
  const text = atob(tail.replaceAll('-', '+').replaceAll('_', '/'));
  const sample = { keys, signed, signature: Uint8Array.from(text, (letter) => letter.charCodeAt(0)) };
  samples.set(algorithm, sample);
  return sample;
}

/**
 * Answers `/run?algorithm=&work=sign|verify&count=` after this many tokens were signed, or verified as the service
 * does. The caller measures the time, because clocks on Workers stand still during computation.
 */
export async function answer(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname !== '/run') return new Response('ok');
  const algorithm = searchParams.get('algorithm') as Algorithm;
  const { keys, signed, signature } = await sampleOf(algorithm);
  for (let left = Number(searchParams.get('count')); left > 0; left -= 1) {
    if (searchParams.get('work') === 'sign') await sign(algorithm, keys.privateKey);
    else if (!(await crypto.subtle.verify(parameters[algorithm].use, keys.publicKey, signature, signed))) {
      return new Response('a good signature was refused', { status: 500 });
    }
  }
  return new Response('done');
}
