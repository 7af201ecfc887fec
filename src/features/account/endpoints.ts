import { del, get, lazySchema, patch } from '../../http/endpoint.ts';
import { pageQuery } from '../../lib/page.ts';
import { member } from '../session/require-session.ts';

const schema = lazySchema(() => import('./schema.ts'));

export const accountEndpoints = {
  getMe: get('/v1/me', { actor: member, limit: 60 }),
  updateMe: patch('/v1/me', { actor: member, limit: 20, body: schema('profileInput') }),
  closeMe: del('/v1/me', {
    actor: member,
    limit: 20,
    body: schema('closeInput'),
    endsSessions: true,
    causesEvents: true,
  }),
  // A response may hold 20,000 rows, two hundred times the size of a list page.
  exportMe: get('/v1/me/export', { actor: member, limit: 5 }),
  listActivity: get('/v1/me/activity', { actor: member, limit: 60, query: pageQuery(/^\d{1,15}$/) }),
};
