import { appEndpoints } from '../src/features/app/endpoints.ts';
import * as schemas from '../src/features/app/schema.ts';
import { appExamples } from './examples/app.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

const id = { description: "The app's id.", example: '$app' };
const fresh = 'Needs a sign-in less than 15 minutes old (FRESH_SECONDS).';

export const appApi: FeatureApi = {
  tag: 'Apps',
  description: "Apps registered by developers. Another developer's app returns 404.",
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
        'Redirect URIs and origins are https, or http to this machine; a native app may also redirect to a ' +
        'private-use scheme with a dot. A logo is fetched once, from a public https URL (`logoUrl`) that ' +
        'responds without a redirect: a PNG of at most 1,024 by 1,024 pixels and 64 kB. The logo and the links ' +
        'to `homepageUrl` and `privacyUrl` are shown once the app is `checked` and a week old. Logout tokens are ' +
        'sent to `backchannelLogoutUri`, a public https URL. Only web apps have a secret, which no later ' +
        'response contains. An identity may have 50 apps.',
      answers: [answer(200, 'The app and its first secret.', { schema: schemas.newApp })],
      errors: ['too_many_apps'],
    },
    listApps: {
      summary: "List the person's apps, newest first",
      answers: [answer(200, 'One page.', { schema: schemas.appPage })],
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
        'Absent fields stay unchanged. A given `logoUrl` is fetched again, which counts as a registration. An ' +
        "app's type never changes. Changes of redirect URIs (including post-logout ones), origins, the logout address, `pkce` or `deviceFlow` need a " +
        'sign-in less than 15 minutes old (FRESH_SECONDS) and are reported to the owner by email. `checked` and ' +
        '`firstParty`, which administrators set, are cleared by a new name, homepage, privacy policy, logo, ' +
        'redirect URI, logout address or origin. A suspended app can only be read and deleted.',
      params: { id },
      answers: [answer(200, 'The current state of the app.', { schema: schemas.app })],
      errors: ['app_not_found', 'app_suspended', 'not_fresh'],
    },
    deleteApp: {
      summary: 'Delete an app permanently',
      description: `${fresh} Its secrets and origins are deleted with it. Safe to repeat.`,
      params: { id },
      answers: [answer(204, 'Deleted.')],
      errors: ['app_not_found', 'not_fresh', 'app_balance'],
    },
    rotateAppSecret: {
      summary: 'Replace the secret of a web app',
      description:
        `${fresh} The previous secrets stay valid for the overlap, a day by default. The owner is notified by ` +
        'email.',
      params: { id },
      bodyOptional: true,
      answers: [answer(200, 'The new secret, shown once.', { schema: schemas.newSecret })],
      errors: ['app_not_found', 'app_suspended', 'not_fresh', 'too_many_secrets'],
    },
    listAppSecrets: {
      summary: 'List the valid secrets, without their values',
      params: { id },
      answers: [answer(200, 'Newest first.', { schema: schemas.secretList })],
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
        `${fresh} \`/.well-known/pid-resource\` at the resource's origin must return 200 with JSON: \`owner\`, ` +
        "this app's id, and optionally `clients`, the ids of at most 50 other apps that may request the " +
        'resource. The response must come from a public address, without a redirect, within 5 seconds and 10,000 ' +
        'bytes. The file is read again daily; repeat the request to apply a change of `clients` immediately. ' +
        'An app may own 10 resources. The owner is notified by email.',
      params: { id },
      answers: [answer(200, 'The current state of the app.', { schema: schemas.app })],
      errors: ['app_not_found', 'app_suspended', 'not_fresh', 'resource_taken', 'too_many_resources'],
    },
    removeResource: {
      summary: 'Remove a resource of an app',
      description: `${fresh} No more tokens are issued for it. Safe to repeat.`,
      params: { id },
      answers: [answer(204, 'Removed.')],
      errors: ['app_not_found', 'app_suspended', 'not_fresh'],
    },
  }),
};
