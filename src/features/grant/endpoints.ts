import { del, get, lazySchema, patch } from '../../http/endpoint.ts';
import { pageQuery } from '../../lib/page.ts';
import { member } from '../session/require-session.ts';

const schema = lazySchema(() => import('./schema.ts'));

export const grantEndpoints = {
  listGrants: get('/v1/grants', { actor: member, limit: 60, query: pageQuery(/^grt_[0-9a-z]{26}$/) }),
  limitGrant: patch('/v1/grants/:id', { actor: member, limit: 20, body: schema('grantChanges') }),
  revokeGrant: del('/v1/grants/:id', { actor: member, limit: 20, endsSessions: true, causesEvents: true }),
};
