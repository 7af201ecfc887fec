import { appEndpoints } from '../src/features/app/endpoints.ts';
import * as schemas from '../src/features/app/schema.ts';
import { appExamples } from './examples/app.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

const id = { description: "The app's id.", example: '$app' };
const fresh = 'Needs a sign-in younger than 15 minutes (FRESH_SECONDS).';

export const appApi: FeatureApi = {
  tag: 'Apps',
  description: 'What developers register. Another developer’s app returns 404.',
  examples: appExamples,
  schemas: {
    App: schemas.app,
    AppInput: schemas.appInput,
    AppChanges: schemas.appChanges,
    AppPage: schemas.appPage,
    NewApp: schemas.newApp,
    SecretRotation: schemas.rotationInput,
    NewSecret: schemas.newSecret,
    SecretList: schemas.secretList,
    ResourceInput: schemas.resourceInput,
  },
  operations: operationsOf(appEndpoints, {
    createApp: {
      summary: 'Register an app',
      description:
        'Redirect URIs and origins are https, or http to this machine; a native app may also redirect to a private-use ' +
        'scheme with a dot. A logo is fetched once, from a public https URL (`logoUrl`) that answers without a redirect: a PNG of ' +
        'at most 1,024 by 1,024 pixels and 64 kB. People see it, and the links to `homepageUrl` and `privacyUrl`, once the app is `checked` and a week old. Logout tokens go to `backchannelLogoutUri`, a public https URL. Only a web app has a secret, which no later answer shows. An identity may have 50 apps.',
      answers: [answer(200, 'The app and its first secret.', { schema: schemas.newApp })],
      errors: ['too_many_apps'],
    },
    listApps: {
      summary: "The person's apps, the newest first",
      answers: [answer(200, 'One page of them.', { schema: schemas.appPage })],
    },
    getApp: {
      summary: 'Get an app',
      params: { id },
      answers: [answer(200, 'The app.', { schema: schemas.app })],
      errors: ['app_not_found'],
    },
    updateApp: {
      summary: 'Change an app',
      description:
        'What is absent stays as it is. A given `logoUrl` is fetched again, which counts as a registration. The type of an app never changes. Other redirect URIs, origins, another logout address or another `pkce` need a ' +
        'sign-in younger than 15 minutes (FRESH_SECONDS); the owner gets a mail. `checked` and `firstParty`, which administrators set, end ' +
        'with another name, homepage, privacy policy, logo, redirect URI or logout address, and with a new origin. A suspended app can only be read and deleted.',
      params: { id },
      answers: [answer(200, 'The app as it is now.', { schema: schemas.app })],
      errors: ['app_not_found', 'app_suspended', 'not_fresh'],
    },
    deleteApp: {
      summary: 'Delete an app permanently',
      description: `${fresh} Its secrets and origins end with it. Safe to repeat.`,
      params: { id },
      answers: [answer(204, 'Deleted.')],
      errors: ['app_not_found', 'not_fresh', 'app_balance'],
    },
    rotateAppSecret: {
      summary: 'Replace the secret of a web app',
      description: `${fresh} The former secrets stay good for the overlap, a day by default. The owner gets a mail.`,
      params: { id },
      bodyOptional: true,
      answers: [answer(200, 'The new secret, shown once.', { schema: schemas.newSecret })],
      errors: ['app_not_found', 'app_suspended', 'not_fresh', 'too_many_secrets'],
    },
    listAppSecrets: {
      summary: 'List the valid secrets, without their values',
      params: { id },
      answers: [answer(200, 'The newest first.', { schema: schemas.secretList })],
      errors: ['app_not_found'],
    },
    revokeAppSecret: {
      summary: 'Revoke a secret immediately',
      description: `${fresh} The only secret needs \`force=true\`. Revoking it again is not an error.`,
      params: { id, secretId: { description: "The secret's id.", example: '$secret' } },
      answers: [answer(204, 'Revoked.')],
      errors: ['app_not_found', 'app_suspended', 'not_fresh', 'secret_not_found', 'only_secret'],
    },
    addResource: {
      summary: 'Register a resource as an audience of access tokens',
      description:
        `${fresh} \`/.well-known/pid-resource\` at the origin of the resource must answer 200 with JSON: \`owner\`, the id of ` +
        'this app, and optionally `clients`, the ids of at most 50 other apps that may name the resource. Without a redirect, within ' +
        '5 seconds and 10,000 bytes, from a public address. The file is read again daily; send it again to have a change of `clients` count at once. An app may own 10. The owner gets a mail.',
      params: { id },
      answers: [answer(200, 'The app as it is now.', { schema: schemas.app })],
      errors: ['app_not_found', 'app_suspended', 'not_fresh', 'resource_taken', 'too_many_resources'],
    },
    removeResource: {
      summary: 'Remove a resource of an app',
      description: `${fresh} No token is made for it any more, whoever asks. Safe to repeat.`,
      params: { id },
      answers: [answer(204, 'Removed.')],
      errors: ['app_not_found', 'app_suspended', 'not_fresh'],
    },
  }),
};
