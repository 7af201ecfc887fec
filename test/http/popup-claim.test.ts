import { describe, expect, it } from 'vitest';
import { type Browser, openBrowser } from '../support/browser.ts';
import { freshHandle, newMember, signIn, somebody } from '../support/people.ts';
import { appOrigin, openPopup, registered, signInInPopup } from '../support/popup.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';

const target = useService();

/** A newcomer who has signed in in the popup but has not claimed a handle yet. */
async function newcomer(): Promise<{ browser: Browser; opener: Awaited<ReturnType<typeof registered>> }> {
  const opener = await registered(target);
  const browser = openBrowser(target);
  await openPopup(browser, opener);
  const back = await signInInPopup(target, browser, opener.id, somebody());
  expect(back.headers.get('Location')).toBe(`/popup/claim?c=${opener.id}`);
  return { browser, opener };
}

const claimForm = (popup: string, handle: string) =>
  form({ popup, handle, displayName: 'Ada', confirmed: handle }, target.origin);

describe('a claim in a popup', () => {
  it('happens on a popup page and approves the request [case 28]', async () => {
    const { browser, opener } = await newcomer();
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    const there = await browser.navigate(`/popup/claim?c=${opener.id}`);
    expect([there.status, there.headers.get('Location')]).toEqual([302, `/v1/auth/claim?popup=${opener.id}`]);
    const page = await browser.navigate(`/v1/auth/claim?popup=${opener.id}`);
    const text = await page.text();
    expect(text).toContain(`data-popup="${opener.id}" data-phase="claim" data-origin="${appOrigin}"`);
    expect(text).toContain(`<strong>${appOrigin}</strong>`);
    expect(
      text.match(new RegExp(`<input type="hidden" name="popup" value="${opener.id}"`, 'g')),
    ).toHaveLength(2);
    const taken = (await newMember(target)).handle;
    const refused = await browser.navigate('/v1/auth/claim', claimForm(opener.id, taken));
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('data-phase="claim"'),
    ]);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    const handle = freshHandle();
    const claimed = await browser.navigate('/v1/auth/claim', claimForm(opener.id, handle));
    expect([claimed.status, claimed.headers.get('Location')]).toEqual([303, `/popup/done?c=${opener.id}`]);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
    const [row] = await target.rows('SELECT handle FROM popup_requests WHERE id = ?', [opener.id]);
    expect(row).toEqual({ handle });
  });

  it('returns to the sign-in if the ticket has expired or is discarded [case 28]', async () => {
    const { browser, opener } = await newcomer();
    await target.rows('UPDATE claim_tickets SET expires_at = 1 WHERE consumed_by IS NULL');
    for (const answer of [
      await browser.navigate(`/v1/auth/claim?popup=${opener.id}`),
      await browser.navigate('/v1/auth/claim', claimForm(opener.id, freshHandle())),
    ]) {
      expect(answer.status).toBe(410);
      const text = await answer.text();
      expect(text).toContain(`href="/popup/login?c=${opener.id}"`);
      expect(text).not.toContain('href="/signin"');
    }
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    await signInInPopup(target, browser, opener.id, somebody());
    const left = await browser.navigate('/v1/auth/claim/leave', form({ popup: opener.id }, target.origin));
    expect([left.status, left.headers.get('Location')]).toEqual([303, `/popup/login?c=${opener.id}`]);
  });

  it('does not change any request if it happens outside a popup', async () => {
    const { opener } = await newcomer();
    const browser = openBrowser(target);
    await signIn(target, browser);
    const claimed = await browser.navigate('/v1/auth/claim', claimForm('not a request', freshHandle()));
    expect(claimed.headers.get('Location')).toBe('/claim/done');
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
  });

  it('does not approve a request if its form comes from a page on another site', async () => {
    const { opener, browser } = await newcomer();
    const handle = freshHandle();
    const foreign = form({ popup: opener.id, handle, displayName: 'Ada', confirmed: handle }, appOrigin);
    expect((await browser.navigate('/v1/auth/claim', foreign)).status).toBe(403);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    expect((await browser.navigate('/v1/auth/claim', claimForm(opener.id, handle))).status).toBe(303);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
  });

  it('is not needed in revision direct, where a newcomer is signed in immediately', async () => {
    await target.restart({ INTERFACE_REVISION: 'direct' });
    const opener = await registered(target);
    const browser = openBrowser(target);
    await openPopup(browser, opener);
    const back = await signInInPopup(target, browser, opener.id, somebody());
    expect(back.headers.get('Location')).toBe(`/popup/done?c=${opener.id}`);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
  });
});
