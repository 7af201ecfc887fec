import type { FeatureApi, Operation } from '../../http/operation.ts';
import { credential } from '../credential/schema.ts';
import { session } from '../session/schema.ts';
import { claimInput, claimPreview, handleCheck } from './schema.ts';

const handleParameter = { handle: { description: 'The handle to ask about, in any case.', example: 'wira' } };

const previewOperation: Operation = {
  method: 'GET',
  path: '/v1/auth/claim',
  id: 'previewClaim',
  summary: 'Who the newcomer continues as',
  description: 'A browser that opens this address gets the claim page instead.',
  needs: { anyOf: ['pid_claim'] },
  limit: { name: 'GET /v1/auth/claim', per: 'address' },
  answers: [
    {
      status: 200,
      description: 'What the provider said, and a free handle to start from.',
      schema: claimPreview,
    },
  ],
  errors: ['ticket_gone'],
  examples: [
    {
      title: 'A newcomer',
      as: 'newcomer with a ticket',
      answer: {
        status: 200,
        body: {
          provider: 'idp',
          email: 'wira@example.com',
          displayName: 'Wira Santoso',
          suggestedHandle: 'wira-santoso',
          expiresAt: '2026-11-20T08:25:00.000Z',
        },
      },
    },
    { title: 'No ticket', as: 'nobody', answer: { error: 'ticket_gone' } },
  ],
};

const checkOperation: Operation = {
  method: 'GET',
  path: '/v1/auth/claim/handles/:handle',
  id: 'checkHandle',
  summary: 'Whether a handle can be claimed now',
  needs: { anyOf: ['pid_claim'] },
  limit: { name: 'GET /v1/auth/claim/handles/:handle', per: 'address' },
  params: handleParameter,
  answers: [{ status: 200, description: 'Yes, or why not and up to three others.', schema: handleCheck }],
  errors: ['ticket_gone'],
  examples: [
    {
      title: 'Free',
      as: 'newcomer with a ticket',
      params: { handle: 'Ketut' },
      answer: {
        status: 200,
        body: { handle: 'ketut', pid: 'ketut@pid', available: true, reason: null, suggestions: [] },
      },
    },
    {
      title: 'Reserved',
      as: 'newcomer with a ticket',
      params: { handle: 'admin' },
      answer: {
        status: 200,
        body: {
          handle: 'admin',
          pid: 'admin@pid',
          available: false,
          reason: 'reserved',
          suggestions: ['wira-santoso'],
        },
      },
    },
    { title: 'No ticket', as: 'nobody', params: { handle: 'ketut' }, answer: { error: 'ticket_gone' } },
  ],
};

const claimOperation: Operation = {
  method: 'POST',
  path: '/v1/auth/claim',
  id: 'claim',
  summary: 'Claim a handle for good',
  description:
    'Creates identity, profile, credential and session in one transaction. The handle is folded to lower case: 3 to ' +
    '30 characters of `a-z 0-9 . _ -`, a letter or digit at both ends, no two separators in a row. Reserved names ' +
    'and look-alikes of taken handles are refused like taken ones. A refused handle leaves the ticket as it is. ' +
    'The form of the claim page posts here too; a browser that navigates is answered with a page, or with 303 to ' +
    'CLIENT_SUCCESS_URL.',
  needs: { anyOf: ['pid_claim'] },
  reads: ['pid_refresh'],
  limit: { name: 'POST /v1/auth/claim', per: 'address' },
  body: claimInput,
  answers: [
    {
      status: 200,
      description: 'The PID is theirs, and they are signed in.',
      schema: session,
      sets: ['pid_access', 'pid_refresh', 'pid_hint'],
      clears: ['pid_claim'],
    },
  ],
  errors: ['unauthenticated', 'handle_taken', 'email_conflict', 'ticket_gone'],
  examples: [
    {
      title: 'A free handle',
      as: 'newcomer with a ticket',
      body: { handle: 'Wira', displayName: 'Wira Santoso' },
      answer: {
        status: 200,
        body: {
          pid: 'wira@pid',
          handle: 'wira',
          profile: { displayName: 'Wira Santoso', locale: null },
          session: {
            id: '$session',
            provider: 'idp',
            authenticatedAt: '2026-11-20T08:15:00.000Z',
            expiresAt: '2027-02-18T08:15:00.000Z',
          },
          roles: [],
        },
      },
    },
    {
      title: 'A reserved handle',
      as: 'newcomer with a ticket',
      body: { handle: 'admin' },
      answer: { error: 'handle_taken' },
    },
    {
      title: 'A name that is too long',
      as: 'newcomer with a ticket',
      body: { handle: 'ketut', displayName: 'K'.repeat(65) },
      answer: {
        error: 'validation_failed',
        message: ['displayName must be shorter than or equal to 64 characters'],
      },
    },
    {
      title: 'No ticket, or one older than 10 minutes',
      as: 'nobody',
      body: { handle: 'ketut' },
      answer: { error: 'ticket_gone' },
    },
  ],
};

const linkOperation: Operation = {
  method: 'POST',
  path: '/v1/auth/claim/link',
  id: 'linkTicket',
  summary: '"I already have a PID": link what waits with the ticket to it',
  description:
    'Links the credential of the claim ticket to the identity that is signed in, and spends the ticket. Ask the person ' +
    'first, naming the provider and the address that `GET /v1/auth/claim` answers: a ticket may have been planted in ' +
    'their browser. Needs a sign-in younger than 15 minutes (FRESH_SECONDS). A browser that opens this address gets ' +
    'the page that asks; its form posts here too.',
  needs: { anyOf: ['pid_access'] },
  reads: ['pid_claim'],
  limit: { name: 'POST /v1/auth/claim/link', per: 'identity' },
  answers: [{ status: 200, description: 'It is theirs now.', schema: credential, clears: ['pid_claim'] }],
  errors: ['not_fresh', 'email_conflict', 'credential_already_linked', 'ticket_gone'],
  examples: [
    {
      title: 'A member with a ticket',
      as: 'member with a ticket',
      answer: {
        status: 200,
        body: {
          id: '$credential',
          provider: 'google',
          email: 'wira@example.org',
          linkedAt: '2026-11-20T08:15:00.000Z',
          lastLoginAt: '2026-11-20T08:15:00.000Z',
        },
      },
    },
    { title: 'Without a ticket', as: 'member', answer: { error: 'ticket_gone' } },
    { title: 'Without a session', as: 'newcomer with a ticket', answer: { error: 'unauthenticated' } },
  ],
};

const dropOperation: Operation = {
  method: 'DELETE',
  path: '/v1/auth/claim',
  id: 'dropTicket',
  summary: 'Give the ticket back: "this is not me"',
  needs: { anyOf: ['pid_claim'], optional: true },
  limit: { name: 'DELETE /v1/auth/claim', per: 'address' },
  answers: [{ status: 204, description: 'There is no ticket any more.', clears: ['pid_claim'] }],
  examples: [
    { title: 'A newcomer', as: 'newcomer with a ticket', answer: { status: 204 } },
    { title: 'Nobody', as: 'nobody', answer: { status: 204 } },
  ],
};

export const claimApi: FeatureApi = {
  tag: 'Claim',
  description: 'A newcomer chooses a handle, once, with the claim ticket that the sign-in left.',
  schemas: { ClaimInput: claimInput, ClaimPreview: claimPreview, HandleCheck: handleCheck },
  operations: [previewOperation, checkOperation, claimOperation, linkOperation, dropOperation],
};
