import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../support/authenticator.ts';
import { openBrowser } from '../support/browser.ts';
import { askLogin, askRegistration, login, newPasskeyMember, sendRegistration } from '../support/passkeys.ts';
import { production } from '../support/production.ts';
import { startService } from '../support/service.ts';
import type { Target, TargetVariables } from '../support/target.ts';

const start = (variables: TargetVariables) => startService({ ...production, ...variables });

const wellKnown = async (service: Target) => (await service.request('/.well-known/webauthn')).json();

describe('passkeys in a deployed service', () => {
  it('belong to PASSKEY_RP_ID, COOKIE_DOMAIN or the BASE_URL host, in that order of preference', async () => {
    for (const [variables, rpId] of [
      [{}, 'id.example.com'],
      [{ COOKIE_DOMAIN: 'example.com' }, 'example.com'],
      [{ COOKIE_DOMAIN: 'example.com', PASSKEY_RP_ID: 'ID.example.com' }, 'id.example.com'],
    ] as const) {
      const service = await start({ ...variables });
      const browser = openBrowser(service);
      expect((await askLogin(browser)).rpId).toBe(rpId);
      expect((await askRegistration(browser, 'newcomer')).rp).toEqual({ id: rpId, name: rpId });
    }
  });

  it('work only on first-party origins, and those on other domains are listed as related [S-01]', async () => {
    const service = await start({ PASSKEY_RP_ID: 'example.com', ALLOWED_ORIGINS: 'https://spa.example.net' });
    expect(await wellKnown(service)).toEqual({ origins: ['https://spa.example.net'] });
    const { authenticator } = await newPasskeyMember(service);
    const statuses: Record<string, number> = {};
    for (const origin of [
      'https://id.example.com',
      'https://app.example.com',
      'https://spa.example.net',
      'https://other.example.com',
      'https://id.example.com:8443',
      'http://id.example.com',
      'http://localhost:8787',
    ]) {
      statuses[origin] = (await login(openBrowser(service), authenticator, { origin })).status;
    }
    expect(statuses).toEqual({
      'https://id.example.com': 204,
      'https://app.example.com': 204,
      'https://spa.example.net': 204,
      'https://other.example.com': 401,
      'https://id.example.com:8443': 401,
      'http://id.example.com': 401,
      'http://localhost:8787': 401,
    });
    await expect(wellKnown(await start({ ALLOWED_ORIGINS: '' }))).resolves.toEqual({
      origins: ['https://app.example.com'],
    });
    await service.close();
  });

  it('bind a ceremony to the browser with a host-only cookie that no sibling can replace', async () => {
    const service = await start({ COOKIE_DOMAIN: 'example.com' });
    const asked = await service.request('/v1/auth/passkey/options', { method: 'POST' });
    const [cookie = ''] = asked.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-pid_passkey=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const { authenticator } = await newPasskeyMember(service);
    const browser = openBrowser(service);
    await browser.jar.setCookie(
      `pid_passkey=${'A'.repeat(43)}; Domain=example.com; Path=/v1/auth`,
      service.origin,
    );
    expect((await login(browser, authenticator)).status).toBe(204);
  });
});

describe('in interface revision direct', () => {
  it('a first passkey creates the identity immediately', async () => {
    const target = await startService({ INTERFACE_REVISION: 'direct' });
    const browser = openBrowser(target);
    const authenticator = createAuthenticator(target.origin);
    const registration = await authenticator.create(await askRegistration(browser, 'newcomer'));
    const answer = await sendRegistration(browser, 'newcomer', registration);
    expect([answer.status, await answer.json()]).toEqual([200, { claim: false }]);
    const first = (await (await browser.fetch('/v1/auth/session')).json()) as { pid: string };
    expect(first).toMatchObject({ session: { provider: 'passkey' } });
    const other = openBrowser(target);
    expect((await login(other, authenticator)).status).toBe(204);
    expect(await (await other.fetch('/v1/auth/session')).json()).toMatchObject({ pid: first.pid });
  });
});
