import { describe, expect, inject, it } from 'vitest';
import { refusal, seen } from '../support/answers.ts';
import { breachedPassword, paddedPassword } from '../support/breach-server.ts';
import { json, openBrowser } from '../support/browser.ts';
import { codeTo } from '../support/mailbox.ts';
import { freshEmail, login, newPasswordMember } from '../support/passwords.ts';
import { startService, useService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';

const server = inject('breachServer');
const target = useService({ BREACH_CHECK_URL: `${server}/ok/` });

function register(password: string, email = freshEmail()): Promise<Response> {
  return openBrowser(target).fetch('/v1/auth/email/register', json('POST', { email, password }));
}

const breached = refusal(400, ['password must not be one that is known from a leak']);
const common = refusal(400, [
  'password must not be a common one, or put together from few common words, names or patterns',
]);

interface Asked {
  path: string;
  padding: string | null;
}

async function askedOf(mode: string): Promise<Asked[]> {
  const answer = await fetch(`${server}/seen`);
  return ((await answer.json()) as Asked[]).filter(({ path }) => path.startsWith(`/${mode}/`));
}

describe('a new password', () => {
  it('is rejected if it appears in a leak, and only five characters of its digest leave the service [D-52]', async () => {
    expect(await seen(await register(breachedPassword))).toEqual(breached);
    expect((await register(paddedPassword)).status).toBe(204);
    const asked = await askedOf('ok');
    expect(asked.length).toBeGreaterThanOrEqual(2);
    for (const { path, padding } of asked) {
      expect(path).toMatch(/^\/ok\/[0-9A-F]{5}$/);
      expect(padding).toBe('true');
    }
  });

  it('is rejected as leaked wherever it can be set [D-52]', async () => {
    const { browser, email } = await newPasswordMember(target);
    const change = json('PUT', { password: breachedPassword });
    expect(await seen(await browser.fetch('/v1/credentials/email/password', change))).toEqual(breached);
    const reset = json('POST', { email, code: '000000', password: breachedPassword });
    expect(await seen(await browser.fetch('/v1/auth/email/reset', reset))).toEqual(breached);
    const link = json('POST', { email, password: breachedPassword });
    expect(await seen(await browser.fetch('/v1/credentials/email', link))).toEqual(breached);
  });

  it('is checked only against the list if the breach check fails or hangs [D-52]', async () => {
    for (const url of [`${server}/slow`, `${server}/500`, `${server}/large`, 'http://127.0.0.1:1']) {
      await target.restart({ BREACH_CHECK_URL: url });
      expect((await register(breachedPassword)).status, url).toBe(204);
      expect(await seen(await register('password123456789')), url).toEqual(common);
      await expect.poll(() => target.log().some((line) => line.includes('"breach_check.failed"'))).toBe(true);
    }
    expect(target.log().join('\n')).not.toContain(breachedPassword);
    await target.restart();
  });

  it('is significant up to its last character, in any script and normalization [D-51]', async () => {
    expect((await register('kopi tubruk é\u0301')).status).toBe(400);
    for (const password of ['kopi tubruk ya\ud800', '\ud83d'.repeat(15)]) {
      expect(await seen(await register(password))).toEqual(
        refusal(400, ['password must be valid Unicode text']),
      );
    }
    const { browser, email } = await newPasswordMember(target);
    const start = `${'ж ω🦜\u0000'.repeat(15)}caf`.padEnd(160, 'qjwxvkzpm ');
    const passwordOf = (end: string) => `${start}${end}${'🧗🏽 rumah '.repeat(4)}`;
    const change = json('PUT', { password: passwordOf('\u00e9') });
    expect((await browser.fetch('/v1/credentials/email/password', change)).status).toBe(204);
    expect((await login(openBrowser(target), email, passwordOf('\u00e8'))).status).toBe(401);
    expect((await login(openBrowser(target), email, start.split('\u0000')[0] ?? '')).status).toBe(401);
    expect((await login(openBrowser(target), email, passwordOf('e\u0301'))).status).toBe(204);
  });

  it('has at least PASSWORD_MIN_LENGTH characters [D-51]', async () => {
    expect(await seen(await register('kqzvwjxhbnmpfg'))).toEqual(
      refusal(400, ['password must be at least 15 characters long']),
    );
    await target.restart({ PASSWORD_MIN_LENGTH: '8' });
    expect((await register('kqzvwjxh')).status).toBe(204);
    expect(await seen(await register('kqzvwjx'))).toEqual(
      refusal(400, ['password must be at least 8 characters long']),
    );
    expect(await seen(await register('sunshine'))).toEqual(common);
    await target.restart();
  });
});

describe('revision direct', () => {
  it('gives a newcomer an identity immediately, with a handle derived from the address', async () => {
    const direct = await startService({ INTERFACE_REVISION: 'direct' });
    const enter = async (email: string) => {
      const browser = openBrowser(direct);
      const ask = json('POST', { email, password: paddedPassword });
      expect((await browser.fetch('/v1/auth/email/register', ask)).status).toBe(204);
      const code = await codeTo(direct, email);
      const entered = await browser.fetch('/v1/auth/email/verify', json('POST', { email, code }));
      expect(await seen(entered)).toEqual([204, '']);
      expect(setCookies(entered).map(({ name }) => name)).toEqual([
        'pid_email',
        'svc_access',
        'svc_refresh',
        'pid_hint',
        'pid_device',
        'pid_refresh_key',
      ]);
      return (await (await browser.fetch('/v1/auth/session')).json()) as { handle: string };
    };
    expect(await enter('rani.wulandari@example.com')).toMatchObject({
      handle: 'rani.wulandari',
      session: { provider: 'email' },
    });
    expect((await enter('rani.wulandari@example.org')).handle).toBe('rani.wulandari2');
    const again = openBrowser(direct);
    expect((await login(again, 'rani.wulandari@example.com', paddedPassword)).status).toBe(204);
  });
});
