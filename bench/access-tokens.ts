import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { decrypt, deriveKeys } from '../src/lib/secret.ts';
import { openFile } from './database.ts';
import type { Service } from './processes.ts';

/** An access token and the exact text that the session read must return for it. */
export interface ReadTarget {
  accessToken: string;
  body: string;
}

let minted = 0;

/**
 * Valid access tokens that no server has seen before: the samples' header and payload, signed again with a unique
 * `jti`. No cache can contain them.
 */
export function mintAccessTokens(signingKey: KeyObject, samples: ReadTarget[], count: number): ReadTarget[] {
  const parsed = samples.map(({ accessToken, body }) => {
    const [header = '', payload = ''] = accessToken.split('.');
    return { header, payload: parseJson(Buffer.from(payload, 'base64url').toString()), body };
  });
  return Array.from({ length: count }, (_, index) => {
    const sample = parsed[index % parsed.length];
    if (sample === undefined) throw new Error('Minting needs a sample token');
    minted += 1;
    const payload = JSON.stringify({ ...sample.payload, jti: `bench-${minted}` });
    const signed = `${sample.header}.${Buffer.from(payload).toString('base64url')}`;
    const signature = sign('sha256', Buffer.from(signed), { key: signingKey, dsaEncoding: 'ieee-p1363' });
    return { accessToken: `${signed}.${signature.toString('base64url')}`, body: sample.body };
  });
}

/** Decrypts the access token signing key of a Peridot on Bun, from its database and with its SECRET_KEY. */
export async function openSigningKey(service: Service): Promise<KeyObject> {
  const secretKey = new Uint8Array(Buffer.from(service.settings['SECRET_KEY'] ?? '', 'base64'));
  const database = openFile(service);
  try {
    const row = database
      .prepare("SELECT kid, private_enc FROM signing_keys WHERE alg = 'ES256' ORDER BY generation DESC")
      .get();
    const keys = deriveKeys([secretKey], 'signing-key');
    const jwk = await decrypt(keys, String(row?.['private_enc']), String(row?.['kid']));
    if (jwk === null) throw new Error(`The signing key of ${service.name} does not decrypt`);
    return createPrivateKey({ key: parseJson(jwk), format: 'jwk' });
  } finally {
    database.close();
  }
}

function parseJson(text: string): Record<string, unknown> {
  return JSON.parse(text);
}
