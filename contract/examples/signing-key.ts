import type { Examples } from './example.ts';

export const signingKeyExamples = {
  getKeys: [
    {
      title: 'One key',
      as: 'nobody',
      answer: {
        status: 200,
        body: {
          keys: [
            {
              kty: 'EC',
              crv: 'P-256',
              x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
              y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
              kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
              alg: 'ES256',
              use: 'sig',
            },
          ],
        },
      },
    },
  ],
} satisfies Examples;
