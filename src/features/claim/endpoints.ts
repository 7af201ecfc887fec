import { del, get, post } from '../../http/endpoint.ts';
import { failClosed } from '../../http/rate-limit.ts';
import { member } from '../session/require-session.ts';
import { claimInput, linkTicketInput } from './schema.ts';

export const claimEndpoints = {
  previewClaim: get('/v1/auth/claim', { openToApps: 'first_party', limit: 60 }),
  checkHandle: get('/v1/auth/claim/handles/:handle', { openToApps: 'first_party', limit: 60 }),
  claim: post('/v1/auth/claim', { openToApps: 'first_party', limit: failClosed(10), body: claimInput }),
  linkTicket: post('/v1/auth/claim/link', { actor: member, limit: 20, body: linkTicketInput }),
  dropTicket: del('/v1/auth/claim', { openToApps: 'first_party', limit: 20 }),
};
