import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { bucketName, policyOf, unknownPathLimits } from '../../src/http/rate-limit.ts';
import { routesOf } from '../support/routes.ts';

/** Section 8 of the interface, verbatim. */
const interfaceTable = `
| Endpoint | Limit |
|---|---|
| POST /v1/auth/refresh | 10 requests / minute |
| POST /v1/auth/login | 20 requests / minute |
| POST /v1/auth/logout | 20 requests / minute |
| POST /v1/auth/exchange | 20 requests / minute |
| POST /v1/auth/authorize | 20 requests / minute |
| POST /v1/auth/token | 20 requests / minute |
| POST /v1/apps | 10 requests / minute |
| GET /v1/apps | 30 requests / minute |
| PATCH /v1/apps/:id | 20 requests / minute |
| POST /v1/apps/:id/secret | 5 requests / minute |
| POST /v1/apps/:id/webhook | 5 requests / minute |
| GET /v1/apps/:id/fees | 30 requests / minute |
| PUT /v1/apps/:id/fees/:operation | 20 requests / minute |
| POST /v1/fiat/deposits/checkout | 10 requests / minute |
| POST /v1/fiat/transfers/inquiry and confirm | 10 requests / minute |
| POST /v1/fiat/deposits/:id/sync | 12 requests / minute |
| GET /v1/auth/idp and GET /v1/auth/idp/callback | 100 requests / minute |
| POST /v1/wallet | 10 requests / minute |
`;

/** A row with two endpoints gives each its own bucket. The second may be given only by its last segment. */
function endpointsOf(cell: string): string[] {
  const [first = '', second] = cell.split(' and ');
  if (second === undefined) return [first];
  return [first, second.includes(' ') ? second : first.replace(/[^/]+$/, second)];
}

const expected = interfaceTable
  .trim()
  .split('\n')
  .slice(2)
  .flatMap((line) => {
    const [, cell = '', limit = ''] = line.split('|').map((part) => part.trim());
    return endpointsOf(cell).map((name): [string, number] => [
      name,
      Number(/^(\d+) requests/.exec(limit)?.[1]),
    ]);
  });

const policies = new Map(
  endpoints.flatMap((endpoint) =>
    endpoint.limit ? [[bucketName(endpoint), policyOf(endpoint.limit)] as const] : [],
  ),
);
/** Hosted pages and their forms, which only browsers reach. Each shares the bucket of the route it calls. */
const pageForms = [
  'POST /v1/auth/claim/leave',
  'GET /v1/auth/claim/link',
  'POST /v1/auth/refresh/continue',
  'POST /v1/auth/logout/leave',
];

describe('the rate limit table', () => {
  it('contains every limit of the interface with its value', () => {
    expect(expected).toHaveLength(20);
    expect(expected.map(([name]) => [name, policies.get(name)?.requests])).toEqual(expected);
  });

  it('lists exactly the served routes', () => {
    const served = routesOf()
      .map(
        ({ method, pattern }) => `${method} ${pattern.replace(/(?<=^\/v1\/auth\/)(google|github)\b/, 'idp')}`,
      )
      .filter((name) => name.includes(' /v1/') && !pageForms.includes(name));
    const rows = [...policies.keys()].filter((name) => name.includes(' /v1/'));
    expect(rows.sort()).toEqual([...new Set(served)].sort());
  });

  it('gives every other route 60 requests for reads and 20 for writes', () => {
    expect(unknownPathLimits).toEqual({ 'GET /v1/*': 60, 'POST /v1/*': 20 });
    const special =
      /auth\/(idp|email|passkey|introspect|userinfo|claim$)|credentials\/(email|passkey)|popup|grants|withdraw|gateways|fiat\/return|\/refund|me\/export|wallet\/statement|webhook\/test|POST \/v1\/apps\/:id\/resources/;
    const inInterface = new Set(expected.map(([name]) => name));
    const rest = [...policies].filter(([name]) => !inInterface.has(name) && !special.test(name));
    expect(rest.length).toBeGreaterThan(15);
    for (const [name, { requests }] of rest) {
      if (name !== 'GET /v1/auth/claim')
        expect([name, requests]).toEqual([name, name.startsWith('GET') ? 60 : 20]);
    }
  });

  it.each([
    ['POST /v1/auth/claim', 10],
    ['POST /v1/auth/email/login', 10],
    ['POST /v1/auth/passkey/verify', 10],
    ['PUT /v1/credentials/email/password', 10],
    ['GET /v1/me/export', 5],
    ['GET /v1/wallet/statement', 5],
    ['POST /v1/apps/:id/webhook/test', 5],
    ['POST /v1/fiat/transfers/:id/refund', 10],
    ['POST /v1/fiat/withdrawals/confirm', 5],
    ['POST /v1/gateways/:provider/webhook', 600],
    ['GET /fiat/return/:id', 12],
    ['POST /v1/popup/requests', 30],
    ['POST /v1/popup/requests/:id/poll', 120],
  ])('gives %s a limit of %i', (name, limit) => {
    expect(policies.get(name)?.requests).toBe(limit);
  });

  it('counts password attempts and codes by account and by address', () => {
    const guesses = [...policies].filter(([name]) => name.startsWith('POST /v1/auth/email/'));
    expect(guesses).toHaveLength(6);
    for (const [, policy] of guesses) {
      expect(policy).toMatchObject({ requests: 10, by: { per: 'account' }, ceiling: 10 });
    }
  });

  it('has an address ceiling of ten times the limit for all other routes', () => {
    expect(policies.get('POST /v1/auth/refresh')?.ceiling).toBe(100);
  });

  it('rejects requests only where passwords, codes or secrets could be guessed while its store is down, and never a read [R-14]', () => {
    const refusing = [...policies]
      .filter(([, policy]) => policy.storeDown === 'refuse')
      .map(([name]) => name);
    expect(refusing.sort()).toEqual([
      'POST /v1/auth/claim',
      'POST /v1/auth/email/forgot',
      'POST /v1/auth/email/login',
      'POST /v1/auth/email/register',
      'POST /v1/auth/email/resend',
      'POST /v1/auth/email/reset',
      'POST /v1/auth/email/verify',
      'POST /v1/auth/exchange',
      'POST /v1/auth/token',
      'POST /v1/credentials/email/verify',
      'PUT /v1/credentials/email/password',
    ]);
  });
});
