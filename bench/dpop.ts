import { Connection, postRequest } from './load.ts';
import type { TokenEndpoint } from './oauth.ts';

const form = 'application/x-www-form-urlencoded';
/** More than a round sends. */
const proofsPerSecond = 8_000;

/**
 * A token endpoint whose client sends DPoP proofs (ES256). They are made before a round, because a signature costs the
 * client about as much as the rest of its request.
 */
export async function withProofs(endpoint: TokenEndpoint): Promise<TokenEndpoint> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } });
  const htu = `http://127.0.0.1:${endpoint.port}${endpoint.path}`;
  let made = 0;
  const sign = async (nonce?: string) => {
    made += 1;
    const claims = { jti: `proof ${made}`, htm: 'POST', htu, iat: Math.floor(Date.now() / 1000), nonce };
    const text = `${header}.${encode(claims)}`;
    const signature = await crypto.subtle.sign(algorithm, privateKey, Buffer.from(text));
    return `${text}.${Buffer.from(signature).toString('base64url')}`;
  };
  let proofs: string[] = [];
  return {
    ...endpoint,
    async prepare(seconds) {
      const nonce = await nonceOf(endpoint, await sign());
      proofs = await Promise.all(Array.from({ length: proofsPerSecond * seconds }, () => sign(nonce)));
    },
    proof: () => proofs.pop(),
  };
}

async function nonceOf({ port, path, authorization }: TokenEndpoint, proof: string): Promise<string> {
  const connection = await Connection.open(port);
  const headers = `Authorization: ${authorization}\r\nDPoP: ${proof}\r\n`;
  const { head } = await connection.exchange(postRequest(path, '', form, 'grant_type=none', headers));
  connection.close();
  return /\r\ndpop-nonce: ([\w-]+)/i.exec(head)?.[1] ?? '';
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
