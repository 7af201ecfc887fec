import { type ProviderId, providerIds } from '../../src/lib/credential-kinds.ts';
import type { Example, Examples } from './example.ts';

const starts = (provider: ProviderId): Example[] => [
  { title: 'A browser', as: 'nobody', answer: { status: 302 } },
  {
    title: 'With a return path',
    as: 'nobody',
    query: { returnTo: '/settings' },
    answer: { status: 302 },
  },
  {
    title: 'A member who links an account',
    as: `member who began to link ${provider}`,
    query: { link: '$link' },
    answer: { status: 302 },
  },
  {
    title: 'A link that was not started here',
    as: 'member',
    query: { link: '$link' },
    answer: { error: 'state_invalid' },
  },
  {
    title: 'A browser that prefetches',
    as: 'nobody',
    headers: { 'Sec-Purpose': 'prefetch' },
    answer: { error: 'prefetch_refused' },
  },
];

const finishes = (provider: ProviderId): Example[] => {
  const iss = provider === 'google' ? { iss: '$iss' } : {};
  return [
    {
      title: 'A newcomer',
      as: `newcomer who returned from ${provider}`,
      query: { state: '$state', code: '$code', ...iss },
      answer: { status: 302 },
    },
    {
      title: 'A person with a PID',
      as: `member who returned from ${provider}`,
      query: { state: '$state', code: '$code', ...iss },
      answer: { status: 302 },
    },
    {
      title: 'A member who links an account',
      as: `member who comes back to link ${provider}`,
      query: { state: '$state', code: '$code', ...iss },
      answer: { status: 302 },
    },
    {
      title: 'The person declined',
      as: `newcomer who returned from ${provider}`,
      query: { state: '$state', error: 'access_denied' },
      answer: { error: 'sign_in_cancelled' },
    },
    {
      title: 'A sign-in from another browser',
      as: 'nobody',
      query: { state: '$state', code: '$code' },
      answer: { error: 'state_invalid' },
    },
  ];
};

export const idpExamples = {
  getSignInUrl: [
    { title: 'Without a body', as: 'nobody', answer: { status: 200, body: { url: '/v1/auth/idp' } } },
    {
      title: 'With a return path',
      as: 'nobody',
      body: { provider: 'idp', returnTo: '/settings' },
      answer: { status: 200, body: { url: '/v1/auth/idp?returnTo=%2Fsettings' } },
    },
    {
      title: 'A path to another site',
      as: 'nobody',
      body: { returnTo: '//evil.example' },
      answer: {
        error: 'validation_failed',
        message: ['returnTo must be a path such as /settings, or an address on an allowed origin'],
      },
    },
    {
      title: 'From a page of another site',
      as: 'nobody',
      headers: { Origin: 'https://evil.example' },
      answer: { error: 'origin_not_allowed' },
    },
  ],
  listProviders: [
    {
      title: 'Two of three',
      as: 'nobody',
      answer: {
        status: 200,
        body: {
          data: [
            { id: 'idp', name: 'Example ID', kind: 'oidc', configured: true },
            { id: 'google', name: null, kind: 'oidc', configured: false },
            { id: 'github', name: 'GitHub', kind: 'oauth2', configured: true },
          ],
        },
      },
    },
  ],
  getLinkUrl: [
    {
      title: 'A Google account',
      as: 'member',
      body: { provider: 'google', returnTo: '/settings' },
      answer: { status: 200, body: { url: '/v1/auth/google?link=$link' } },
    },
    {
      title: 'An unknown provider',
      as: 'member',
      body: { provider: 'gitlab' },
      answer: { error: 'validation_failed', message: ['provider must be idp, google or github'] },
    },
    {
      title: 'Signed in an hour ago',
      as: 'member who signed in an hour ago',
      body: { provider: 'google' },
      answer: { error: 'not_fresh' },
    },
  ],
  ...Object.fromEntries(
    providerIds.flatMap((id) => {
      const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
      return [
        [`start${name}SignIn`, starts(id)],
        [`finish${name}SignIn`, finishes(id)],
      ];
    }),
  ),
} satisfies Examples;
