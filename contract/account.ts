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
  description: "View and change one's own identity.",
  examples: accountExamples,
  schemas: { Me: me, ProfileInput: profileInput, CloseInput: closeInput, AccountExport: accountExport },
  operations: operationsOf(accountEndpoints, {
    getMe: {
      summary: 'Get your own identity and profile',
      answers: [answer(200, 'Read from the database.', { schema: me })],
    },
    updateMe: {
      summary: 'Change the profile',
      description:
        'Absent fields stay unchanged; a `locale` of null removes the language. Approving a transfer above ' +
        '`stepUpAmount` needs a new sign-in, with a passkey if the person has one; null disables this. Changing ' +
        'it needs a sign-in less than 15 minutes old (FRESH_SECONDS). Sets an access token that reflects the ' +
        'change; other sessions reflect it after their next refresh.',
      bodyOptional: true,
      answers: [answer(200, 'The current profile.', { schema: me, sets: ['pid_access', 'pid_hint'] })],
      errors: ['not_fresh'],
    },
    closeMe: {
      summary: 'Close the identity permanently',
      description:
        'The body repeats the handle. The handle is never issued again. Needs a sign-in less than 15 minutes old ' +
        '(FRESH_SECONDS); rejected while the identity holds something of value, which the message names.',
      answers: [answer(204, 'Closed, and signed out everywhere.', { clears: sessionCookies })],
      errors: ['wrong_handle', 'not_fresh', 'closure_blocked'],
    },
    exportMe: {
      summary: 'Export everything stored about the person, as a file',
      description:
        'Contains no secrets and no digests of them. The file is streamed; after an error midway the JSON is ' +
        'incomplete. Its last member is `complete`.',
      answers: [
        answer(200, 'The file, named `peridot-<handle>.json` by Content-Disposition.', {
          schema: accountExport,
        }),
      ],
    },
  }),
};

export const activityApi: FeatureApi = {
  tag: 'Activity',
  description: "Events of one's own identity.",
  examples: activityExamples,
  schemas: { ActivityEntry: activityEntry, ActivityPage: activityPage },
  operations: operationsOf(accountEndpoints, {
    listActivity: {
      summary: 'List activity, newest first',
      description:
        'The types are `identity.claimed`, `identity.verified`, `identity.unverified`, `session.started`, ' +
        '`session.ended`, `credential.linked`, `credential.unlinked`, `password.changed`, `password.reset`, ' +
        '`profile.changed`, `data.exported`, `app.created`, `app.changed`, `app.deleted`, `app.secret_rotated`, ' +
        '`app.secret_revoked`, `grant.created`, `grant.revoked`, `support.viewed`, `support.ended_sessions`, ' +
        '`support.sent_recovery`, `payment.sent`, `payment.received`, `payment.reversed` and `payment.returned`; more may ' +
        'be added.',
      answers: [answer(200, 'One page.', { schema: activityPage })],
    },
  }),
};
