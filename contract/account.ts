import { accountEndpoints } from '../src/features/account/endpoints.ts';
import {
  accountExport,
  activityEntry,
  activityPage,
  closeInput,
  me,
  profileInput,
} from '../src/features/account/schema.ts';
import { accountExamples } from './examples/account.ts';
import { activityExamples } from './examples/activity.ts';
import { answer, type FeatureApi, operationsOf, sessionCookies } from './operation.ts';

export const accountApi: FeatureApi = {
  tag: 'Account',
  description: 'What a person may see and do about their own identity.',
  examples: accountExamples,
  schemas: { Me: me, ProfileInput: profileInput, CloseInput: closeInput, AccountExport: accountExport },
  operations: operationsOf(accountEndpoints, {
    getMe: {
      summary: 'Get your own identity and profile',
      answers: [answer(200, 'As the database has it.', { schema: me })],
    },
    updateMe: {
      summary: 'Change the profile',
      description:
        'What is absent stays as it is; `locale` null forgets the language. Approving a transfer above `stepUpAmount` needs a ' +
        'new sign-in, by passkey if there is one; null for never. To change it needs a sign-in younger than 15 minutes ' +
        '(FRESH_SECONDS). Sets an access token that shows the change; ' +
        'other sessions show it once they refresh.',
      bodyOptional: true,
      answers: [answer(200, 'The profile as it is now.', { schema: me, sets: ['pid_access', 'pid_hint'] })],
      errors: ['not_fresh'],
    },
    closeMe: {
      summary: 'Close the identity permanently',
      description:
        'The body repeats the handle. The handle is never given to anybody again. Needs a sign-in younger than 15 minutes ' +
        '(FRESH_SECONDS); refused while something of value hangs on the identity, and the message then says what.',
      answers: [answer(204, 'Closed, and signed out everywhere.', { clears: sessionCookies })],
      errors: ['wrong_handle', 'not_fresh', 'closure_blocked'],
    },
    exportMe: {
      summary: 'Export everything stored about the person, as a file',
      description:
        'Secrets and digests of them are left out. The file is sent as it is read; after an error midway the JSON does not ' +
        'end. Its last member is `complete`.',
      answers: [
        answer(200, 'The file, which Content-Disposition names `peridot-<handle>.json`.', {
          schema: accountExport,
        }),
      ],
    },
  }),
};

export const activityApi: FeatureApi = {
  tag: 'Activity',
  description: 'What happened to the own identity.',
  examples: activityExamples,
  schemas: { ActivityEntry: activityEntry, ActivityPage: activityPage },
  operations: operationsOf(accountEndpoints, {
    listActivity: {
      summary: 'List activity, newest first',
      description:
        'The types are `identity.claimed`, `identity.verified`, `identity.unverified`, `session.started`, `session.ended`, `credential.linked`, `credential.unlinked`, `password.changed`, `password.reset`, `profile.changed`, `data.exported`, `app.created`, `app.changed`, `app.deleted`, `app.secret_rotated`, `app.secret_revoked`, `grant.created`, `grant.revoked`, `support.viewed`, `support.ended_sessions` and `support.sent_recovery`; others may come.',
      answers: [answer(200, 'One page of it.', { schema: activityPage })],
    },
  }),
};
