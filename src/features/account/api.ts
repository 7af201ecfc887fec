import type { FeatureApi, Operation } from '../../http/operation.ts';
import { accountExport, closeInput, me, profileInput } from './schema.ts';

const createdAt = '2026-11-20T08:15:00.000Z';
const profile = { displayName: 'Wira Santoso', locale: 'id' };
const shown = { pid: '$handle@pid', handle: '$handle', createdAt, profile, wallet: null };

const readOperation: Operation = {
  method: 'GET',
  path: '/v1/me',
  id: 'getMe',
  summary: 'The own identity and profile',
  needs: { anyOf: ['pid_access'] },
  limit: { name: 'GET /v1/me', per: 'identity' },
  answers: [{ status: 200, description: 'As the database has it.', schema: me }],
  examples: [
    { title: 'A member', as: 'member', answer: { status: 200, body: shown } },
    { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } },
  ],
};

const updateOperation: Operation = {
  method: 'PATCH',
  path: '/v1/me',
  id: 'updateMe',
  summary: 'Change the profile',
  description:
    'What is absent stays as it is; `locale` null forgets the language. Sets an access token that shows the change; ' +
    'other sessions show it once they refresh.',
  needs: { anyOf: ['pid_access'] },
  limit: { name: 'PATCH /v1/me', per: 'identity' },
  body: profileInput,
  bodyOptional: true,
  answers: [
    { status: 200, description: 'The profile as it is now.', schema: me, sets: ['pid_access', 'pid_hint'] },
  ],
  examples: [
    {
      title: 'A new name',
      as: 'member',
      body: { displayName: 'Wira S.', locale: 'id-ID' },
      answer: { status: 200, body: { ...shown, profile: { displayName: 'Wira S.', locale: 'id-ID' } } },
    },
    {
      title: 'A name that is too long',
      as: 'member',
      body: { displayName: 'W'.repeat(65) },
      answer: {
        error: 'validation_failed',
        message: ['displayName must be shorter than or equal to 64 characters'],
      },
    },
    {
      title: 'Nobody',
      as: 'nobody',
      body: { displayName: 'Wira S.' },
      answer: { error: 'unauthenticated' },
    },
  ],
};

const closeOperation: Operation = {
  method: 'DELETE',
  path: '/v1/me',
  id: 'closeMe',
  summary: 'Close the identity for good',
  description:
    'The body repeats the handle. The handle is never given to anybody again. Needs a sign-in younger than 15 minutes ' +
    '(FRESH_SECONDS); refused while something of value hangs on the identity, and the message then says what.',
  needs: { anyOf: ['pid_access'] },
  limit: { name: 'DELETE /v1/me', per: 'identity' },
  body: closeInput,
  answers: [
    {
      status: 204,
      description: 'Closed, and signed out everywhere.',
      clears: ['pid_access', 'pid_refresh', 'pid_hint'],
    },
  ],
  errors: ['wrong_handle', 'not_fresh', 'closure_blocked'],
  examples: [
    { title: 'A member', as: 'member', body: { handle: '$handle' }, answer: { status: 204 } },
    {
      title: 'Another handle',
      as: 'member',
      body: { handle: 'somebody-else' },
      answer: { error: 'wrong_handle' },
    },
    {
      title: 'Signed in an hour ago',
      as: 'member who signed in an hour ago',
      body: { handle: '$handle' },
      answer: { error: 'not_fresh' },
    },
  ],
};

const exportOperation: Operation = {
  method: 'GET',
  path: '/v1/me/export',
  id: 'exportMe',
  summary: 'Everything held about the person, as a file',
  description:
    'Secrets and digests of them are left out. Sessions and activity are cut to their newest 10,000 rows.',
  needs: { anyOf: ['pid_access'] },
  limit: { name: 'GET /v1/me/export', per: 'identity' },
  answers: [
    {
      status: 200,
      description: 'The file, which Content-Disposition names `peridot-<handle>.json`.',
      schema: accountExport,
    },
  ],
  examples: [
    {
      title: 'A new member',
      as: 'member',
      answer: {
        status: 200,
        body: {
          exportedAt: createdAt,
          complete: true,
          identity: { pid: '$handle@pid', handle: '$handle', status: 'active', createdAt },
          profile: { ...profile, updatedAt: createdAt },
          emails: [{ email: 'wira@example.com', verifiedAt: createdAt }],
          credentials: [
            {
              id: '$credential',
              provider: 'idp',
              providerUserId: '248289761001',
              email: 'wira@example.com',
              name: null,
              linkedAt: createdAt,
              lastLoginAt: createdAt,
            },
          ],
          sessions: [
            {
              id: '$session',
              provider: 'idp',
              createdAt,
              lastUsedAt: createdAt,
              expiresAt: '2027-02-18T08:15:00.000Z',
              endedAt: null,
              endedBecause: null,
              userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
              address: '192.0.2.7',
              country: 'ID',
            },
          ],
          activity: [
            {
              type: 'session.started',
              at: createdAt,
              provider: 'idp',
              reason: null,
              device: 'Firefox on Linux',
              country: 'ID',
            },
          ],
        },
      },
    },
    { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } },
  ],
};

export const accountApi: FeatureApi = {
  tag: 'Account',
  description: 'What a person may see and do about their own identity.',
  schemas: { Me: me, ProfileInput: profileInput, CloseInput: closeInput, AccountExport: accountExport },
  operations: [readOperation, updateOperation, closeOperation, exportOperation],
};
