import { claimEndpoints } from '../src/features/claim/endpoints.ts';
import { claimInput, claimPreview, handleCheck, linkTicketInput } from '../src/features/claim/schema.ts';
import { credential } from '../src/features/credential/schema.ts';
import { session } from '../src/features/session/schema.ts';
import { claimExamples } from './examples/claim.ts';
import { answer, type FeatureApi, operationsOf, sessionCookies } from './operation.ts';

const handleParameter = { handle: { description: 'The handle to ask about, in any case.', example: 'wira' } };

export const claimApi: FeatureApi = {
  tag: 'Claim',
  description: 'A newcomer chooses a handle, once, with the claim ticket that the sign-in left.',
  examples: claimExamples,
  schemas: {
    ClaimInput: claimInput,
    ClaimPreview: claimPreview,
    HandleCheck: handleCheck,
    LinkTicketInput: linkTicketInput,
  },
  operations: operationsOf(claimEndpoints, {
    previewClaim: {
      summary: 'Get the account that waits with the claim ticket',
      description: 'A browser that opens this address gets the claim page instead.',
      needs: { anyOf: ['pid_claim'] },
      reads: ['pid_claim_key'],
      answers: [
        answer(200, 'What the provider said, and a free handle to start from.', { schema: claimPreview }),
      ],
      errors: ['ticket_gone'],
    },
    checkHandle: {
      summary: 'Check whether a handle can be claimed',
      needs: { anyOf: ['pid_claim'] },
      reads: ['pid_claim_key'],
      params: handleParameter,
      answers: [
        answer(
          200,
          'Yes, or why not and up to three others: like it, or from the person’s name if it is reserved.',
          { schema: handleCheck },
        ),
      ],
      errors: ['ticket_gone'],
    },
    claim: {
      summary: 'Claim a handle permanently',
      description:
        'Creates identity, profile, credential and session in one transaction. The handle is folded to lower case: 3 to ' +
        '30 characters of `a-z 0-9 . _ -`, a letter or digit at both ends, no two separators in a row. Reserved names ' +
        'and look-alikes of taken handles are refused like taken ones. A refused handle leaves the ticket as it is.',
      formStatus: 303,
      needs: { anyOf: ['pid_claim'] },
      reads: ['pid_claim_key', 'pid_refresh'],
      answers: [
        answer(200, 'The PID is theirs, and they are signed in.', {
          schema: session,
          sets: sessionCookies,
          clears: ['pid_claim', 'pid_claim_key'],
        }),
      ],
      errors: ['unauthenticated', 'handle_taken', 'email_conflict', 'ticket_gone'],
    },
    linkTicket: {
      summary: '"I already have a PID": link the ticket’s account to it',
      description:
        'Links the credential of the claim ticket to the identity that is signed in, and spends the ticket. Ask the person ' +
        'first, naming the provider and the address that `GET /v1/auth/claim` answers, and send its `id`: what was not ' +
        'shown is then not linked, even when another sign-in has replaced the ticket meanwhile (410). Without an `id` ' +
        'whatever waits is linked. Needs a sign-in younger than 15 minutes (FRESH_SECONDS). A browser that opens this ' +
        'address gets the page that asks.',
      formStatus: 303,
      reads: ['pid_claim', 'pid_claim_key'],
      bodyOptional: true,
      answers: [
        answer(200, 'It is theirs now.', { schema: credential, clears: ['pid_claim', 'pid_claim_key'] }),
      ],
      errors: ['not_fresh', 'email_conflict', 'credential_already_linked', 'ticket_gone'],
    },
    dropTicket: {
      summary: 'Discard the ticket: "this is not me"',
      needs: { anyOf: ['pid_claim'], optional: true },
      reads: ['pid_claim_key'],
      answers: [answer(204, 'The ticket is discarded.', { clears: ['pid_claim', 'pid_claim_key'] })],
    },
  }),
};
