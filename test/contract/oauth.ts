import type { Examples } from './example.ts';

const query = {
  response_type: 'code',
  client_id: '$app',
  redirect_uri: 'https://shop.example.com/callback',
  scope: 'openid profile',
  state: '0Xq3mT9sB4vZkY7nRw2pLg',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};
const body = {
  clientId: '$app',
  redirectUri: 'https://shop.example.com/callback',
  responseType: 'code',
  scope: 'openid profile',
  state: '0Xq3mT9sB4vZkY7nRw2pLg',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  codeChallengeMethod: 'S256',
};
const page = { 'Sec-Fetch-Site': 'same-origin' };
const asked = { as: 'member with an app', headers: page } as const;

export const oauthExamples = {
  showAuthorize: [
    {
      title: 'Somebody who has not allowed the app yet',
      as: 'member with an app',
      query,
      answer: { status: 200 },
    },
    {
      title: 'Refused by the app’s own settings',
      as: 'member with an app',
      query: { ...query, scope: 'email' },
      answer: { status: 302 },
    },
    { title: 'Nobody', as: 'nobody who comes from an app', query, answer: { status: 302 } },
    {
      title: 'Another redirect URI',
      as: 'member with an app',
      query: { ...query, redirect_uri: 'https://shop.example.com/elsewhere' },
      answer: { error: 'redirect_uri_unknown' },
    },
    {
      title: 'No app',
      as: 'nobody',
      query: { ...query, client_id: '' },
      answer: { error: 'validation_failed', message: ['client_id must be given once'] },
    },
    {
      title: 'An unknown app',
      as: 'nobody',
      query: { ...query, client_id: 'app_of_nobody' },
      answer: { error: 'app_not_found' },
    },
    {
      title: 'A request that no longer waits',
      as: 'nobody',
      query: { continue: '0123abcd' },
      answer: { error: 'authorize_gone' },
    },
  ],
  authorize: [
    {
      title: 'What to ask',
      ...asked,
      body,
      answer: {
        status: 200,
        body: {
          consentRequired: true,
          app: { id: '$app', name: 'Corner Shop', origin: 'https://shop.example.com' },
          scopes: ['openid', 'profile'],
          proof: 'r7QgmF3kX9vQ2sT7bYcL0h',
        },
      },
    },
    {
      title: 'Deny',
      ...asked,
      body: { ...body, decision: 'deny' },
      answer: {
        status: 200,
        body: {
          redirectTo:
            'https://shop.example.com/callback?error=access_denied&iss=https%3A%2F%2Fid.example.com',
        },
      },
    },
    {
      title: 'Allow what nobody was shown',
      ...asked,
      body: { ...body, decision: 'allow', proof: 'r7QgmF3kX9vQ2sT7bYcL0h' },
      answer: { error: 'authorize_altered' },
    },
    {
      title: 'A scope that the app may not ask for',
      ...asked,
      body: { ...body, scope: 'openid email' },
      answer: {
        error: 'validation_failed',
        message: ['the app may ask for these scopes only: openid profile'],
        oauth: 'invalid_scope',
      },
    },
    {
      title: 'Another redirect URI',
      ...asked,
      body: { ...body, redirectUri: 'https://shop.example.com/elsewhere' },
      answer: { error: 'redirect_uri_unknown' },
    },
    {
      title: 'An unknown app',
      ...asked,
      body: { ...body, clientId: 'app_of_nobody' },
      answer: { error: 'app_not_found' },
    },
    {
      title: 'From another origin',
      as: 'member with an app',
      headers: { Origin: 'http://localhost:5173' },
      body,
      answer: { error: 'origin_not_allowed' },
    },
    { title: 'Nobody', as: 'nobody', headers: page, body, answer: { error: 'unauthenticated' } },
  ],
} as const satisfies Examples;
