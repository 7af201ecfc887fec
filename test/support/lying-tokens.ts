import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { CompactSign, exportJWK, exportSPKI, generateKeyPair, type JWK } from 'jose';
import type * as z from 'zod';
import type { CodeReport, Scenario, scenarioSchema, TokenCall } from './provider-driver.ts';

/** The provider's record of one code. */
export type CodeRecord = Omit<CodeReport, 'internalVisits'> & {
  code: string;
  issuer: string;
  /** Null for a code that was presented but never issued. */
  scenario: z.output<typeof scenarioSchema> | null;
  claims: Record<string, unknown>;
};

/** The provider's keys: two published ones, an unpublished one, and the public RSA key as HMAC secret bytes. */
export type Keys = {
  RS256: CryptoKey;
  ES256: CryptoKey;
  other: CryptoKey;
  pem: Uint8Array;
  jwks: { keys: JWK[] };
};

/** Creates new keys for each provider. */
export async function makeKeys(): Promise<Keys> {
  const [rs, es, other] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('RS256'),
  ]);
  const published = [
    { ...(await exportJWK(rs.publicKey)), kid: 'lying-RS256', alg: 'RS256', use: 'sig' },
    { ...(await exportJWK(es.publicKey)), kid: 'lying-ES256', alg: 'ES256', use: 'sig' },
  ];
  const pem = new TextEncoder().encode(await exportSPKI(rs.publicKey));
  return {
    RS256: rs.privateKey,
    ES256: es.privateKey,
    other: other.privateKey,
    pem,
    jwks: { keys: published },
  };
}

/** The values that are not null. */
export function withoutNulls(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** A query parameter of the authorize URL for which the code was created. */
export function parameterOf(record: CodeRecord, name: string): string | null {
  const url = record.scenario?.authorizeUrl;
  return url === undefined ? null : new URL(url).searchParams.get(name);
}

/** The base64 of this value always contains a slash. */
const slashed = '?????';

/** The ID token for a code as its scenario requires; undefined if it is to be missing. */
export async function makeIdToken(
  keys: Keys,
  record: CodeRecord,
  clientId: string | null,
): Promise<string | undefined> {
  const { scenario } = record;
  if (scenario === null || scenario.idToken === 'missing') return undefined;
  const now = scenario.now ?? Math.floor(Date.now() / 1000);
  const aud = scenario.audience ?? parameterOf(record, 'client_id') ?? clientId;
  const base = { iss: record.issuer, aud, iat: now, exp: now + 300, nonce: parameterOf(record, 'nonce') };
  const hidden = scenario.splitClaims ? { email: null, email_verified: null } : {};
  const lies: Record<string, object> = {
    expired: { iat: now - 7200, exp: now - 3600 },
    'wrong-aud': { aud: 'another-client' },
    'wrong-iss': { iss: 'https://another-issuer.example' },
    'wrong-azp': { azp: 'another-client' },
    'aud-array-without-azp': { aud: [aud, 'another-client'] },
  };
  const spelled = scenario.spelling === undefined ? {} : { text: slashed };
  const told = withoutNulls({ ...base, ...spelled, ...record.claims, ...scenario.claims, ...hidden });
  const payload = JSON.stringify({ ...told, ...scenario.literalClaims, ...lies[scenario.idToken] });
  const bytes = new TextEncoder().encode(payload);
  // CompactSign takes any bytes; SignJWT would reject some of the malformed claims needed here.
  const sign = (alg: string, kid: string, key: CryptoKey | Uint8Array): Promise<string> =>
    new CompactSign(bytes).setProtectedHeader({ typ: 'JWT', alg, kid }).sign(key);
  switch (scenario.idToken) {
    case 'alg-none':
      return `${['{"alg":"none","typ":"JWT"}', payload].map((part) => Buffer.from(part).toString('base64url')).join('.')}.`;
    case 'hs256-with-public-key':
      return sign('HS256', 'lying-RS256', keys.pem);
    case 'bad-signature':
      return sign('RS256', 'lying-RS256', keys.other);
    case 'other-key-unknown-kid':
      return sign('RS256', 'never-published', keys.other);
    default:
      if (scenario.spelling !== undefined) return spellToken(keys.RS256, payload, scenario.spelling);
      return sign(scenario.alg, `lying-${scenario.alg}`, keys[scenario.alg]);
  }
}

type Spelling = NonNullable<Scenario['spelling']>;

/** A token with a valid signature, one part of which is not in canonical base64url. */
async function spellToken(key: CryptoKey, payload: string, { part, as }: Spelling): Promise<string> {
  const spell = (name: Spelling['part'], bytes: Buffer) => {
    const text = bytes.toString('base64url');
    return part === name ? respell(text, as) : text;
  };
  const header = JSON.stringify({ typ: 'JWT', alg: 'RS256', kid: 'lying-RS256', text: slashed });
  const signed = `${spell('header', oneOver(header))}.${spell('payload', oneOver(payload))}`;
  const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', key, new TextEncoder().encode(signed));
  return `${signed}.${spell('signature', Buffer.from(signature))}`;
}

/** JSON with spaces, so that its last byte takes two base64 characters and leaves four unused bits, as in a signature. */
function oneOver(json: string): Buffer {
  const { length } = Buffer.from(json);
  return Buffer.from(json + ' '.repeat((4 - (length % 3)) % 3));
}

/** Other encodings of the same bytes, for lenient decoders. */
function respell(text: string, as: Spelling['as']): string {
  const last = text.charCodeAt(text.length - 1);
  if (as === 'padded') return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
  if (as === 'with unused bits') return text.slice(0, -1) + String.fromCharCode(last + 1);
  if (as === 'with a line break') return `${text.slice(0, 8)}\n${text.slice(8)}`;
  return text.replaceAll('-', '+').replaceAll('_', '/');
}

// RFC 6749, 2.3.1: identifier and secret are form-encoded before they become a Basic header.
function formDecode(value: string): string {
  return new URLSearchParams(`v=${value}`).get('v') ?? '';
}

/** Returns a token request in the form that tests read. */
export function readTokenCall(
  request: IncomingMessage,
  form: URLSearchParams,
  issuer: string,
  challenge: string | null,
): TokenCall {
  const authorization = request.headers.authorization ?? '';
  const basic = authorization.startsWith('Basic ');
  const pair = basic ? Buffer.from(authorization.slice(6), 'base64').toString() : '';
  const colon = pair.indexOf(':');
  const verifier = form.get('code_verifier');
  const digest = createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url');
  return {
    issuer,
    contentType: request.headers['content-type'] ?? null,
    clientAuth: basic ? 'basic' : form.has('client_secret') ? 'post' : 'none',
    clientId: basic ? formDecode(pair.slice(0, colon)) : form.get('client_id'),
    clientSecret: basic ? formDecode(pair.slice(colon + 1)) : form.get('client_secret'),
    grantType: form.get('grant_type'),
    redirectUri: form.get('redirect_uri'),
    hasCodeVerifier: verifier !== null,
    pkceValid: challenge === null ? null : verifier !== null && digest === challenge,
  };
}
