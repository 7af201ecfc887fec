import type { FeatureApi, Operation } from '../../http/operation.ts';
import { credential } from '../credential/schema.ts';
import { session } from '../session/schema.ts';
import { claimEndpoints } from './endpoints.ts';
import { claimInput, claimPreview, handleCheck, linkTicketInput } from './schema.ts';

const handleParameter = { handle: { description: 'The handle to ask about, in any case.', example: 'wira' } };

const previewOperation: Operation = {
  endpoint: claimEndpoints.previewClaim,
  id: 'previewClaim',
  summary: 'Who the newcomer continues as',
  description: 'A browser that opens this address gets the claim page instead.',
  needs: { anyOf: ['pid_claim'] },
  reads: ['pid_claim_key'],
  answers: [
    {
      status: 200,
      description: 'What the provider said, and a free handle to start from.',
      schema: claimPreview,
    },
  ],
  errors: ['ticket_gone'],
};

const checkOperation: Operation = {
  endpoint: claimEndpoints.checkHandle,
  id: 'checkHandle',
  summary: 'Whether a handle can be claimed now',
  needs: { anyOf: ['pid_claim'] },
  reads: ['pid_claim_key'],
  params: handleParameter,
  answers: [{ status: 200, description: 'Yes, or why not and up to three others.', schema: handleCheck }],
  errors: ['ticket_gone'],
};

const claimOperation: Operation = {
  endpoint: claimEndpoints.claim,
  id: 'claim',
  summary: 'Claim a handle for good',
  description:
    'Creates identity, profile, credential and session in one transaction. The handle is folded to lower case: 3 to ' +
    '30 characters of `a-z 0-9 . _ -`, a letter or digit at both ends, no two separators in a row. Reserved names ' +
    'and look-alikes of taken handles are refused like taken ones. A refused handle leaves the ticket as it is. ' +
    'The form of the claim page posts here too; a browser that navigates is answered with a page, or with 303 to ' +
    'CLIENT_SUCCESS_URL.',
  needs: { anyOf: ['pid_claim'] },
  reads: ['pid_claim_key', 'pid_refresh'],
  answers: [
    {
      status: 200,
      description: 'The PID is theirs, and they are signed in.',
      schema: session,
      sets: ['pid_access', 'pid_refresh', 'pid_hint'],
      clears: ['pid_claim', 'pid_claim_key'],
    },
  ],
  errors: ['unauthenticated', 'handle_taken', 'email_conflict', 'ticket_gone'],
};

const linkOperation: Operation = {
  endpoint: claimEndpoints.linkTicket,
  id: 'linkTicket',
  summary: '"I already have a PID": link what waits with the ticket to it',
  description:
    'Links the credential of the claim ticket to the identity that is signed in, and spends the ticket. Ask the person ' +
    'first, naming the provider and the address that `GET /v1/auth/claim` answers, and send its `id`: what was not ' +
    'shown is then not linked, even when another sign-in has replaced the ticket meanwhile (410). Without an `id` ' +
    'whatever waits is linked. Needs a sign-in younger than 15 minutes (FRESH_SECONDS). A browser that opens this ' +
    'address gets the page that asks; its form posts here too.',
  reads: ['pid_claim', 'pid_claim_key'],
  bodyOptional: true,
  answers: [
    {
      status: 200,
      description: 'It is theirs now.',
      schema: credential,
      clears: ['pid_claim', 'pid_claim_key'],
    },
  ],
  errors: ['not_fresh', 'email_conflict', 'credential_already_linked', 'ticket_gone'],
};

const dropOperation: Operation = {
  endpoint: claimEndpoints.dropTicket,
  id: 'dropTicket',
  summary: 'Give the ticket back: "this is not me"',
  needs: { anyOf: ['pid_claim'], optional: true },
  reads: ['pid_claim_key'],
  answers: [
    { status: 204, description: 'There is no ticket any more.', clears: ['pid_claim', 'pid_claim_key'] },
  ],
};

export const claimApi: FeatureApi = {
  tag: 'Claim',
  description: 'A newcomer chooses a handle, once, with the claim ticket that the sign-in left.',
  schemas: {
    ClaimInput: claimInput,
    ClaimPreview: claimPreview,
    HandleCheck: handleCheck,
    LinkTicketInput: linkTicketInput,
  },
  operations: [previewOperation, checkOperation, claimOperation, linkOperation, dropOperation],
};
