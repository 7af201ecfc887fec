import { describe, expect, it } from 'vitest';
import { dumpRecords, refusal, seen, sessionIdOf, unauthenticated } from '../support/answers.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { askRegistration } from '../support/passkeys.ts';
import { freshEmail, goodPassword } from '../support/passwords.ts';
import { freshHandle, type Member, newAdmin, newMember } from '../support/people.ts';
import { routesOf } from '../support/routes.ts';
import { useService } from '../support/service.ts';

const admin = `admin-${freshHandle()}`;
const target = useService({ ADMIN_PIDS: `${admin}@pid` });

/** Routes under /v1 that need no session. All others are tested below automatically. */
const open =
  /^(GET \/v1\/identities\/:pid|\w+ \/v1\/auth\/(?!session).*|POST \/v1\/popup\/.*|POST \/v1\/gateways\/.*)$/;

const signedIn = routesOf().filter(
  ({ method, pattern }) => pattern.startsWith('/v1/') && !open.test(`${method} ${pattern}`),
);

function send({ method, path }: { method: string; path: string }, cookie?: string, body?: unknown) {
  const headers = {
    Origin: target.origin,
    'Idempotency-Key': 'key',
    ...(cookie === undefined ? {} : { Cookie: cookie }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  return target.request(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The access token and its session's key, as browsers send them to most paths. */
async function accessOf({ browser }: Member): Promise<string> {
  return browser.cookies('/');
}

describe('the routes for signed-in people', () => {
  it('include every route in this list', () => {
    expect(signedIn.map(({ method, pattern }) => `${method} ${pattern}`)).toEqual(
      expect.arrayContaining([
        'GET /v1/auth/session',
        'GET /v1/credentials',
        'PATCH /v1/credentials/:id',
        'DELETE /v1/credentials/:id',
        'POST /v1/credentials/email',
        'POST /v1/credentials/email/verify',
        'PUT /v1/credentials/email/password',
        'POST /v1/credentials/link',
        'GET /v1/credentials/passkey',
        'POST /v1/credentials/passkey/options',
        'POST /v1/credentials/passkey/verify',
        'GET /v1/sessions',
        'DELETE /v1/sessions',
        'DELETE /v1/sessions/:id',
        'GET /v1/me',
        'PATCH /v1/me',
        'DELETE /v1/me',
        'GET /v1/me/export',
        'GET /v1/me/activity',
        'POST /v1/wallet',
        'GET /v1/wallet',
        'GET /v1/wallet/statement',
        'PUT /v1/apps/:id/fees/:operation',
        'POST /v1/apps/:id/sweep',
        'POST /v1/fiat/transfers/inquiry',
        'POST /v1/fiat/transfers/confirm',
        'POST /v1/fiat/transfers/:id/refund',
        'POST /v1/fiat/withdrawals/confirm',
        'POST /v1/fiat/deposits/checkout',
        'POST /v1/fiat/deposits/:id/sync',
        'POST /v1/fiat/deposits/:id/cancel',
        'PATCH /v1/admin/identities/:handle',
      ]),
    );
  });

  it('return 401 before reading any other input', async () => {
    const member = await newMember(target);
    const access = (await member.browser.cookie('pid_access')) ?? '';
    const [head = '', payload = '', signature = ''] = access.split('.');
    const swap = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
    const none = btoa('{"alg":"none","typ":"JWT"}').replaceAll('=', '');
    const cookies = [
      undefined,
      'pid_access=',
      'pid_access=x',
      `pid_access=${head}.${payload}`,
      `pid_access=${head}.${payload}.${swap(signature)}`,
      `pid_access=${head}.${swap(payload)}.${signature}`,
      `pid_access=${none}.${payload}.`,
      `pid_access=${await member.browser.cookie('pid_refresh')}`,
      `pid_refresh=${access}`,
    ];
    const before = await dumpRecords(target);
    for (const route of signedIn) {
      for (const cookie of cookies) {
        const answer = await send(route, cookie, route.method === 'GET' ? undefined : { wrong: true });
        expect([route.pattern, cookie, ...(await seen(answer))]).toEqual([
          route.pattern,
          cookie,
          ...(route.pattern === '/v1/auth/session' && [undefined, 'pid_access='].includes(cookie)
            ? refusal(401, 'Authentication is required', 'no_session')
            : unauthenticated),
        ]);
      }
    }
    expect(await dumpRecords(target)).toEqual(before);
  });

  it('return 401 after the access token has expired', async () => {
    const cookie = await accessOf(await newMember(target));
    await target.advance(901);
    for (const route of signedIn) expect((await send(route, cookie)).status, route.pattern).toBe(401);
  });

  it('return 401 immediately if the session is revoked or predates a restore, except for plain reads', async () => {
    const boss = await newAdmin(target, admin);
    const other = await newMember(target);
    const id = await sessionIdOf(boss);
    const registration = await createAuthenticator(target.origin).create(
      await askRegistration(boss.browser, 'member'),
    );
    const bodies: Record<string, unknown> = {
      'POST /v1/credentials/email': { email: freshEmail(), password: goodPassword },
      'POST /v1/credentials/email/verify': { email: freshEmail(), code: '000000' },
      'PUT /v1/credentials/email/password': { password: goodPassword },
      'PATCH /v1/me': { displayName: 'Somebody else' },
      'POST /v1/apps': { name: 'Shop', type: 'web' },
      'PATCH /v1/grants/:id': {},
      'POST /v1/apps/:id/resources': { resource: 'https://api.example.com' },
      'POST /v1/apps/:id/webhook': { url: 'http://127.0.0.1:9/' },
      'PUT /v1/apps/:id/fees/:operation': { fixed: 1, bps: 1 },
      'POST /v1/fiat/transfers/inquiry': { to: 'ada@pid', amount: 1 },
      'POST /v1/fiat/transfers/confirm': { inquiryId: 'inq_x' },
      'POST /v1/fiat/withdrawals/inquiry': {
        amount: 10_000,
        destination: { bankCode: 'BCA', accountNumber: '1234567895' },
      },
      'POST /v1/fiat/withdrawals/confirm': { withdrawalId: 'wdr_x' },
      'POST /v1/fiat/deposits/checkout': { amount: 50_000 },
      'POST /v1/credentials/link': { provider: 'google' },
      'PATCH /v1/credentials/:id': { name: 'Somebody else' },
      'POST /v1/credentials/passkey/verify': registration,
      'DELETE /v1/me': { handle: boss.handle },
      'PATCH /v1/admin/identities/:handle': { status: 'suspended', reason: 'test' },
      'POST /v1/admin/identities/:handle/end-sessions': { reason: 'test' },
      'POST /v1/admin/identities/:handle/send-recovery': { reason: 'test' },
      'PATCH /v1/admin/ledger': { mode: 'frozen', reason: 'test' },
      'PATCH /v1/admin/wallets/:handle': { status: 'frozen', reason: 'test' },
      'PATCH /v1/admin/apps/:id': { status: 'suspended', reason: 'test' },
      'POST /v1/admin/apps/:id/resources': {
        resource: 'https://api.example.com',
        proven: false,
        reason: 'test',
      },
      'POST /v1/admin/proposals/:id/resolve': { decision: 'reject', reason: 'test' },
      'POST /v1/admin/transfers/:id/reverse': { reason: 'test' },
      'POST /v1/admin/deposits/:id/resolve': { decision: 'reject', reason: 'test' },
      'POST /v1/admin/second-payments/:id/resolve': { decision: 'return', reason: 'test' },
      'POST /v1/admin/withdrawals/:id/resolve': { outcome: 'paid', reason: 'test' },
      'POST /v1/admin/adjustments': { from: 'gateway', to: 'suspense', amount: 1, reason: 'test' },
      'PUT /v1/admin/fees/:operation': { fixed: 1, bps: 1, reason: 'a try' },
      'POST /v1/admin/reports/:id/resolve': { decision: 'reject', reason: 'test' },
      'POST /v1/admin/cases/:id/resolve': { reason: 'test' },
      'POST /v1/admin/days/:day/close': { reason: 'test' },
    };
    const cookie = await accessOf(boss);
    const stillRead = ['GET /v1/auth/session', 'GET /v1/credentials'];
    const expectEnded = async () => {
      const before = await dumpRecords(target);
      for (const route of signedIn) {
        const name = `${route.method} ${route.pattern}`;
        const path = route.pattern
          .replace(':handle', other.handle)
          .replace(':id', id)
          .replace(':operation', 'transfer')
          .replace(/preview$/, 'preview?amount=1')
          .replace(':day', '2026-11-19')
          .replace(/identities$/, 'identities?q=ayu')
          .replace(/journal$/, 'journal?month=2026-11')
          .replace(/reports$/, 'reports?source=sandbox')
          .replace(/resources$/, 'resources?resource=https://api.example.com');
        const answer = await send({ ...route, path }, cookie, bodies[name]);
        expect(`${name} ${answer.status}`).toBe(`${name} ${stillRead.includes(name) ? 200 : 401}`);
      }
      expect(await dumpRecords(target)).toEqual(before);
    };
    await target.rows('UPDATE settings SET sessions_not_before = ?', [target.now() + 1]);
    try {
      await expectEnded();
    } finally {
      await target.rows('UPDATE settings SET sessions_not_before = 0');
    }
    await boss.browser.fetch('/v1/auth/logout', { method: 'POST' });
    await expectEnded();
  });
});
