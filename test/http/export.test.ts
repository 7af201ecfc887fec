import { describe, expect, it } from 'vitest';
import { anotherBrowser, inOneTrip, sessionIdOf } from '../support/answers.ts';
import { newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

describe('GET /v1/me/export', () => {
  it('returns all stored data about the person as a file, in one round trip', async () => {
    const member = await newMember(target);
    await newMember(target);
    await target.advance(1);
    const second = await anotherBrowser(target, member, 'curl/8.7');
    await second.fetch('/v1/auth/logout', { method: 'POST' });
    const answer = await inOneTrip(target, () => member.browser.fetch('/v1/me/export'));
    expect(answer.headers.get('Content-Disposition')).toBe(
      `attachment; filename="peridot-${member.handle}.json"`,
    );
    const { handle, claims } = member;
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const session = {
      provider: 'idp',
      createdAt: time,
      lastUsedAt: time,
      expiresAt: time,
      address: expect.stringMatching(/./),
      country: null,
    };
    const live = { endedAt: null, endedBecause: null, userAgent: null };
    const line = {
      at: time,
      provider: 'idp',
      reason: null,
      app: null,
      amount: null,
      party: null,
      device: null,
      country: null,
    };
    expect(await answer.json()).toEqual({
      exportedAt: time,
      complete: true,
      identity: { pid: `${handle}@pid`, handle, status: 'active', createdAt: time, level: 'unverified' },
      profile: { displayName: claims.name, locale: 'id', stepUpAmount: null, updatedAt: time },
      emails: [{ email: claims.email, verifiedAt: time }],
      credentials: [
        {
          id: expect.stringMatching(/^crd_/),
          provider: 'idp',
          providerUserId: claims.sub,
          email: claims.email,
          name: null,
          linkedAt: time,
          lastLoginAt: time,
        },
      ],
      sessions: [
        { ...session, ...live, id: await sessionIdOf(member) },
        { ...session, id: expect.any(String), endedAt: time, endedBecause: 'logout', userAgent: 'curl/8.7' },
      ],
      activity: [
        { ...line, type: 'data.exported', provider: null },
        { ...line, type: 'session.ended', reason: 'logout', device: 'curl' },
        { ...line, type: 'session.started', device: 'curl' },
        { ...line, type: 'session.started' },
        { ...line, type: 'identity.claimed', provider: null },
        { ...line, type: 'credential.linked' },
      ],
      apps: [],
      grants: [],
      appSessions: [],
      wallet: null,
      withdrawals: [],
      deposits: [],
    });
  });

  it('includes a live session even if its start is no longer in the activity', async () => {
    const member = await newMember(target);
    await target.rows('DELETE FROM activity WHERE handle = ?', [member.handle]);
    const held = await (await member.browser.fetch('/v1/me/export')).json();
    expect(held).toMatchObject({
      sessions: [{ id: await sessionIdOf(member) }],
      activity: [{ type: 'data.exported' }],
    });
  });

  it('contains no secret, no digest of a secret, and no data about anyone else', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const text = await (await member.browser.fetch('/v1/me/export')).text();
    const [row] = await target.rows<Record<string, string>>(
      'SELECT s.token_hash, i.ticket, i.skeleton FROM sessions s JOIN identities i ON i.handle = s.handle WHERE s.handle = ?',
      [member.handle],
    );
    for (const [name, secret] of Object.entries(row ?? {})) {
      if (secret !== member.handle) expect(text.includes(secret), name).toBe(false);
    }
    for (const foreign of [other.handle, other.claims.email, other.claims.sub, await sessionIdOf(other)]) {
      expect(text.includes(foreign), foreign).toBe(false);
    }
  });

  it('contains every activity line and every session, which are read page by page [D-100]', async () => {
    const { browser, handle } = await newMember(target);
    await target.rows(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
        INSERT INTO activity (handle, at, type, detail) SELECT ?, 1, 'profile.changed', 'x' || i FROM n`,
      [handle],
    );
    await target.rows(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
        INSERT INTO sessions (id, handle, credential_id, provider, authenticated_at, created_at, last_seen_at, expires_at,
          token_hash, token_expires_at)
        SELECT 'ses_' || printf('%04d', i), s.handle, s.credential_id, 'idp', 1, 1, 1, s.expires_at, 'hash' || i, 2
        FROM n JOIN sessions s ON s.handle = ?`,
      [handle],
    );
    const held = (await (await browser.fetch('/v1/me/export')).json()) as {
      complete: boolean;
      activity: unknown[];
      sessions: { id: string; endedAt: string | null }[];
    };
    // 450 sessions started, of which 200 with the member's own are live; the member's own sign-in and the export account
    // for the other lines.
    expect([held.complete, held.activity.length]).toEqual([true, 450 + 450 + 251 + 4]);
    expect(new Set(held.sessions.map(({ id }) => id)).size).toBe(451);
    expect(held.sessions.filter(({ endedAt }) => endedAt !== null)).toHaveLength(251);
  });
});
