import type { FeatureApi } from '../../http/operation.ts';
import { appEndpoints } from './endpoints.ts';
import {
  app,
  appChanges,
  appInput,
  appPage,
  newApp,
  newSecret,
  rotationInput,
  secretList,
} from './schema.ts';

const id = { description: "The app's id.", example: '$app' };
const fresh = 'Needs a sign-in younger than 15 minutes (FRESH_SECONDS).';

export const appApi: FeatureApi = {
  tag: 'Apps',
  description: 'What developers register. An app of somebody else is 404.',
  schemas: {
    App: app,
    AppInput: appInput,
    AppChanges: appChanges,
    AppPage: appPage,
    NewApp: newApp,
    SecretRotation: rotationInput,
    NewSecret: newSecret,
    SecretList: secretList,
  },
  operations: [
    {
      endpoint: appEndpoints.createApp,
      id: 'createApp',
      summary: 'Register an app',
      description:
        'Redirect URIs and origins are https, or http to this machine; a native app may also redirect to a private-use ' +
        'scheme with a dot. Only a web app has a secret, which no later answer shows. An identity may have 50 apps.',
      answers: [{ status: 200, description: 'The app and its first secret.', schema: newApp }],
      errors: ['too_many_apps'],
    },
    {
      endpoint: appEndpoints.listApps,
      id: 'listApps',
      summary: "The person's apps, the newest first",
      answers: [{ status: 200, description: 'One page of them.', schema: appPage }],
    },
    {
      endpoint: appEndpoints.getApp,
      id: 'getApp',
      summary: 'One app',
      params: { id },
      answers: [{ status: 200, description: 'The app.', schema: app }],
      errors: ['app_not_found'],
    },
    {
      endpoint: appEndpoints.updateApp,
      id: 'updateApp',
      summary: 'Change an app',
      description: 'What is absent stays as it is. The type of an app never changes.',
      params: { id },
      answers: [{ status: 200, description: 'The app as it is now.', schema: app }],
      errors: ['app_not_found'],
    },
    {
      endpoint: appEndpoints.deleteApp,
      id: 'deleteApp',
      summary: 'Delete an app for good',
      description: `${fresh} Its secrets and origins end with it. Safe to repeat.`,
      params: { id },
      answers: [{ status: 204, description: 'Deleted.' }],
      errors: ['app_not_found', 'not_fresh'],
    },
    {
      endpoint: appEndpoints.rotateSecret,
      id: 'rotateAppSecret',
      summary: 'Replace the secret of a web app',
      description: `${fresh} The former secrets stay good for the overlap, a day by default. The owner gets a mail.`,
      params: { id },
      bodyOptional: true,
      answers: [{ status: 200, description: 'The new secret, shown once.', schema: newSecret }],
      errors: ['app_not_found', 'not_fresh'],
    },
    {
      endpoint: appEndpoints.listSecrets,
      id: 'listAppSecrets',
      summary: 'The secrets that are still good, without their values',
      params: { id },
      answers: [{ status: 200, description: 'The newest first.', schema: secretList }],
      errors: ['app_not_found'],
    },
    {
      endpoint: appEndpoints.revokeSecret,
      id: 'revokeAppSecret',
      summary: 'End a secret at once',
      description: `${fresh} The only secret needs \`force=true\`. One that has ended already is no error.`,
      params: { id, secretId: { description: "The secret's id.", example: '$secret' } },
      answers: [{ status: 204, description: 'Revoked.' }],
      errors: ['app_not_found', 'not_fresh', 'secret_not_found', 'only_secret'],
    },
  ],
};
