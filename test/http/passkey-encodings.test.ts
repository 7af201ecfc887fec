import { describe, expect, it } from 'vitest';
import { type Cbor, createAuthenticator, type Lies } from '../support/authenticator.ts';
import { openBrowser } from '../support/browser.ts';
import {
  askLogin,
  askRegistration,
  listPasskeys,
  newPasskeyMember,
  sendLogin,
  sendRegistration,
} from '../support/passkeys.ts';
import { newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

const refused = [401, 'passkey_refused'];
const outcome = (answer: Response) => [answer.status, answer.headers.get('X-Error-Code')];

const integer = (bytes: readonly number[]) => [0x02, bytes.length, ...bytes];
const sequence = (...items: readonly number[][]) => [0x30, items.flat().length, ...items.flat()];

/**
 * Encodings of one ECDSA signature that a lenient reader accepts as DER. Both numbers are 32 bytes long and start with
 * a one bit, so in DER a zero byte precedes each.
 */
const encodings: Record<string, (r: number[], s: number[]) => number[]> = {
  'a length in the long form': (r, s) => [0x30, 0x81, ...sequence(integer(r), integer(s)).slice(1)],
  'a length of two bytes': (r, s) => [0x30, 0x82, 0, ...sequence(integer(r), integer(s)).slice(1)],
  'an indefinite length': (r, s) => [0x30, 0x80, ...integer(r), ...integer(s), 0, 0],
  'the length of a number in the long form': (r, s) => sequence([0x02, 0x81, r.length, ...r], integer(s)),
  'a length too short by one': (r, s) => {
    const [tag = 0, length = 0, ...rest] = sequence(integer(r), integer(s));
    return [tag, length - 1, ...rest];
  },
  'an extra byte after the sequence': (r, s) => [...sequence(integer(r), integer(s)), 0],
  'a null after the sequence': (r, s) => [...sequence(integer(r), integer(s)), 5, 0],
  'a null in the sequence': (r, s) => sequence(integer(r), integer(s), [5, 0]),
  'a third number': (r, s) => sequence(integer(r), integer(s), integer([1])),
  'an extra zero byte': (r, s) => sequence(integer([0, ...r]), integer(s)),
  'a negative first number': (r, s) => sequence(integer(r.slice(1)), integer(s)),
  'a negative second number': (r, s) => sequence(integer(r), integer(s.slice(1))),
  'two negative numbers': (r, s) => sequence(integer(r.slice(1)), integer(s.slice(1))),
  'no sequence around it': (r, s) => [...integer(r), ...integer(s)],
  'a set around it': (r, s) => [0x31, ...sequence(integer(r), integer(s)).slice(1)],
  'two bare halves': (r, s) => [...r.slice(1), ...s.slice(1)],
  'one number': (r) => sequence(integer(r)),
  nothing: () => [0x30, 0],
};

describe('the signature of a passkey', () => {
  it('is accepted in DER', async () => {
    const { authenticator } = await newPasskeyMember(target);
    const browser = openBrowser(target);
    const assertion = await authenticator.get(await askLogin(browser), {
      encode: (r, s) => sequence(integer(r), integer(s)),
    });
    expect((await sendLogin(browser, assertion)).status).toBe(204);
  });

  it.each(Object.entries(encodings))('is rejected with %s [D-68]', async (_, encode) => {
    const { authenticator } = await newPasskeyMember(target);
    const browser = openBrowser(target);
    const assertion = await authenticator.get(await askLogin(browser), { encode });
    expect(outcome(await sendLogin(browser, assertion))).toEqual(refused);
  });

  it('must be DER-encoded in the attestation, too', async () => {
    const browser = openBrowser(target);
    const register = async (encode: NonNullable<Lies['encode']>) => {
      const options = await askRegistration(browser, 'newcomer');
      const registration = await createAuthenticator(target.origin).create(options, {
        attested: true,
        encode,
      });
      return outcome(await sendRegistration(browser, 'newcomer', registration));
    };
    expect(await register((r, s) => sequence(integer(r), integer(s)))).toEqual([200, null]);
    for (const encode of Object.values(encodings)) expect(await register(encode)).toEqual(refused);
  });
});

type Key = Map<number, Cbor>;
const bytesOf = (key: Key, label: number) => key.get(label) as Uint8Array;

/** A key of another type in COSE format (RFC 9053 section 7, RFC 8230 section 4). */
async function okp(alg: number): Promise<Key> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const { publicKey } = pair as { publicKey: CryptoKey };
  const x = new Uint8Array((await crypto.subtle.exportKey('raw', publicKey)) as ArrayBuffer);
  return new Map<number, Cbor>([
    [1, 1],
    [3, alg],
    [-1, 6],
    [-2, x],
  ]);
}

const rsa = (alg: number, modulusBytes = 256): Key =>
  new Map<number, Cbor>([
    [1, 3],
    [3, alg],
    [
      -1,
      crypto
        .getRandomValues(new Uint8Array(modulusBytes))
        .map((byte, at) => (at === 0 ? byte | 128 : byte | 1)),
    ],
    [-2, Uint8Array.of(1, 0, 1)],
  ]);

const keys: Record<string, (key: Key) => Key | Promise<Key>> = {
  'if it is an RSA key with the algorithm ES256': () => rsa(-7),
  'if it is an RSA key with the algorithm Ed25519': () => rsa(-8),
  'if it is an Ed25519 key with the algorithm ES256': () => okp(-7),
  'if it is an Ed25519 key with the algorithm RS256': () => okp(-257),
  'if it is an Ed25519 key that is too short': async () =>
    new Map([...(await okp(-8)), [-2, new Uint8Array(31)]]),
  'if it is an RS256 key without a modulus': () => rsa(-257, 0),
  'if it is an ES256 key with the algorithm Ed25519': (key) => new Map([...key, [3, -8]]),
  'if it is an ES256 key with the algorithm RS256': (key) => new Map([...key, [3, -257]]),
  'if it is an ES256 key on another curve': (key) => new Map([...key, [-1, 2]]),
  'if its point is off the curve': (key) => new Map([...key, [-3, bytesOf(key, -3).map((byte) => byte ^ 1)]]),
  'if its point is all zeros': (key) => new Map([...key, [-2, new Uint8Array(32)], [-3, new Uint8Array(32)]]),
  'if its coordinates are split at the wrong place': (key) => {
    const point = [...bytesOf(key, -2), ...bytesOf(key, -3)];
    return new Map([
      ...key,
      [-2, Uint8Array.from(point.slice(0, 31))],
      [-3, Uint8Array.from(point.slice(31))],
    ]);
  },
  'without y': (key) => new Map([...key].filter(([label]) => label !== -3)),
  'with a number for y': (key) => new Map([...key, [-3, 1]]),
  'without x': (key) => new Map([...key].filter(([label]) => label !== -2)),
  'without its type': (key) => new Map([...key].filter(([label]) => label !== 1)),
};

describe('the key of a passkey', () => {
  it.each([
    ['Ed25519', () => okp(-8)],
    ['RS256', () => rsa(-257)],
  ] as const)('may be an %s key', async (_, publicKey) => {
    const { browser } = await newMember(target);
    const options = await askRegistration(browser, 'member');
    const registration = await createAuthenticator(target.origin).create(options, { publicKey });
    expect(outcome(await sendRegistration(browser, 'member', registration))).toEqual([200, null]);
  });

  it.each(Object.entries(keys))('is rejected %s, before it becomes a credential', async (_, publicKey) => {
    for (const of of ['newcomer', 'member'] as const) {
      const { browser } = await newMember(target);
      const options = await askRegistration(browser, of);
      const registration = await createAuthenticator(target.origin).create(options, { publicKey });
      expect(outcome(await sendRegistration(browser, of, registration))).toEqual(refused);
      expect([await browser.cookie('pid_claim'), await listPasskeys(browser)]).toEqual([null, []]);
    }
  });
});
