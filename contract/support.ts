import { adminEndpoints } from '../src/features/admin/endpoints.ts';
import * as schemas from '../src/features/admin/person-schema.ts';
import { supportExamples } from './examples/support.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

const desk = ['admin_only', 'not_fresh'] as const;

export const supportApi: FeatureApi = {
  tag: 'Support',
  description:
    'For the identities in SUPPORT_PIDS and ADMIN_PIDS, after a sign-in less than 15 minutes old ' +
    '(FRESH_SECONDS). All other requests by support under `/v1/admin` are rejected and recorded in the audit ' +
    'log.',
  examples: supportExamples,
  schemas: {
    FoundPeople: schemas.foundPeople,
    Person: schemas.person,
    EndSessionsInput: schemas.endSessionsInput,
    SessionsEnded: schemas.sessionsEnded,
    RecoverySent: schemas.recoverySent,
  },
  operations: operationsOf(adminEndpoints, {
    findPeople: {
      summary: 'Find people',
      description:
        '`q` is a PID, a whole email address, the beginning of a handle or of a word of a name, the subject of a provider ' +
        'account, or the id of a credential, session, popup request or transaction. A beginning has at least two ' +
        'characters; of a name with more than three words, the first two and the last are searched. In handles, dots, ' +
        'underscores, hyphens and spaces are ignored. There are no wildcards. ' +
        '`limit` and `cursor` paginate the people whose name begins with `q`, in the order of their names; all others ' +
        'come first, on the first page, with at most ten of each kind. `email` is masked. The audit log records who was found.',
      answers: [answer(200, 'One page.', { schema: schemas.foundPeople })],
      errors: desk,
    },
    showPerson: {
      summary: 'Everything about a person',
      description:
        "Each list has the newest 20 entries. A caller's first access within an hour adds a line to the audit log and to " +
        "the person's activity (`support.viewed`). Emails are kept for about a day.",
      params: { handle: { description: 'The handle, in lower case.', example: '$other' } },
      answers: [answer(200, 'The person.', { schema: schemas.person })],
      errors: [...desk, 'identity_not_found'],
    },
    endSessionsOf: {
      summary: "End a person's sessions",
      description: 'The session `id`, or all of them.',
      params: { handle: { description: 'The handle, in lower case.', example: '$other' } },
      answers: [answer(200, 'The number of remaining sessions.', { schema: schemas.sessionsEnded })],
      errors: [...desk, 'identity_not_found', 'session_not_found'],
    },
    sendRecovery: {
      summary: 'Email a person a password reset link',
      description:
        "Sent to all of the person's verified addresses. The link leads to the page that sends a code, which " +
        'works only in the browser that requested it.',
      params: { handle: { description: 'The handle, in lower case.', example: '$other' } },
      answers: [answer(200, 'The number of addresses.', { schema: schemas.recoverySent })],
      errors: [...desk, 'identity_not_found', 'no_password', 'identity_suspended'],
    },
  }),
};
