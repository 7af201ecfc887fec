import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorMessage, isApiError, unwrap } from '../../sdk/index.ts';
import { openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';
import { openPage, stubBrowser, type TestPage } from './page.ts';

const pages: TestPage[] = [];
const target = useSharedService();
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
  vi.unstubAllGlobals();
});

function open(...[on, browser, options]: Parameters<typeof openPage>): TestPage {
  stubBrowser(browser.jar, 'http://localhost:5173/');
  const page = openPage(on, browser, options);
  pages.push(page);
  return page;
}

describe('the person’s own identity', () => {
  it('is renamed immediately in the snapshot and soon after in every other tab', async () => {
    const { browser, handle } = await newMember(target);
    const [here, there] = [open(target, browser), open(target, browser)];
    await Promise.all([here.client.auth.getSession(), there.client.auth.getSession()]);
    expect(unwrap(await here.client.me.get())).toMatchObject({ handle });
    const before = here.sent.length;
    const me = unwrap(await here.client.me.update({ displayName: 'New Name', locale: 'id-ID' }));
    expect(here.sent.slice(before)).toEqual(['PATCH /v1/me']);
    expect(me.profile).toEqual({ displayName: 'New Name', locale: 'id-ID' });
    expect(here.client.getSnapshot().session).toMatchObject({ handle, profile: me.profile });
    await vi.waitFor(
      () => expect(there.client.getSnapshot().session).toEqual(here.client.getSnapshot().session),
      20_000,
    );
    const refused = await here.client.me.update({ displayName: 'x'.repeat(65) });
    expect(isApiError(refused) && [refused.code, errorMessage(refused)]).toEqual([
      'validation_failed',
      'displayName must be shorter than or equal to 64 characters',
    ]);
    expect(here.client.getSnapshot().session?.profile).toEqual(me.profile);
  });

  it('has a step-up amount that can be changed only after a fresh sign-in', async () => {
    const { browser } = await newMember(target);
    const { client } = open(target, browser);
    for (const stepUpAmount of [500_000, null])
      expect(unwrap(await client.me.update({ stepUpAmount }))).toMatchObject({ stepUpAmount });
    await target.advance(901);
    expect(await client.me.update({ stepUpAmount: 0 })).toMatchObject({ statusCode: 403, code: 'not_fresh' });
    expect(unwrap(await client.me.get()).stepUpAmount).toBeNull();
  });

  it('has paginated activity and an export', async () => {
    const { browser, handle } = await newMember(target);
    const { client } = open(target, browser);
    const first = unwrap(await client.me.activity({ limit: 1 }));
    const second = unwrap(await client.me.activity({ cursor: first.nextCursor ?? '' }));
    expect([...first.data, ...second.data].map(({ type }) => type)).toContain('session.started');
    expect(unwrap(await client.me.export()).identity.handle).toBe(handle);
  });

  it('is closed only with its handle, which also signs the person out', async () => {
    const { browser, handle } = await newMember(target);
    const { client, signedOut } = open(target, browser);
    await client.auth.getSession();
    expect(await client.me.close('somebody-else')).toMatchObject({ statusCode: 400, code: 'wrong_handle' });
    expect(client.getSnapshot().status).toBe('authenticated');
    expect(await client.me.close(handle)).toEqual({ ok: true });
    expect([client.getSnapshot().status, signedOut]).toEqual(['anonymous', ['logout']]);
  });
});

it('the providers are listed for everyone', async () => {
  const { client } = open(target, openBrowser(target));
  const providers = unwrap(await client.providers.list());
  expect(providers.map(({ id }) => id)).toEqual(['idp', 'google', 'github']);
  expect(providers[0]).toEqual({ id: 'idp', name: expect.any(String), kind: 'oidc', configured: true });
});
