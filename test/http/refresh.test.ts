import { describe, expect, it } from 'vitest';
import { newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { setCookies, valueSet } from '../support/set-cookie.ts';

const target = useService();

const refused = {
  statusCode: 401,
  message: 'The refresh token is invalid, expired or already used',
  code: 'refresh_refused',
};

function refresh(token: string): Promise<Response> {
  return target.request('/v1/auth/refresh', { method: 'POST', headers: { Cookie: `pid_refresh=${token}` } });
}

/** Refreshes, which must succeed, and returns the new token. */
async function rotate(token: string): Promise<string> {
  const answer = await refresh(token);
  expect([answer.status, await answer.text()]).toEqual([204, '']);
  return valueSet(answer, 'pid_refresh') ?? '';
}

async function newToken(): Promise<string> {
  const { browser } = await newMember(target);
  return (await browser.cookie('pid_refresh')) ?? '';
}

async function reasonOf(token: string): Promise<string | null | undefined> {
  const id = token.split('.')[1] ?? '';
  const rows = await target.rows<{ revoked_reason: string | null }>(
    'SELECT revoked_reason FROM sessions WHERE id = ?',
    [id],
  );
  return rows[0]?.revoked_reason;
}

describe('a refresh token', () => {
  it('is used up by a refresh, which sets only the session cookies [D-08]', async () => {
    const { browser, handle } = await newMember(target);
    const old = (await browser.cookie('pid_refresh')) ?? '';
    const answer = await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    const cookies = setCookies(answer);
    expect(cookies.map(({ name }) => name).sort()).toEqual([
      'pid_access',
      'pid_hint',
      'pid_refresh',
      'pid_refresh_key',
    ]);
    expect(cookies.every(({ value }) => value !== '')).toBe(true);
    const replay = await refresh(old);
    expect([replay.status, await replay.json()]).toEqual([401, refused]);
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
    expect(await (await browser.fetch('/v1/auth/session')).json()).toMatchObject({ handle });
  });

  it('changes the hint on every refresh, even on two within one second', async () => {
    const { browser } = await newMember(target);
    const hints = [await browser.cookie('pid_hint')];
    for (let round = 0; round < 3; round += 1) {
      await browser.fetch('/v1/auth/refresh', { method: 'POST' });
      hints.push(await browser.cookie('pid_hint'));
    }
    hints.forEach((hint, index) => {
      expect(hint).toMatch(/^\d{10}\.[\w-]{8}$/);
      expect(hint).not.toBe(hints[index + 1]);
    });
  });

  it('returns a plain 401 without side effects if another tab refreshed first [D-10]', async () => {
    const old = await newToken();
    const successor = await rotate(old);
    await target.advance(5);
    const loser = await refresh(old);
    expect([loser.status, await loser.json()]).toEqual([401, refused]);
    expect(loser.headers.getSetCookie()).toEqual([]);
    await rotate(successor);
  });

  it('revokes the whole session if replayed after the grace period, and logs one line with the session’s id [D-09]', async () => {
    const old = await newToken();
    const successor = await rotate(old);
    await target.advance(31);
    const replay = await refresh(old);
    expect([replay.status, await replay.json()]).toEqual([401, refused]);
    expect(setCookies(replay).map(({ name, value }) => [name, value])).toEqual([
      ['pid_access', ''],
      ['pid_refresh', ''],
      ['pid_hint', ''],
      ['pid_refresh_key', ''],
    ]);
    expect((await refresh(successor)).status).toBe(401);
    expect((await refresh(old)).status).toBe(401);
    expect(await reasonOf(old)).toBe('replay');

    const id = old.split('.')[1] ?? '';
    const events = () =>
      target.log().filter((line) => line.includes('"session.replay"') && line.includes(id));
    await expect.poll(() => events().length).toBeGreaterThan(0);
    expect(events().length).toBe(1);
    expect(events().join()).not.toContain(old.split('.')[0]);
  });

  it('is a replay even within the grace period if it is older than the previous token', async () => {
    const oldest = await newToken();
    const successor = await rotate(await rotate(oldest));
    expect((await refresh(oldest)).status).toBe(401);
    expect(await reasonOf(oldest)).toBe('replay');
    expect((await refresh(successor)).status).toBe(401);
  });

  it('is rejected if altered, and does not revoke its session', async () => {
    const token = await newToken();
    const other = await newToken();
    const [secret = '', id = '', scope = '', mac = ''] = token.split('.');
    const forgeries = [
      `${secret}.${other.split('.')[1]}.${scope}.${mac}`,
      `${other.split('.')[0]}.${id}.${scope}.${mac}`,
      `${secret}.${id}.d.${mac}`,
      `${secret}.${id}.${scope}.${other.split('.')[3]}`,
      `${secret}.${id}.${scope}`,
      `${token}.`,
      `${token}x`,
      token.toUpperCase(),
      secret,
      '',
      'x'.repeat(5000),
    ];
    for (const forged of forgeries) {
      const answer = await refresh(forged);
      const body = forged === '' ? { ...refused, code: 'no_session' } : refused;
      expect([answer.status, await answer.json(), setCookies(answer)]).toEqual([401, body, []]);
    }
    expect((await target.request('/v1/auth/refresh', { method: 'POST' })).status).toBe(401);
    await rotate(token);
    await rotate(other);
  });

  it('is rejected if it was issued before the last restore, without revoking newer sessions', async () => {
    const token = await newToken();
    await target.advance(1);
    await target.rows('UPDATE settings SET sessions_not_before = ? WHERE id = 1', [target.now()]);
    try {
      const answer = await refresh(token);
      expect([answer.status, await answer.json()]).toEqual([401, refused]);
      await target.advance(1);
      await rotate(await newToken());
    } finally {
      await target.rows('UPDATE settings SET sessions_not_before = 0 WHERE id = 1');
    }
  });

  it('expires if unused for its whole lifetime, and its session cannot be revived [D-12]', async () => {
    const [last, late] = [await newToken(), await newToken()];
    await target.advance(2_592_000 - 5);
    await rotate(last);
    await target.advance(6);
    const answer = await refresh(late);
    expect([answer.status, await answer.json()]).toEqual([401, refused]);
    expect(await reasonOf(late)).toBe('expired');
    expect((await refresh(late)).status).toBe(401);
  });
});

describe('a session', () => {
  useService({
    SESSION_MAX_SECONDS: '1000',
    REFRESH_TTL_SECONDS: '600',
    REFRESH_GRACE_SECONDS: '0',
    HINT_COOKIE: 'off',
  });

  it('expires at its absolute maximum age regardless of activity, along with its tokens [D-12]', async () => {
    const { browser } = await newMember(target);
    const lifetimes: (number | undefined)[][] = [];
    for (const seconds of [500, 400, 90]) {
      await target.advance(seconds);
      const answer = await browser.fetch('/v1/auth/refresh', { method: 'POST' });
      expect(answer.status).toBe(204);
      expect(setCookies(answer).map(({ name }) => name)).toEqual([
        'pid_access',
        'pid_refresh',
        'pid_refresh_key',
      ]);
      lifetimes.push(setCookies(answer).map(({ maxAge }) => maxAge));
    }
    // Time passes while the test runs, so each may be some seconds shorter than calculated.
    for (const [index, most] of [500, 100, 10].entries()) {
      for (const [place, cap] of [Math.min(900, most), Math.min(600, most)].entries()) {
        const seconds = lifetimes[index]?.[place] ?? 0;
        expect(seconds).toBeLessThanOrEqual(cap);
        expect(seconds).toBeGreaterThanOrEqual(cap - 8);
      }
    }
    await target.advance(11);
    const access = await browser.cookie('pid_access');
    const read = await target.request('/v1/auth/session', { headers: { Cookie: `pid_access=${access}` } });
    expect(read.status).toBe(401);
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(401);
  });

  it('is revoked on any replay if there is no grace period [D-10]', async () => {
    const old = await newToken();
    const successor = await rotate(old);
    expect((await refresh(old)).status).toBe(401);
    expect(await reasonOf(old)).toBe('replay');
    expect((await refresh(successor)).status).toBe(401);
  });
});
