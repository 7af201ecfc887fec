import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { newMember, startService } from '../support/people.ts';
import { appOrigin, decide, decisionFields, registered, signInInPopup } from '../support/popup.ts';
import type { Target } from '../support/target.ts';

let target: Target;
beforeAll(async () => {
  target = await startService();
});
afterAll(() => target.close());

describe('a login in a popup', () => {
  it('is approved by a sign-in from its page, and the popup comes to its end', async () => {
    const { claims } = await newMember(target);
    const opener = await registered(target);
    expect(await opener.poll()).toEqual({
      status: 'created',
      kind: 'login',
      reason: null,
      openerLost: false,
      closed: false,
      seversOpener: false,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const browser = openBrowser(target);
    const page = await browser.navigate(`/popup/login?c=${opener.id}`);
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toContain(`href="/v1/auth/idp?popup=${opener.id}"`);
    expect(text).toContain(appOrigin);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    const back = await signInInPopup(target, browser, opener.id, claims);
    expect(back.headers.get('Location')).toBe(`/popup/done?c=${opener.id}`);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
    const done = await browser.navigate(`/popup/done?c=${opener.id}`);
    expect(await done.text()).toContain('You can close this window');
  });

  it('is approved by somebody who is signed in already only once they say so', async () => {
    const member = await newMember(target);
    const opener = await registered(target);
    const page = await member.browser.navigate(`/popup/login?c=${opener.id}`);
    const fields = await decisionFields(page);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    const answer = await decide(target, member.browser, opener.id, { ...fields, decision: 'approved' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `/popup/done?c=${opener.id}`]);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
  });
});
