import type { LoginOptions, RegistrationOptions } from '../../src/features/passkey/schema.ts';
import { toBase64url, utf8 } from '../../src/lib/encoding.ts';

/** Deviations from the response of an honest browser and authenticator. */
export interface Lies {
  readonly origin?: string;
  readonly crossOrigin?: boolean;
  readonly type?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly present?: boolean;
  readonly verified?: boolean;
  readonly backedUp?: boolean;
  readonly signCount?: number;
  readonly userHandle?: string | null;
  /** Signs other data. */
  readonly bogus?: boolean;
  /** An attestation statement that contains a certificate. */
  readonly certificate?: boolean;
  /** Signs the attestation with the key itself. */
  readonly attested?: boolean;
  /**
   * Writes a signature in an encoding other than DER. Both numbers start with a zero byte, which makes them positive.
   */
  readonly encode?: (r: number[], s: number[]) => number[];
  /** Shows another public key. */
  readonly publicKey?: (key: Map<number, Cbor>) => Map<number, Cbor> | Promise<Map<number, Cbor>>;
}

interface KeyPair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

export interface Passkey {
  readonly id: string;
  readonly userId: string;
  readonly keys: KeyPair;
  signCount: number;
}

export type Cbor = number | string | Uint8Array | Cbor[] | Map<number | string, Cbor>;

/** A CBOR item's first bytes (RFC 8949 section 3): its major type and a number. */
function head(major: number, value: number): number[] {
  if (value < 24) return [(major << 5) | value];
  if (value < 256) return [(major << 5) | 24, value];
  return [(major << 5) | 25, value >> 8, value & 255];
}

function cbor(item: Cbor): number[] {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item);
  if (typeof item === 'string') return [...head(3, item.length), ...utf8(item)];
  if (item instanceof Uint8Array) return [...head(2, item.length), ...item];
  if (Array.isArray(item)) return [...head(4, item.length), ...item.flatMap(cbor)];
  return [...head(5, item.size), ...[...item].flatMap(([key, value]) => [...cbor(key), ...cbor(value)])];
}

/** An ECDSA signature as written by authenticators: two DER integers instead of WebCrypto's two halves. */
function der(signature: Uint8Array): Uint8Array {
  const integer = (half: Uint8Array) => {
    const first = half.findIndex((byte) => byte !== 0);
    const bytes = [...half.subarray(first)];
    if ((bytes[0] ?? 0) > 127) bytes.unshift(0);
    return [2, bytes.length, ...bytes];
  };
  const both = [...integer(signature.subarray(0, 32)), ...integer(signature.subarray(32))];
  return Uint8Array.from([0x30, both.length, ...both]);
}

/** Signs like an authenticator. With `encode` it repeats until both halves start with a one bit. */
async function sign(key: CryptoKey, data: Uint8Array<ArrayBuffer>, { encode }: Lies): Promise<Uint8Array> {
  for (;;) {
    const halves = new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, data));
    if (!encode) return der(halves);
    const [r, s] = [halves.subarray(0, 32), halves.subarray(32)];
    if ((r[0] ?? 0) > 127 && (s[0] ?? 0) > 127) return Uint8Array.from(encode([0, ...r], [0, ...s]));
  }
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/**
 * A browser with a software authenticator: P-256 keys and WebAuthn JSON responses. It needs no user and checks nothing,
 * so that it can send the service any false response.
 */
export function createAuthenticator(origin: string) {
  const passkeys: Passkey[] = [];

  function clientData(type: string, challenge: string, lies: Lies): Uint8Array<ArrayBuffer> {
    const data = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? origin,
    };
    return utf8(JSON.stringify({ ...data, crossOrigin: lies.crossOrigin ?? false }));
  }

  async function authenticatorData(rpId: string, signCount: number, lies: Lies, attested: number[] = []) {
    const { present = true, verified = true, backedUp = false } = lies;
    const flags =
      Number(present) | (Number(verified) << 2) | (backedUp ? 0x18 : 0) | (attested.length ? 0x40 : 0);
    const count = lies.signCount ?? signCount;
    const counter = [count >>> 24, (count >>> 16) & 255, (count >>> 8) & 255, count & 255];
    return Uint8Array.from([...(await sha256(utf8(lies.rpId ?? rpId))), flags, ...counter, ...attested]);
  }

  /** `navigator.credentials.create`. */
  async function create(options: RegistrationOptions, lies: Lies = {}) {
    const keys = (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ])) as KeyPair;
    const point = new Uint8Array((await crypto.subtle.exportKey('raw', keys.publicKey)) as ArrayBuffer);
    const publicKey = new Map<number, Cbor>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, point.subarray(1, 33)],
      [-3, point.subarray(33)],
    ]);
    const id = crypto.getRandomValues(new Uint8Array(16));
    const passkey: Passkey = { id: toBase64url(id), userId: options.user.id, keys, signCount: 0 };
    passkeys.push(passkey);
    const shownKey = (await lies.publicKey?.(publicKey)) ?? publicKey;
    const attested = [...new Uint8Array(16), 0, id.length, ...id, ...cbor(shownKey)];
    const authData = await authenticatorData(options.rp.id, passkey.signCount, lies, attested);
    const client = clientData('webauthn.create', options.challenge, lies);
    const signed = Uint8Array.from([...authData, ...(await sha256(client))]);
    const statement: [string, Cbor][] = [];
    if (lies.certificate) statement.push(['alg', -7], ['sig', id], ['x5c', [id]]);
    if (lies.attested) statement.push(['alg', -7], ['sig', await sign(keys.privateKey, signed, lies)]);
    const attestation = new Map<string, Cbor>([
      ['fmt', statement.length > 0 ? 'packed' : 'none'],
      ['attStmt', new Map(statement)],
      ['authData', authData],
    ]);
    return {
      id: passkey.id,
      rawId: passkey.id,
      type: 'public-key' as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: toBase64url(client),
        attestationObject: toBase64url(Uint8Array.from(cbor(attestation))),
        transports: ['internal'],
      },
    };
  }

  /** `navigator.credentials.get`, with the newest passkey unless another is given. */
  async function get(options: LoginOptions, lies: Lies = {}, passkey = passkeys.at(-1)) {
    if (!passkey) throw new Error('this authenticator has no passkey');
    const data = await authenticatorData(options.rpId, passkey.signCount, lies);
    const client = clientData('webauthn.get', options.challenge, lies);
    const signed = Uint8Array.from([...data, ...(await sha256(client)), ...(lies.bogus ? [1] : [])]);
    const signature = await sign(passkey.keys.privateKey, signed, lies);
    const userHandle = lies.userHandle === undefined ? passkey.userId : lies.userHandle;
    return {
      id: passkey.id,
      rawId: passkey.id,
      type: 'public-key' as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: toBase64url(client),
        authenticatorData: toBase64url(data),
        signature: toBase64url(signature),
        userHandle,
      },
    };
  }

  return { create, get, passkeys };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;
