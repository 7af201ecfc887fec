import { describe, expect, it } from 'vitest';
import { json, openBrowser } from '../support/browser.ts';
import { newMember, signIn, somebody } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

describe('the main flow', () => {
  it('signs a newcomer in, lets them claim a PID only once, refresh, return, and log out', async () => {
    const browser = openBrowser(target);
    const claims = somebody();
    const login = await browser.fetch('/v1/auth/login', { method: 'POST' });
    expect([login.status, await login.json()]).toEqual([200, { url: '/v1/auth/idp' }]);

    const first = await signIn(target, browser, claims);
    expect(first.status).toBe(302);
    expect(first.headers.get('Location')).toBe('http://localhost:8787/dev/welcome?claim=1');
    expect((await browser.fetch('/v1/auth/session')).status).toBe(401);

    const preview = await browser.fetch('/v1/auth/claim');
    expect(await preview.json()).toMatchObject({
      provider: 'idp',
      email: claims.email,
      displayName: claims.name,
    });
    const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle: 'The.Main-Job' }));
    expect(claimed.status).toBe(200);
    expect(await claimed.json()).toMatchObject({ pid: 'the.main-job@pid', handle: 'the.main-job' });

    const read = await browser.fetch('/v1/auth/session');
    expect(read.status).toBe(200);
    const before = await browser.cookie('pid_refresh');
    const refreshed = await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect([refreshed.status, await refreshed.text()]).toEqual([204, '']);
    expect(await browser.cookie('pid_refresh')).not.toBe(before);

    expect((await browser.fetch('/v1/auth/logout', { method: 'POST' })).status).toBe(204);
    expect((await browser.fetch('/v1/auth/session')).status).toBe(401);

    const again = await signIn(target, browser, claims);
    expect(again.headers.get('Location')).toBe('http://localhost:8787/dev/welcome');
    expect(await (await browser.fetch('/v1/auth/session')).json()).toMatchObject({ pid: 'the.main-job@pid' });
  });

  it('lists credentials and rejects the removal of the last one', async () => {
    const { browser, claims } = await newMember(target);
    const list = (await (await browser.fetch('/v1/credentials')).json()) as { id: string }[];
    expect(list).toEqual([
      {
        id: expect.stringMatching(/^crd_/),
        provider: 'idp',
        email: claims.email,
        linkedAt: expect.any(String),
        lastLoginAt: expect.any(String),
      },
    ]);
    const unlinked = await browser.fetch(`/v1/credentials/${list[0]?.id}`, { method: 'DELETE' });
    expect(unlinked.status).toBe(400);
    expect(await unlinked.json()).toEqual({
      statusCode: 400,
      message: 'Cannot unlink the last credential',
      code: 'last_credential',
    });
  });
});
