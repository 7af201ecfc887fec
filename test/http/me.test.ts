import { describe, expect, it } from 'vitest';
import { inOneTrip, seen, unauthenticated } from '../support/answers.ts';
import { openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

describe('GET /v1/me', () => {
  it('returns the caller’s identity and profile, in one round trip', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const shown = async ({ browser }: typeof member) => (await browser.fetch('/v1/me')).json();
    await inOneTrip(target, () => shown(member));
    expect(await shown(member)).toEqual({
      pid: `${member.handle}@pid`,
      handle: member.handle,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      profile: { displayName: member.claims.name, locale: 'id' },
      email: member.claims.email,
      stepUpAmount: null,
      wallet: null,
    });
    expect(await shown(other)).toMatchObject({ handle: other.handle });
  });

  it('is rejected without a session, and as soon as the session is revoked', async () => {
    const { browser } = await newMember(target);
    expect(await seen(await openBrowser(target).fetch('/v1/me'))).toEqual(unauthenticated);
    const headers = { Cookie: `pid_access=${await browser.cookie('pid_access')}` };
    expect((await target.request('/v1/me', { headers })).status).toBe(200);
    await browser.fetch('/v1/auth/logout', { method: 'POST' });
    expect(await seen(await target.request('/v1/me', { headers }))).toEqual(unauthenticated);
  });
});
