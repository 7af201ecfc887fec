import type { Examples } from './example.ts';

const createdAt = '2026-11-20T08:15:00.000Z';
const shop = {
  name: 'Corner Shop',
  type: 'web',
  redirectUris: ['https://shop.example.com/callback'],
  allowedOrigins: ['https://shop.example.com'],
  homepageUrl: 'https://shop.example.com/',
};
export const app = {
  id: '$app',
  ...shop,
  postLogoutRedirectUris: [],
  privacyUrl: null,
  logoUrl: null,
  scopes: ['openid', 'profile', 'email'],
  backchannelLogoutUri: null,
  idTokenAlg: 'RS256',
  pkce: 'required',
  deviceFlow: false,
  status: 'active',
  checked: false,
  firstParty: false,
  resources: [],
  createdAt,
  updatedAt: createdAt,
};
const resource = 'https://api.shop.example.com/';
const notFound = {
  title: 'Another person’s',
  as: 'member',
  params: { id: 'app_of_somebody_else' },
  answer: { error: 'app_not_found' },
} as const;
const stale = {
  title: 'After an old sign-in',
  as: 'member with an app who signed in an hour ago',
  params: { id: '$app' },
  answer: { error: 'not_fresh' },
} as const;

export const appExamples = {
  createApp: [
    {
      title: 'A web app',
      as: 'member',
      body: shop,
      answer: {
        status: 200,
        body: {
          ...app,
          secret: { id: '$secret', value: 'pids_mF3kX9vQ2sT7bYcL0hJ4nWzR8pUe5aGdKi6oN1tVr7Qg', hint: 'r7Qg' },
        },
      },
    },
    {
      title: 'Unsafe addresses',
      as: 'member',
      body: {
        name: 'Corner Shop',
        type: 'spa',
        redirectUris: ['http://shop.example.com/callback'],
        allowedOrigins: ['https://*.example.com'],
      },
      answer: {
        error: 'validation_failed',
        message: [
          'redirectUris.0 must be an https URL or a loopback URL',
          'allowedOrigins.0 must be an https or loopback origin',
        ],
      },
    },
    { title: 'Nobody', as: 'nobody', body: shop, answer: { error: 'unauthenticated' } },
  ],
  listApps: [
    {
      title: 'One app',
      as: 'member with an app',
      query: { limit: '20' },
      answer: { status: 200, body: { data: [app], nextCursor: null } },
    },
  ],
  getApp: [
    {
      title: 'An app',
      as: 'member with an app',
      params: { id: '$app' },
      answer: { status: 200, body: app },
    },
    notFound,
  ],
  updateApp: [
    {
      title: 'A new name',
      as: 'member with an app',
      params: { id: '$app' },
      body: { name: 'Corner Store' },
      answer: { status: 200, body: { ...app, name: 'Corner Store' } },
    },
    { ...notFound, body: { name: 'Mine' } },
  ],
  deleteApp: [
    { title: 'An app', as: 'member with an app', params: { id: '$app' }, answer: { status: 204 } },
    stale,
    notFound,
  ],
  rotateAppSecret: [
    {
      title: 'With an overlap of an hour',
      as: 'member with an app',
      params: { id: '$app' },
      body: { overlapSeconds: 3600 },
      answer: {
        status: 200,
        body: {
          id: '$secret',
          value: 'pids_mF3kX9vQ2sT7bYcL0hJ4nWzR8pUe5aGdKi6oN1tVr7Qg',
          hint: 'r7Qg',
          createdAt,
          previous: [{ id: '$secret', hint: 'r7Qg', expiresAt: '2026-11-20T09:15:00.000Z' }],
        },
      },
    },
    stale,
    notFound,
  ],
  listAppSecrets: [
    {
      title: 'One secret',
      as: 'member with an app',
      params: { id: '$app' },
      answer: {
        status: 200,
        body: { data: [{ id: '$secret', hint: 'r7Qg', createdAt, expiresAt: null }] },
      },
    },
    notFound,
  ],
  addResource: [
    {
      title: 'One that its origin proves',
      as: 'member with an app that proves a resource',
      params: { id: '$app' },
      body: { resource: '$resource' },
      answer: {
        status: 200,
        body: { ...app, resources: [{ resource: '$resource', clients: [], provenBy: 'file' }] },
      },
    },
    {
      title: 'One with a fragment',
      as: 'member with an app',
      params: { id: '$app' },
      body: { resource: 'https://api.shop.example.com/#a' },
      answer: {
        error: 'validation_failed',
        message: [
          'resource must be an https or loopback URL of another service, as browsers write it, without a fragment, quotation mark or backslash',
        ],
      },
    },
    { ...stale, body: { resource } },
    { ...notFound, body: { resource } },
  ],
  removeResource: [
    {
      title: 'One resource',
      as: 'member with an app',
      params: { id: '$app' },
      query: { resource },
      answer: { status: 204 },
    },
    { ...notFound, query: { resource } },
  ],
  revokeAppSecret: [
    {
      title: 'One of two',
      as: 'member whose app has two secrets',
      params: { id: '$app', secretId: '$secret' },
      answer: { status: 204 },
    },
    {
      title: 'The only one',
      as: 'member with an app',
      params: { id: '$app', secretId: '$secret' },
      answer: { error: 'only_secret' },
    },
    {
      title: 'One that the app does not have',
      as: 'member with an app',
      params: { id: '$app', secretId: 'sec_of_another_app' },
      answer: { error: 'secret_not_found' },
    },
    { ...stale, params: { id: '$app', secretId: '$secret' } },
    { ...notFound, params: { id: 'app_of_somebody_else', secretId: '$secret' } },
  ],
} satisfies Examples;
