import type { Endpoint } from '../../http/endpoint.ts';
import { failClosed } from '../../http/rate-limit.ts';
import { member } from '../session/require-session.ts';
import { claimInput, linkTicketInput } from './schema.ts';

export const claimEndpoints = {
  previewClaim: { method: 'GET', path: '/v1/auth/claim', openToApps: 'first_party', limit: 60 },
  checkHandle: {
    method: 'GET',
    path: '/v1/auth/claim/handles/:handle',
    openToApps: 'first_party',
    limit: 60,
  },
  claim: {
    method: 'POST',
    path: '/v1/auth/claim',
    openToApps: 'first_party',
    limit: failClosed(10),
    body: claimInput,
  },
  linkTicket: {
    method: 'POST',
    path: '/v1/auth/claim/link',
    actor: member,
    limit: 20,
    body: linkTicketInput,
  },
  dropTicket: { method: 'DELETE', path: '/v1/auth/claim', openToApps: 'first_party', limit: 20 },
} as const satisfies Record<string, Endpoint>;
