import { generateKeyPairSync, sign as signWith } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifierOf } from '../../src/lib/verifier.ts';

type Kind = 'ES256' | 'Ed25519';

function signer(kind: Kind) {
  const { privateKey, publicKey } =
    kind === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const verify = verifierOf(
    kind === 'ES256' ? { crv: 'P-256', kty: 'EC', x, y } : { crv: 'Ed25519', kty: 'OKP', x },
  );
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  const sign = (text: Uint8Array) => new Uint8Array(signWith(kind === 'ES256' ? 'sha256' : null, text, key));
  return { verify, sign };
}

describe('the verifier of a key', () => {
  it('accepts signatures whose numbers have leading zeros or a first bit of 1', () => {
    const { verify, sign } = signer('ES256');
    const wanted = new Set(['r zero', 'r high', 's zero', 's high']);
    for (let count = 0; wanted.size > 0; count += 1) {
      const text = new TextEncoder().encode(`message ${count}`);
      const signature = sign(text);
      expect(verify(signature, text)).toBe(true);
      for (const [name, byte = 1] of [['r', signature[0]] as const, ['s', signature[32]] as const]) {
        if (byte === 0) wanted.delete(`${name} zero`);
        if (byte > 0x7f) wanted.delete(`${name} high`);
      }
    }
  });

  it('rejects every other signature, and never throws', () => {
    for (const kind of ['ES256', 'Ed25519'] as const) {
      const { verify, sign } = signer(kind);
      const text = new TextEncoder().encode('message');
      const signature = sign(text);
      expect(verify(signature, text)).toBe(true);
      const altered = Array.from({ length: 64 }, (_, at) => signature.with(at, (signature[at] ?? 0) ^ 1));
      const others = [
        altered,
        new Uint8Array(64),
        new Uint8Array(64).fill(255),
        signature.subarray(1),
      ].flat();
      for (const other of [...others, new Uint8Array([...signature, 0]), new Uint8Array()])
        expect(verify(other, text)).toBe(false);
      expect(verify(signature, text.subarray(1))).toBe(false);
    }
  });

  it('is created only for a point on the curve', () => {
    const [x, y] = ['A'.repeat(43), `${'B'.repeat(42)}A`];
    expect(() => verifierOf({ crv: 'P-256', kty: 'EC', x, y })).toThrow();
  });
});
