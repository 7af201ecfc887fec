import { claimEndpoints } from '../src/features/claim/endpoints.ts';
import { claimInput, claimPreview, handleCheck, linkTicketInput } from '../src/features/claim/schema.ts';
import { credential } from '../src/features/credential/schema.ts';
import { session } from '../src/features/session/schema.ts';
import { claimExamples } from './examples/claim.ts';
import { answer, type FeatureApi, operationsOf, sessionCookies } from './operation.ts';

const handleParameter = {
  handle: { description: 'The handle to check, in upper or lower case.', example: 'wira' },
};

export const claimApi: FeatureApi = {
  tag: 'Claim',
  description: 'A newcomer chooses a permanent handle with the claim ticket from the sign-in.',
  examples: claimExamples,
  schemas: {
    ClaimInput: claimInput,
    ClaimPreview: claimPreview,
    HandleCheck: handleCheck,
    LinkTicketInput: linkTicketInput,
  },
  operations: operationsOf(claimEndpoints, {
    previewClaim: {
      summary: 'Get the account of the claim ticket',
      description: 'A browser that opens this address gets the claim page.',
      needs: { anyOf: ['pid_claim'] },
      reads: ['pid_claim_key'],
      answers: [
        answer(200, 'The data from the provider, and an available handle as a suggestion.', {
          schema: claimPreview,
        }),
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
          'Whether it is available, or the reason why not with up to three alternatives: similar handles, or ' +
            "handles based on the person's name if it is reserved.",
          { schema: handleCheck },
        ),
      ],
      errors: ['ticket_gone'],
    },
    claim: {
      summary: 'Claim a handle permanently',
      description:
        'Creates the identity, profile, credential and session in one transaction. The handle is converted to ' +
        'lower case: 3 to 30 characters of `a-z 0-9 . _ -`, starting and ending with a letter or digit, without ' +
        'adjacent separators. Reserved names and look-alikes of taken handles are rejected like taken ones. ' +
        'After a rejection, the ticket stays usable.',
      formStatus: 303,
      needs: { anyOf: ['pid_claim'] },
      reads: ['pid_claim_key', 'pid_refresh'],
      answers: [
        answer(200, 'The PID is claimed, and the person is signed in.', {
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
        "Links the claim ticket's credential to the signed-in identity, and consumes the ticket. Ask the person " +
        'first, showing the provider and the address from `GET /v1/auth/claim`, and send the `id` from there: if ' +
        'another sign-in has replaced the ticket in the meantime, nothing is linked (410). Without an `id`, the ' +
        'current ticket is linked. Needs a sign-in less than 15 minutes old (FRESH_SECONDS). A browser that ' +
        'opens this address gets a confirmation page.',
      formStatus: 303,
      reads: ['pid_claim', 'pid_claim_key'],
      bodyOptional: true,
      answers: [
        answer(200, 'The credential is linked.', {
          schema: credential,
          clears: ['pid_claim', 'pid_claim_key'],
        }),
      ],
      errors: [
        'not_fresh',
        'email_conflict',
        'credential_already_linked',
        'too_many_credentials',
        'ticket_gone',
      ],
    },
    dropTicket: {
      summary: 'Discard the ticket: "this is not me"',
      needs: { anyOf: ['pid_claim'], optional: true },
      reads: ['pid_claim_key'],
      answers: [answer(204, 'The ticket is discarded.', { clears: ['pid_claim', 'pid_claim_key'] })],
    },
  }),
};
