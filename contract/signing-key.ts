import * as z from 'zod/mini';
import { signingKeyEndpoints } from '../src/features/signing-key/endpoints.ts';
import { signingKeyExamples } from './examples/signing-key.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

const common = { kid: z.string(), use: z.literal('sig') };
const publicKey = z.discriminatedUnion('kty', [
  z.object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    alg: z.literal('ES256'),
    ...common,
  }),
  z.object({ kty: z.literal('RSA'), n: z.string(), e: z.string(), alg: z.literal('RS256'), ...common }),
]);
const keySet = z.object({ keys: z.array(publicKey) });

export const signingKeyApi: FeatureApi = {
  tag: 'Keys',
  description: 'For verifying `pid_access` and ID tokens outside the service.',
  examples: signingKeyExamples,
  schemas: { PublicKey: publicKey, KeySet: keySet },
  operations: operationsOf(signingKeyEndpoints, {
    getKeys: {
      summary: 'The public keys (JWK Set, RFC 7517)',
      description:
        '`pid_access` is an ES256 JWT whose `kid` is one of these; `typ` is `JWT`, `iss` and `aud` are the address of ' +
        'this service, `sub` is the PID and `sid` the session. ID tokens of apps are signed with RS256, unless the app ' +
        'chose ES256.',
      answers: [
        answer(200, 'Every key that may have signed a valid token.', {
          schema: keySet,
          cacheControl: 'public, max-age=300',
        }),
      ],
      errors: ['unavailable'],
    },
  }),
};
