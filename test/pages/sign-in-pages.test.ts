import { describe, expect, it } from 'vitest';
import { linkOf, openBrowser } from '../support/browser.ts';
import { newPasswordMember } from '../support/passwords.ts';

import { form, signInAtSandbox } from '../support/sandbox.ts';
import { sandboxProvider, useService } from '../support/service.ts';

const target = useService(sandboxProvider);

describe('the sign-in page', () => {
  it('lets signed-in people continue, and offers other methods on request', async () => {
    const { browser, handle } = await newPasswordMember(target);
    const page = await browser.navigate('/signin?returnTo=/cart');
    const text = await page.clone().text();
    expect(text).toMatch(
      new RegExp(`<a class="button main full" href="[^"]*returnTo=%2Fcart">Continue as ${handle}@pid</a>`),
    );
    expect(text).not.toContain('type="password"');
    const other = await (await browser.navigate(await linkOf(page, '/signin'))).text();
    for (const kept of ['type="password"', 'name="returnTo" value="/cart"']) expect(other).toContain(kept);
  });

  it('renews a session with an expired access token, and shows the sign-in without a session', async () => {
    const { browser, handle } = await newPasswordMember(target);
    await target.advance(901);
    const path = '/signin?returnTo=/cart';
    const renewal = (await browser.navigate(path)).headers.get('Location') ?? '';
    expect(renewal).toBe(`/v1/auth/continue?${new URLSearchParams({ returnTo: `${target.origin}${path}` })}`);
    const returned = (await browser.navigate(renewal)).headers.get('Location') ?? '';
    expect(returned).toBe(`${target.origin}${path}`);
    expect(await (await browser.navigate(path)).text()).toContain(`Continue as ${handle}@pid`);

    await target.rows('DELETE FROM sessions WHERE handle = ?', [handle]);
    await target.advance(901);
    const next = (await browser.navigate(path)).headers.get('Location') ?? '';
    const ended = (await browser.navigate(next)).headers.get('Location') ?? '';
    expect(ended).toBe(`${target.origin}${path}&signed_out=1`);
    expect(await (await browser.navigate(ended)).text()).toContain('type="password"');
  });

  it('requires everyone to sign in again where a recent sign-in is required', async () => {
    const { browser } = await newPasswordMember(target);
    for (const query of ['prompt=login', 'claim=link', 'other=1'])
      expect(await (await browser.navigate(`/signin?${query}`)).text(), query).toContain('type="password"');
  });

  it('shows the method last used in this browser', async () => {
    const browser = openBrowser(target);
    const lastUsed = async () =>
      /(?:Continue with Sandbox|>Sign in)<span class="badge">Last used</.exec(
        await (await browser.navigate('/signin?other=1')).text(),
      )?.[0];
    expect(await lastUsed()).toBeUndefined();
    await signInAtSandbox(browser, { user: 'budi' });
    expect(await lastUsed()).toMatch(/Continue with Sandbox/);
    const { email, password } = await newPasswordMember(target);
    await browser.navigate('/v1/auth/email/login', form({ email, password }, target.origin));
    expect(await lastUsed()).toMatch(/>Sign in</);
  });

  it('focuses only the password field, and only after a wrong password', async () => {
    expect(await (await openBrowser(target).navigate('/signin')).text()).not.toContain('autofocus');
    const wrong = form({ email: 'a@example.com', password: 'salah tetapi panjang' }, target.origin);
    const again = await (await openBrowser(target).navigate('/v1/auth/email/login', wrong)).text();
    expect(again).toMatch(/<input[^>]*id="password"[^>]*autofocus/);
    expect(again.match(/autofocus/g)).toHaveLength(1);
  });

  it('has one line for newcomers', async () => {
    const page = await (await openBrowser(target).navigate('/signin')).text();
    expect(page.match(/New here\?/g)).toHaveLength(1);
  });
});
