import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** The service's own hash cost. */
const options = { N: 2 ** 14, r: 8, p: 5 };

function derive(password: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

export async function hashOf(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `${salt.toString('hex')}:${(await derive(password, salt)).toString('hex')}`;
}

export async function verifyHash(password: string, hash: string): Promise<boolean> {
  const [salt = '', key = ''] = hash.split(':');
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'hex')), Buffer.from(key, 'hex'));
}

const password = 'one of many passwords';
let stored: Promise<string> | undefined;

/** Verifies a password against a precomputed hash. */
export async function verifyOne(): Promise<void> {
  stored ??= hashOf(password);
  await verifyHash(password, await stored);
}

/**
 * Answers `/run?count=&atOnce=` after this many passwords were verified, this many in parallel: only the hash. The
 * caller measures the time, because clocks on Workers stand still during computation.
 */
export async function answer(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname !== '/run') return new Response('ok');
  let left = Number(searchParams.get('count'));
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await verifyOne();
    }
  };
  await Promise.all(Array.from({ length: Number(searchParams.get('atOnce')) }, lane));
  return new Response('done');
}
