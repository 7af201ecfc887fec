import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { startService } from '../support/service.ts';

const sessionOf = async (browser: Browser) => (await browser.fetch('/v1/auth/session')).json();
const tokenOf = async (browser: Browser) => decodeJwt((await browser.cookie('pid_access')) ?? '');

describe('the primary address in a session', () => {
  it('is included and verified with SESSION_EMAIL, from the claim through a refresh', async () => {
    const target = await startService({ SESSION_EMAIL: 'on' });
    const { browser, claims } = await newMember(target);
    const shown = { email: claims.email };
    expect(await sessionOf(browser)).toMatchObject(shown);
    expect(await tokenOf(browser)).toMatchObject({ ...shown, email_verified: true });
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
    expect(await tokenOf(browser)).toMatchObject({ ...shown, email_verified: true });
    await target.rows('UPDATE credentials SET email = NULL');
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(await sessionOf(browser)).toMatchObject({ email: null });
    expect(await tokenOf(browser)).not.toHaveProperty('email_verified');
  });

  it('is in neither the response nor the token without the setting', async () => {
    const target = await startService();
    const { browser } = await newMember(target);
    expect(await sessionOf(browser)).not.toHaveProperty('email');
    expect(await tokenOf(browser)).not.toHaveProperty('email');
  });
});
