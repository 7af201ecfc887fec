import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seen } from '../../support/answers.ts';
import type { Fault, FaultyDatabase } from '../../support/break-database.ts';
import { type Browser, json, openBrowser } from '../../support/browser.ts';
import { openFaultyTarget } from '../../support/faulty-database.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { codeTo, mailsTo } from '../../support/mailbox.ts';
import {
  freshEmail,
  goodPassword,
  login,
  newPasswordMember,
  otherPassword,
  register,
} from '../../support/passwords.ts';
import { freshHandle } from '../../support/people.ts';
import { signInAtSandbox } from '../../support/sandbox.ts';

let target: InProcessTarget;
let database: FaultyDatabase;
beforeAll(async () => {
  ({ target, database } = await openFaultyTarget({ RATE_LIMITS: '{"*":1000000}' }));
});
afterAll(() => target.close());

const faults: readonly Fault[] = ['lost before', 'lost after'];

async function send(browser: Browser, plan: readonly Fault[], path: string, body: unknown, method = 'POST') {
  database.plan(plan);
  const answer = await browser.fetch(path, json(method, body));
  database.plan([]);
  return answer;
}

async function newSandboxMember(): Promise<Browser> {
  const browser = openBrowser(target);
  await signInAtSandbox(browser, { name: 'Somebody', email: freshEmail() });
  await browser.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
  return browser;
}

async function countOf(sql: string, values: string[]): Promise<number> {
  const [row] = await target.rows<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`, values);
  return row?.count ?? -1;
}

describe('a batch that is retried after a lost response', () => {
  it.each(faults)('sends one email and records one code for a registration (%s)', async (fault) => {
    const browser = openBrowser(target);
    const email = freshEmail();
    await send(browser, [fault], '/v1/auth/email/register', { email, password: goodPassword });
    expect(await mailsTo(target, email)).toHaveLength(1);
    const rows = await target.rows('SELECT tries_left FROM email_codes WHERE email = ?', [email]);
    expect(rows).toEqual([{ tries_left: 5 }]);
    expect((await target.rows('SELECT tries FROM secret_tries ORDER BY resets_at DESC')).at(0)).toEqual({
      tries: 1,
    });
    await target.advance(1);
    await send(browser, [fault], '/v1/auth/email/resend', { email });
    expect(await mailsTo(target, email)).toHaveLength(2);
    expect(await target.rows('SELECT max(tries) AS tries FROM secret_tries')).toEqual([{ tries: 2 }]);
    const verify = { email, code: await codeTo(target, email) };
    const answer = await send(browser, [fault], '/v1/auth/email/verify', verify);
    expect(await seen(answer)).toEqual([200, { claim: true }]);
    expect(await countOf('claim_tickets WHERE provider_user_id = ?', [email])).toBe(1);
    await target.rows('DELETE FROM secret_tries');
  });

  it.each(faults)('creates one session for a sign-in (%s)', async (fault) => {
    const { email, password, handle } = await newPasswordMember(target);
    const browser = openBrowser(target);
    const before = await countOf('sessions WHERE handle = ?', [handle]);
    const answer = await send(browser, ['none', fault], '/v1/auth/email/login', { email, password });
    expect(answer.status).toBe(204);
    expect(await countOf('sessions WHERE handle = ?', [handle])).toBe(before + 1);
    expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
    expect(await countOf("secret_tries WHERE key LIKE 'password %'", [])).toBe(0);
  });

  it.each(faults)('writes one activity line and one email for a reset or a change (%s)', async (fault) => {
    const { browser, email, handle } = await newPasswordMember(target);
    const count = (type: string) => countOf('activity WHERE handle = ? AND type = ?', [handle, type]);
    const mails = async (kind: string) =>
      (await mailsTo(target, email)).filter((mail) => mail.kind === kind).length;
    const change = { password: otherPassword };
    const changed = await send(browser, ['none', fault], '/v1/credentials/email/password', change, 'PUT');
    expect([changed.status, await count('password.changed'), await mails('password_changed')]).toEqual([
      204, 1, 1,
    ]);
    // Ensures that the email about it is the newest.
    await target.advance(1);
    await send(browser, [fault], '/v1/auth/email/forgot', { email });
    const reset = { email, code: await codeTo(target, email), password: goodPassword };
    const done = await send(browser, [fault], '/v1/auth/email/reset', reset);
    expect([done.status, await count('password.reset'), await mails('password_reset')]).toEqual([204, 1, 1]);
    expect((await login(browser, email, goodPassword)).status).toBe(204);
    await target.rows('DELETE FROM secret_tries');
  });

  it.each(faults)('links one credential (%s)', async (fault) => {
    const browser = await newSandboxMember();
    const email = freshEmail();
    await send(browser, [fault], '/v1/credentials/email', { email, password: goodPassword });
    const code = await codeTo(target, email);
    const linked = await send(browser, [fault], '/v1/credentials/email/verify', { email, code });
    expect(await seen(linked)).toEqual([200, expect.objectContaining({ provider: 'email', email })]);
    expect(await countOf('credentials WHERE provider_user_id = ?', [email])).toBe(1);
    await target.rows('DELETE FROM secret_tries');
  });

  it('creates one identity in revision direct', async () => {
    const direct = await openFaultyTarget({
      RATE_LIMITS: '{"*":1000000}',
      INTERFACE_REVISION: 'direct',
    });
    try {
      for (const fault of faults) {
        const browser = openBrowser(direct.target);
        const email = freshEmail();
        const code = await register(direct.target, browser, email);
        direct.database.plan([fault]);
        const answer = await browser.fetch('/v1/auth/email/verify', json('POST', { email, code }));
        direct.database.plan([]);
        expect(answer.status).toBe(204);
        const rows = await direct.target.rows('SELECT handle FROM credentials WHERE provider_user_id = ?', [
          email,
        ]);
        expect(rows).toHaveLength(1);
      }
    } finally {
      await direct.target.close();
    }
  });
});
