import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../support/authenticator.ts';
import { json, openBrowser } from '../support/browser.ts';
import {
  askLogin,
  askRegistration,
  newPasskeyMember,
  sendLogin,
  sendRegistration,
} from '../support/passkeys.ts';
import { freshHandle } from '../support/people.ts';
import { appOrigin, openPopup, registered } from '../support/popup.ts';
import { form } from '../support/sandbox.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

describe('a passkey in a login popup', () => {
  it('is offered, and its sign-in approves the request', async () => {
    const { authenticator } = await newPasskeyMember(target);
    const opener = await registered(target);
    const browser = openBrowser(target);
    const page = await (await openPopup(browser, opener)).text();
    expect(page).toContain('Use a passkey');
    expect(page).toContain(`data-next="/popup/done?c=${opener.id}"`);
    const assertion = await authenticator.get(await askLogin(browser));
    const { headers, ...request } = json('POST', { ...assertion, popup: opener.id });
    const own = { ...request, headers: { ...headers, Origin: target.origin } };
    expect((await browser.fetch('/v1/auth/passkey/verify', own)).status).toBe(204);
    expect((await opener.poll())['status']).toBe('approved');
    expect((await browser.navigate(`/popup/done?c=${opener.id}`)).status).toBe(200);
  });

  it('does not approve a request if the sign-in comes from a page on another site', async () => {
    const { authenticator } = await newPasskeyMember(target);
    const opener = await registered(target);
    const browser = openBrowser(target);
    await openPopup(browser, opener);
    const assertion = await authenticator.get(await askLogin(browser));
    const { headers, ...request } = json('POST', { ...assertion, popup: opener.id });
    const foreign = { ...request, headers: { ...headers, Origin: appOrigin } };
    expect((await browser.fetch('/v1/auth/passkey/verify', foreign)).status).toBe(403);
    expect((await opener.poll())['status']).toBe('opened');
    // Nothing was used: the same assertion signs in without a popup.
    expect((await sendLogin(browser, assertion)).status).toBe(204);
    expect((await opener.poll())['status']).toBe('opened');
  });

  it('leads a newcomer to a claim, which approves the request', async () => {
    const opener = await registered(target);
    const browser = openBrowser(target);
    await openPopup(browser, opener);
    const registration = await createAuthenticator(target.origin).create(
      await askRegistration(browser, 'newcomer'),
    );
    expect((await sendRegistration(browser, 'newcomer', registration)).status).toBe(200);
    const claim = await browser.navigate(`/popup/claim?c=${opener.id}`);
    expect(claim.headers.get('Location')).toBe(`/v1/auth/claim?popup=${opener.id}`);
    const handle = freshHandle();
    const fields = { handle, confirmed: handle, popup: opener.id };
    const done = await browser.navigate('/v1/auth/claim', form(fields, target.origin));
    expect([done.status, done.headers.get('Location')]).toEqual([303, `/popup/done?c=${opener.id}`]);
    expect((await opener.poll())['status']).toBe('approved');
  });
});
