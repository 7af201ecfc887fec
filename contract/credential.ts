import * as z from 'zod/mini';
import { credentialEndpoints } from '../src/features/credential/endpoints.ts';
import { credential, credentialNameInput } from '../src/features/credential/schema.ts';
import { credentialExamples } from './examples/credential.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

const credentialList = z.array(credential);

export const credentialApi: FeatureApi = {
  tag: 'Credentials',
  description:
    "The person's sign-in methods. All kinds are treated alike, and the last one cannot be removed.",
  examples: credentialExamples,
  schemas: { Credential: credential, CredentialList: credentialList, CredentialName: credentialNameInput },
  operations: operationsOf(credentialEndpoints, {
    listCredentials: {
      summary: 'List all credentials, oldest first',
      answers: [answer(200, 'A plain array.', { schema: credentialList })],
    },
    renamePasskey: {
      summary: 'Rename a passkey',
      description: 'Other kinds of credential are named after their provider.',
      params: { id: { description: "The passkey's id.", example: '$credential' } },
      answers: [answer(200, 'The passkey with its new name.', { schema: credential })],
      errors: ['credential_not_found'],
    },
    unlinkCredential: {
      summary: 'Unlink a credential',
      description:
        'Needs a sign-in less than 15 minutes old (FRESH_SECONDS). The sessions that the credential started are ' +
        'revoked; the identity and its wallet stay unchanged.',
      params: { id: { description: "The credential's id.", example: '$credential' } },
      answers: [answer(204, 'Unlinked.')],
      errors: ['last_credential', 'not_fresh', 'credential_not_found'],
    },
  }),
};
