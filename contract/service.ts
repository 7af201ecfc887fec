import * as z from 'zod/mini';
import { claimEndpoints } from '../src/features/claim/endpoints.ts';
import { passwordLoginInput } from '../src/features/email/schema.ts';
import { loginInput, startQuery } from '../src/features/idp/schema.ts';
import { emailPageEndpoints, pageEndpoints } from '../src/pages/shared/endpoints.ts';
import { serviceExamples } from './examples/service.ts';
import { answer, type FeatureApi, type Operation, operationsOf } from './operation.ts';

/** The page to which the forms finally lead. */
const way = z.object({ returnTo: loginInput.shape.returnTo, popup: passwordLoginInput.shape.popup });

/** The value in the link of an email that makes a browser known. */
const forgotQuery = z.object({ ...way.shape, browser: z.optional(z.string()) });

const summaries = {
  register: 'The page to register with an address and a password',
  verify: 'The page that asks for the code of a registration',
  login: 'The page for signing in with an email address',
  forgot: 'The page for a forgotten password',
  reset: 'The page that asks for the code and a new password',
} as const;

/** The email and password pages. Their forms post to the routes with the same paths. */
const emailPageOperations: readonly Operation[] = (Object.keys(summaries) as (keyof typeof summaries)[]).map(
  (name) => ({
    endpoint: emailPageEndpoints[name],
    id: `show${name.charAt(0).toUpperCase()}${name.slice(1)}Page`,
    isHosted: true,
    summary: summaries[name],
    description: 'Responds only to browser navigations.',
    ...(name === 'verify' || name === 'reset' ? { reads: ['pid_email'] as const } : {}),
    query: name === 'forgot' ? forgotQuery : way,
    answers: [answer(200, 'The page.', { isPage: true })],
    errors: ['not_found'],
  }),
);

const health = z.object({ status: z.literal('ok') });

/** `database` names an rqlite cluster's version; `warnings` lists settings that the operator should change. */
const readiness = z.object({
  status: z.literal('ok'),
  database: z.optional(z.string()),
  warnings: z.optional(z.array(z.string())),
});

/** The service's description of itself, which uses no limit. */
export const serviceApi: FeatureApi = {
  tag: 'Service',
  description: 'Information about the service itself, without rate limits.',
  examples: serviceExamples,
  schemas: { Health: health, Readiness: readiness },
  operations: [
    ...operationsOf(pageEndpoints, {
      getHealth: {
        summary: 'Liveness check',
        description: 'For process supervisors: an unreachable database is no reason to restart.',
        answers: [answer(200, 'The process runs. Nothing else is checked.', { schema: health })],
      },
      getReadiness: {
        summary: 'Readiness check',
        description:
          'For load balancers: 503 while the database is unreachable, cannot be written to or is not migrated.',
        answers: [
          answer(200, 'The database can be read and written. Warnings may suggest improvements.', {
            schema: readiness,
          }),
        ],
        errors: ['unavailable'],
      },
    }),
    asset('/openapi.json', 'getContract', 'This document', 'OpenAPI 3.1, as a static file.'),
    asset(
      '/docs',
      'getDocs',
      'This document, to read',
      'An index of pages under `/docs/`, one for each group.',
    ),
  ],
};

function asset(path: `/${string}`, id: string, summary: string, description: string): Operation {
  const file = { isPage: path === '/docs', cacheControl: 'public, max-age=0, must-revalidate' };
  return {
    endpoint: { method: 'GET', path },
    id,
    summary,
    description,
    answers: [answer(200, description, file)],
    isAsset: true,
    ...(file.isPage ? { isHosted: true } : {}),
  };
}

/** A path on the client to return to. Any other value is ignored. */
const pageQuery = z.pick(loginInput, { returnTo: true });

/** `claim=link` leads to the page that links a claim ticket's account. */
const signInQuery = z.extend(pageQuery, { claim: startQuery.shape.claim });

/** The hosted pages. The claim pages share their paths with the API, because the ticket's cookie is sent only there. */
export const pagesApi: FeatureApi = {
  tag: 'Pages',
  description: 'Hosted pages, which work without scripts.',
  examples: serviceExamples,
  schemas: {},
  operations: [
    ...operationsOf(pageEndpoints, {
      showSignIn: {
        isHosted: true,
        summary: 'The sign-in page',
        query: signInQuery,
        answers: [
          answer(200, 'The page.', { isPage: true }),
          answer(302, 'A redirect that renews a session with an expired access token.', {
            location: '/v1/auth/continue?returnTo=http%3A%2F%2Flocalhost%3A8787%2Fsignin',
          }),
        ],
      },
      showAccount: {
        isHosted: true,
        summary: "A person's own account",
        description: 'Redirects to the sign-in page and back if nobody is signed in.',
        answers: [answer(302, 'A redirect to the first page.', { location: '/account/credentials' })],
      },
      showClaim: {
        isHosted: true,
        summary: 'The claim page',
        query: pageQuery,
        answers: [answer(302, 'A redirect to the page.', { location: claimEndpoints.previewClaim.path })],
      },
      showClaimed: {
        isHosted: true,
        summary: 'The page after a claim, with the PID to copy',
        query: pageQuery,
        answers: [
          answer(200, 'The page.', { isPage: true }),
          answer(302, 'A redirect to the client if nobody is signed in.', { location: 'CLIENT_SUCCESS_URL' }),
        ],
      },
      showClaimLink: {
        isHosted: true,
        summary: 'The page that confirms linking the account of a claim ticket',
        description:
          'Responds only to browser navigations. Redirects visitors who are not signed in to the sign-in.',
        query: pageQuery,
        needs: { anyOf: ['pid_claim'] },
        reads: ['pid_claim_key', 'pid_access'],
        answers: [
          answer(200, 'The page.', { isPage: true }),
          answer(302, 'A redirect to the sign-in.', { location: '/signin?claim=link' }),
        ],
        errors: ['not_found', 'ticket_gone'],
      },
      leaveClaim: {
        isHosted: true,
        summary: '"This is not me", for the form of the claim page',
        description: `Responds only to browser navigations; programs call \`DELETE ${claimEndpoints.dropTicket.path}\`.`,
        needs: { anyOf: ['pid_claim'], optional: true },
        answers: [
          answer(303, 'The ticket is discarded.', {
            location: '/signin',
            clears: ['pid_claim', 'pid_claim_key'],
          }),
        ],
        errors: ['not_found'],
      },
    }),
    ...emailPageOperations,
  ],
};
