import * as z from 'zod/mini';
import { answer, type FeatureApi, operationsOf } from '../../http/operation.ts';
import { signingKeyEndpoints } from './endpoints.ts';

const publicKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
});
const keySet = z.object({ keys: z.array(publicKey) });

export const signingKeyApi: FeatureApi = {
  tag: 'Keys',
  description: 'What verifies `pid_access` outside the service.',
  schemas: { PublicKey: publicKey, KeySet: keySet },
  operations: operationsOf(signingKeyEndpoints, {
    getKeys: {
      summary: 'The public keys (JWK Set, RFC 7517)',
      description:
        'A token of ours is an ES256 JWT whose `kid` is one of these; `iss` and `aud` are the address of this ' +
        'service, `sub` is the PID and `sid` the session.',
      answers: [
        answer(200, 'Every key that a valid token may be signed with.', {
          schema: keySet,
          cacheControl: 'public, max-age=300',
        }),
      ],
      errors: ['unavailable'],
    },
  }),
};
