import { closed, type LimitRow } from './rate-limit.ts';

/**
 * Limits of routes that are not served, in the form of `limits` in rate-limit.ts. A row moves there when its route
 * does: only then can a route name it.
 */
export const reservedLimits = {
  'POST /v1/auth/exchange': closed(20),
  'POST /v1/auth/authorize': 20,
  'POST /v1/auth/token': { ...closed(20), per: ['grant', 'code'], ceiling: { limit: 600, per: 'app' } },
  'POST /v1/auth/introspect': { limit: 300, per: ['app'] },
  'POST /v1/apps': 10,
  'GET /v1/apps': 30,
  'PATCH /v1/apps/:id': 20,
  'POST /v1/apps/:id/secret': closed(5),
  'POST /v1/apps/:id/webhook': closed(5),
  'GET /v1/apps/:id/fees': 30,
  'PUT /v1/apps/:id/fees/:operation': 20,
  'GET /v1/grants': 20,
  'PATCH /v1/grants/:id': 20,
  'DELETE /v1/grants/:id': 20,
  'POST /v1/wallet': closed(10),
  'GET /v1/wallet': 60,
  'GET /v1/wallet/balance': 60,
  'GET /v1/wallet/statement': 60,
  'GET /v1/wallet/transactions': 60,
  'GET /v1/wallet/transactions/:id': 60,
  'POST /v1/fiat/deposits/checkout': closed(10),
  'POST /v1/fiat/deposits/:id/sync': closed(12),
  'GET /v1/fiat/deposits': 60,
  'GET /v1/fiat/deposits/:id': 60,
  'POST /v1/fiat/transfers/inquiry': closed(10),
  'POST /v1/fiat/transfers/confirm': closed(10),
  'GET /v1/fiat/transfers': 60,
  'GET /v1/fiat/transfers/:id': 60,
  'GET /v1/fiat/transfers/inquiry/:id': 60,
  'POST /v1/fiat/withdrawals/inquiry': closed(5),
  'POST /v1/fiat/withdrawals/confirm': closed(5),
  'POST /v1/fiat/withdrawals/:id/sync': closed(5),
  'GET /v1/fiat/withdrawals': 60,
  'GET /v1/fiat/withdrawals/:id': 60,
  'GET /v1/fiat/banks': 60,
  'POST /v1/gateways/:provider/webhook': { limit: 600, per: ['provider'] },
} satisfies Record<string, LimitRow>;
