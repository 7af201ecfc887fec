import { describe, expect, it } from 'vitest';
import { type Browser, openBrowser } from '../support/browser.ts';
import { freshHandle, type Member, newMember, signIn, somebody } from '../support/people.ts';
import { useService, useSharedService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';

const target = useSharedService();

const answers = {
  unauthenticated: [401, { statusCode: 401, message: 'Authentication is required', code: 'unauthenticated' }],
  notFresh: [403, { statusCode: 403, message: 'Sign in again to continue', code: 'not_fresh' }],
  notFound: [404, { statusCode: 404, message: 'Credential does not exist', code: 'credential_not_found' }],
  last: [400, { statusCode: 400, message: 'Cannot unlink the last credential', code: 'last_credential' }],
};

interface Credential {
  id: string;
  provider: string;
  email: string | null;
  linkedAt: string;
  lastLoginAt: string;
}

async function list(browser: Browser): Promise<Credential[]> {
  const answer = await browser.fetch('/v1/credentials');
  expect(answer.status).toBe(200);
  return (await answer.json()) as Credential[];
}

const unlink = (browser: Browser, id: string) => browser.fetch(`/v1/credentials/${id}`, { method: 'DELETE' });
const refresh = (browser: Browser) => browser.fetch('/v1/auth/refresh', { method: 'POST' });

async function seen(answer: Response): Promise<[number, unknown]> {
  const text = await answer.text();
  return [answer.status, text === '' ? '' : JSON.parse(text)];
}

/** Links another identity provider account, like a linking route, and returns its id and claims. */
async function link(member: Member, provider = 'idp'): Promise<{ id: string; claims: { sub: string } }> {
  const claims = somebody();
  const id = `crd_${freshHandle()}`;
  await target.rows(
    `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
      VALUES (?, ?, ?, ?, ?, ?)`,
    [id, member.handle, provider, claims.sub, target.now(), target.now()],
  );
  return { id, claims: { ...claims, email: `${claims.sub}@elsewhere.example.com` } as { sub: string } };
}

async function ownId({ browser, claims }: Member): Promise<string> {
  return (await list(browser)).find(({ email }) => email === claims.email)?.id ?? '';
}

const rowsOf = ({ handle }: Member) =>
  target.rows('SELECT * FROM credentials WHERE handle = ? ORDER BY id', [handle]);

describe('credentials', () => {
  it('are shown only to their owner, oldest first and without secrets [D-47]', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    await target.advance(1);
    const second = await link(member, 'github');
    const shown = await list(member.browser);
    expect(shown.map(({ id }) => id)).toEqual([await ownId(member), second.id]);
    for (const credential of shown) {
      expect(Object.keys(credential).sort()).toEqual(['email', 'id', 'lastLoginAt', 'linkedAt', 'provider']);
      expect(credential.linkedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(shown.map(({ provider, email }) => [provider, email])).toEqual([
      ['idp', member.claims.email],
      ['github', null],
    ]);
    expect((await list(other.browser)).map(({ id }) => id)).toEqual([await ownId(other)]);
  });

  it('show when they were last used to sign in', async () => {
    const member = await newMember(target);
    const [before] = await list(member.browser);
    await target.advance(60);
    await signIn(target, member.browser, member.claims);
    const [after] = await list(member.browser);
    expect(after?.linkedAt).toBe(before?.linkedAt);
    expect(
      Date.parse(after?.lastLoginAt ?? '') - Date.parse(before?.lastLoginAt ?? ''),
    ).toBeGreaterThanOrEqual(60_000);
  });

  it('cannot all be unlinked [D-46]', async () => {
    const member = await newMember(target);
    const before = await rowsOf(member);
    expect(await seen(await unlink(member.browser, await ownId(member)))).toEqual(answers.last);
    expect(await rowsOf(member)).toEqual(before);
    const activity = await target.rows(
      `SELECT type FROM activity WHERE handle = ? AND type = 'credential.unlinked'`,
      [member.handle],
    );
    expect(activity).toEqual([]);
  });

  it('are hidden from everyone but their owner [D-47]', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const { id } = await link(member);
    const before = await rowsOf(member);
    await link(other);
    for (const foreign of [id, await ownId(member), 'crd_unknown', '%00', "' OR 1=1 --", 'x'.repeat(500)]) {
      const answer = await unlink(other.browser, encodeURIComponent(foreign));
      expect(await seen(answer)).toEqual(answers.notFound);
    }
    expect(await rowsOf(member)).toEqual(before);
    expect((await refresh(member.browser)).status).toBe(204);
  });

  it('revoke only the sessions that they started when they are unlinked, except the acting one [D-50]', async () => {
    const member = await newMember(target);
    const second = await link(member);
    const browsers = {
      same: openBrowser(target),
      other: openBrowser(target),
      stranger: await newMember(target),
    };
    await signIn(target, browsers.same, member.claims);
    await signIn(target, browsers.other, second.claims);
    const id = await ownId(member);
    expect(await seen(await unlink(member.browser, id))).toEqual([204, '']);
    expect(await seen(await unlink(member.browser, id))).toEqual(answers.notFound);

    expect((await refresh(browsers.same)).status).toBe(401);
    expect(await seen(await unlink(browsers.same, second.id))).toEqual(answers.unauthenticated);
    for (const browser of [member.browser, browsers.other, browsers.stranger.browser]) {
      expect((await refresh(browser)).status).toBe(204);
    }
    expect((await list(browsers.other)).map((credential) => credential.id)).toEqual([second.id]);
    const sessions = await target.rows<{ revoked_reason: string }>(
      'SELECT revoked_reason FROM sessions WHERE handle = ? AND revoked_at IS NOT NULL',
      [member.handle],
    );
    expect(sessions).toEqual([{ revoked_reason: 'unlinked' }]);
    const activity = await target.rows(
      `SELECT credential_id, detail FROM activity WHERE handle = ? AND type = 'credential.unlinked'`,
      [member.handle],
    );
    expect(activity).toEqual([{ credential_id: id, detail: 'idp' }]);
  });

  it('cannot be used to sign in after being unlinked; their address is free, and the identity is unchanged', async () => {
    const member = await newMember(target);
    const second = await link(member);
    const identity = () => target.rows('SELECT * FROM identities WHERE handle = ?', [member.handle]);
    const before = await identity();
    expect((await unlink(member.browser, await ownId(member))).status).toBe(204);
    expect(await identity()).toEqual(before);
    expect(await target.rows('SELECT * FROM emails WHERE handle = ?', [member.handle])).toEqual([]);
    const stranger = openBrowser(target);
    const callback = await signIn(target, stranger, member.claims);
    expect(callback.headers.get('Location')).toContain('claim=1');
    const returning = openBrowser(target);
    await signIn(target, returning, second.claims);
    expect(await (await returning.fetch('/v1/auth/session')).json()).toMatchObject({ handle: member.handle });
  });

  it('can be unlinked only after a sign-in less than fifteen minutes old [D-50]', async () => {
    const member = await newMember(target);
    const second = await link(member);
    await target.advance(890);
    await refresh(member.browser);
    const third = await link(member);
    expect((await unlink(member.browser, third.id)).status).toBe(204);
    await target.advance(11);
    const before = await rowsOf(member);
    const answer = await unlink(member.browser, second.id);
    expect([await seen(answer), setCookies(answer)]).toEqual([answers.notFresh, []]);
    await refresh(member.browser);
    expect(await seen(await unlink(member.browser, second.id))).toEqual(answers.notFresh);
    expect(await rowsOf(member)).toEqual(before);
    await signIn(target, member.browser, member.claims);
    expect((await unlink(member.browser, second.id)).status).toBe(204);
  });

  it('cannot be unlinked for several reasons, reported in a fixed order', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const ended = await newMember(target);
    const own = await ownId(member);
    const foreign = await ownId(other);
    expect(await seen(await unlink(openBrowser(target), own))).toEqual(answers.unauthenticated);
    const endedOwn = await ownId(ended);
    const access = await ended.browser.cookie('pid_access');
    await ended.browser.fetch('/v1/auth/logout', { method: 'POST' });
    for (const id of [endedOwn, foreign]) {
      const cookie = { Cookie: `pid_access=${access}`, Origin: target.origin };
      const answer = await target.request(`/v1/credentials/${id}`, { method: 'DELETE', headers: cookie });
      expect(await seen(answer)).toEqual(answers.unauthenticated);
    }
    expect(await seen(await unlink(member.browser, foreign))).toEqual(answers.notFound);
    expect(await seen(await unlink(member.browser, own))).toEqual(answers.last);
    await target.advance(901);
    await refresh(member.browser);
    for (const id of [own, foreign, 'crd_unknown']) {
      expect(await seen(await unlink(member.browser, id))).toEqual(answers.notFresh);
    }
    const stale = await member.browser.cookie('pid_access');
    await member.browser.fetch('/v1/auth/logout', { method: 'POST' });
    const headers = { Cookie: `pid_access=${stale}`, Origin: target.origin };
    const answer = await target.request(`/v1/credentials/${own}`, { method: 'DELETE', headers });
    expect(await seen(answer)).toEqual(answers.unauthenticated);
  });

  it('cannot be unlinked by a session from before the last restore', async () => {
    const member = await newMember(target);
    const { id } = await link(member);
    await target.advance(1);
    await target.rows('UPDATE settings SET sessions_not_before = ?', [target.now()]);
    try {
      expect(await seen(await unlink(member.browser, id))).toEqual(answers.unauthenticated);
    } finally {
      await target.rows('UPDATE settings SET sessions_not_before = 0');
    }
    expect((await unlink(member.browser, id)).status).toBe(204);
  });

  it('are unlinked only once by four concurrent requests from two browsers', async () => {
    const member = await newMember(target);
    const second = openBrowser(target);
    await signIn(target, second, member.claims);
    for (let round = 0; round < 20; round += 1) {
      const { id } = await link(member);
      const browsers = [member.browser, member.browser, second, second];
      const results = await Promise.all(browsers.map((browser) => unlink(browser, id)));
      expect(results.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    }
  });

  it('always number at least one when the last two are unlinked concurrently [D-46]', async () => {
    const member = await newMember(target);
    let kept = await ownId(member);
    for (let round = 0; round < 50; round += 1) {
      const { id } = await link(member);
      const both = [kept, id];
      const results = await Promise.all(both.map((one) => unlink(member.browser, one)));
      const statuses = results.map(({ status }) => status);
      expect([...statuses].sort()).toEqual([204, 400]);
      kept = both[statuses.indexOf(400)] ?? '';
      expect((await list(member.browser)).map((credential) => credential.id)).toEqual([kept]);
    }
  });
});

describe('FRESH_SECONDS=0', () => {
  useService({ FRESH_SECONDS: '0' });

  it('allows unlinking after a sign-in of any age', async () => {
    const member = await newMember(target);
    const { id } = await link(member);
    await target.advance(86_400);
    await refresh(member.browser);
    expect((await unlink(member.browser, id)).status).toBe(204);
  });
});
