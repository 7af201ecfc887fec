import { beforeAll, describe, expect, it } from 'vitest';
import { anotherBrowser, dumpRecords, refusal } from '../support/answers.ts';
import { openBrowser } from '../support/browser.ts';
import { ledTo } from '../support/oauth.ts';
import { newMember, signIn, somebody, startSignIn } from '../support/people.ts';
import {
  appOrigin,
  decide,
  decisionFields,
  makeOpener,
  openPopup,
  registered,
  signInInPopup,
} from '../support/popup.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { form } from '../support/sandbox.ts';
import { startService, useService } from '../support/service.ts';

/** Windows without a request, opened first, because each responds only after waiting two seconds. */
let lonely: Promise<string[]>;
const target = useService();
beforeAll(async () => {
  const { id } = makeChannel();
  lonely = Promise.all(
    ['', '&visit=2', '&visit=3'].map(async (visit) => {
      const page = await openBrowser(target).navigate(`/popup/login?c=${id}${visit}`);
      return `${page.status} ${await page.text()}`;
    }),
  );
});

describe('the login popup', () => {
  it('shows the app’s name, and links to each provider with the request id', async () => {
    const opener = await registered(target);
    const page = await openPopup(openBrowser(target), opener);
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toMatch(new RegExp(`<a [^>]*href="/v1/auth/idp\\?popup=${opener.id}" data-away="idp">`));
    expect(text).toContain(`<strong>${appOrigin}</strong>`);
    expect(text).toContain(`data-popup="${opener.id}" data-phase="choose" data-origin="${appOrigin}"`);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
  });

  it('keeps its request when the language changes after a wrong password', async () => {
    const opener = await registered(target);
    const browser = openBrowser(target);
    await openPopup(browser, opener);
    const fields = { popup: opener.id, email: 'nobody@example.com', password: 'salah tetapi panjang' };
    const failed = await browser.navigate('/v1/auth/email/login', form(fields, target.origin));
    expect(failed.status).toBe(401);
    const [, link = ''] = /href="([^"]*ui_locales=id)"/.exec(await failed.text()) ?? [];
    const translated = await (await browser.navigate(link.replaceAll('&amp;', '&'))).text();
    expect(translated).toMatch(/<html lang="id">.*data-phase="choose".*value="nobody@example\.com"/s);
  });

  it('waits for a request registered after the window opens', async () => {
    const opener = makeOpener(target);
    const page = openPopup(openBrowser(target), opener);
    await opener.register();
    expect(await (await page).text()).toContain('data-phase="choose"');
  });

  it('uses the requested language and theme throughout', async () => {
    const opener = await registered(target);
    const browser = openBrowser(target);
    const asked = await browser.navigate(`/popup/login?c=${opener.id}&ui_locales=id&theme=dark`);
    expect(await asked.text()).toMatch(/<html lang="id">.*content="dark".*untuk melanjutkan ke/s);
    const later = await browser.navigate(`/popup/login?c=${opener.id}`);
    expect(await later.text()).toMatch(/<html lang="id">.*content="dark"/s);
  });

  it('does not run code injected into its address [case 20]', async () => {
    const opener = await registered(target);
    const attack = encodeURIComponent('"><script>alert(1)</script>');
    const page = await openBrowser(target).navigate(
      `/popup/login?c=${opener.id}&ui_locales=${attack}&theme=${attack}&visit=${attack}&other=${attack}`,
    );
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain('alert(1)');
    const forged = await openBrowser(target).navigate(`/popup/login?c=${attack}`);
    expect([forged.status, await forged.text()]).toEqual([404, expect.not.stringContaining('alert(1)')]);
  });

  it('is not opened by a prefetch', async () => {
    const opener = await registered(target);
    const path = `/popup/login?c=${opener.id}`;
    const ahead = await openBrowser(target).navigate(path, { headers: { 'Sec-Purpose': 'prefetch' } });
    expect([ahead.status, (await target.request(path, { method: 'HEAD' })).status]).toEqual([400, 204]);
    expect(await opener.poll()).toMatchObject({ status: 'created' });
  });
});

describe('a sign-in in a popup', () => {
  it('approves its request, and the popup confirms the sign-in', async () => {
    const { claims } = await newMember(target);
    const opener = await registered(target);
    const browser = openBrowser(target);
    await openPopup(browser, opener);
    const back = await signInInPopup(target, browser, opener.id, claims);
    expect([back.status, back.headers.get('Location')]).toEqual([302, `/popup/done?c=${opener.id}`]);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
    const text = await (await browser.navigate(`/popup/done?c=${opener.id}`)).text();
    expect(text).toContain('You are signed in');
    expect(text).toContain(
      `You can close this window and return to <a href="${appOrigin}"><strong>${appOrigin}</strong></a>`,
    );
    expect(text).toContain('data-phase="done"');
    expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
  });

  it('shows how much longer the opener will wait', async () => {
    const opener = await registered(target);
    const left = async () => {
      const page = await (await openBrowser(target).navigate(`/popup/login?c=${opener.id}`)).text();
      return Number(/data-seconds-left="(\d+)"/.exec(page)?.[1]);
    };
    expect(await left()).toBeGreaterThan(290);
    expect(await left()).toBeLessThanOrEqual(300);
    await target.advance(280);
    expect(await left()).toBeLessThanOrEqual(20);
  });

  it('approves only a request that one of our pages has shown [case 15]', async () => {
    const { claims } = await newMember(target);
    const opener = await registered(target);
    const browser = openBrowser(target);
    await signInInPopup(target, browser, opener.id, claims);
    expect(await opener.poll()).toMatchObject({ status: 'created' });
    const done = await browser.navigate(`/popup/done?c=${opener.id}`);
    expect(done.headers.get('Location')).toBe(`/popup/login?c=${opener.id}`);
    expect(await (await openPopup(browser, opener)).text()).toContain('Continue as');
  });

  it('cannot approve a request after its opener cancels it or it expires [case 11]', async () => {
    const { claims } = await newMember(target);
    const ends: [string, (opener: Awaited<ReturnType<typeof registered>>) => Promise<unknown>][] = [
      ['cancelled', (opener) => opener.ask('cancel')],
      ['expired', () => target.advance(301)],
    ];
    for (const [status, end] of ends) {
      const opener = await registered(target);
      const browser = openBrowser(target);
      await openPopup(browser, opener);
      const started = await startSignIn(target, browser, { claims }, `/v1/auth/idp?popup=${opener.id}`);
      await end(opener);
      expect((await browser.navigate(started.callback)).status).toBe(302);
      expect(await opener.poll()).toMatchObject({ status });
      const done = await browser.navigate(`/popup/done?c=${opener.id}`);
      expect(await done.text()).toContain('This request has ended');
    }
  });

  it('starts only on our own page, so no other site can have its request approved', async () => {
    const opener = await registered(target);
    const browser = openBrowser(target);
    await openPopup(browser, opener);
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'Sec-Fetch-Site': site };
      const answer = await browser.navigate(`/v1/auth/idp?popup=${opener.id}`, { headers });
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([403, 'origin_not_allowed']);
      // A link on the error page does not pass it on either.
      expect(await answer.text()).not.toContain(opener.id);
    }
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    expect((await browser.navigate(`/v1/auth/idp?popup=${opener.id}`, { headers })).status).toBe(302);
  });

  it('leaves its request open for another credential if it is rejected [case 29]', async () => {
    const { claims } = await newMember(target);
    const opener = await registered(target);
    const browser = openBrowser(target);
    await openPopup(browser, opener);
    const conflict = { ...somebody(), email: claims.email };
    const refused = await signInInPopup(target, browser, opener.id, conflict);
    expect(refused.status).toBe(409);
    const text = await refused.text();
    expect(text).toContain('Email sudah terhubung dengan akun lain');
    expect(text).toContain(`href="/popup/login?c=${opener.id}"`);
    expect(text).toContain(`data-popup="${opener.id}" data-phase="error"`);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    const cancelled = await startSignIn(target, browser, { claims }, `/v1/auth/idp?popup=${opener.id}`);
    const [path, query] = cancelled.callback.split('?');
    const state = new URLSearchParams(query).get('state') ?? '';
    const answer = await browser.navigate(
      `${path}?${new URLSearchParams({ state, error: 'access_denied' })}`,
    );
    expect([answer.status, await opener.poll()]).toMatchObject([400, { status: 'opened' }]);
    await signInInPopup(target, browser, opener.id, claims);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
  });
});

describe('a signed-in person in the popup', () => {
  it('must approve explicitly, and a second decision changes nothing [case 16]', async () => {
    const { browser, handle } = await newMember(target);
    const opener = await registered(target);
    const page = await openPopup(browser, opener);
    const fields = { ...(await decisionFields(page.clone())), decision: 'approved' };
    expect(await page.text()).toContain(`Continue as ${handle}@pid`);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    const answer = await decide(target, browser, opener.id, fields);
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `/popup/done?c=${opener.id}`]);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
    const before = await dumpRecords(target);
    for (const decision of ['approved', 'denied']) {
      expect((await decide(target, browser, opener.id, { ...fields, decision })).status).toBe(303);
    }
    expect(await dumpRecords(target)).toEqual(before);
    const [row] = await target.rows<{ handle: string }>('SELECT handle FROM popup_requests WHERE id = ?', [
      opener.id,
    ]);
    expect(row?.handle).toBe(handle);
  });

  it('must decide even if the access token has expired, but signs in if the session is revoked', async () => {
    const { browser, handle } = await newMember(target);
    await target.advance(901);
    const opener = await registered(target);
    const path = `/popup/login?c=${opener.id}&theme=dark`;
    const renewal = (await browser.navigate(path)).headers.get('Location');
    expect(renewal).toBe(`/v1/auth/continue?${new URLSearchParams({ returnTo: `${target.origin}${path}` })}`);
    expect((await browser.navigate(renewal ?? '')).headers.get('Location')).toBe(`${target.origin}${path}`);
    expect(await (await browser.navigate(path)).text()).toContain(`Continue as ${handle}@pid`);

    await target.rows('DELETE FROM sessions WHERE handle = ?', [handle]);
    await target.advance(901);
    const later = await registered(target);
    expect((await browser.navigate(`/popup/login?c=${later.id}&other=1`)).status).toBe(200);
    const next = (await openPopup(browser, later)).headers.get('Location') ?? '';
    const ended = (await browser.navigate(next)).headers.get('Location') ?? '';
    expect(ended).toBe(`${target.origin}/popup/login?c=${later.id}&signed_out=1`);
    const page = await browser.navigate(ended);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('data-phase="choose"')]);
  });

  it('is renewed without a redirect that the opener of another site could count [D-89]', async () => {
    const { browser } = await newMember(target);
    await target.advance(901);
    const opener = await registered(target);
    const path = `/popup/login?c=${opener.id}`;
    const fromElsewhere = { headers: { 'Sec-Fetch-Site': 'cross-site' } };
    const answer = await browser.navigate(path, fromElsewhere);
    const returnTo = `${target.origin}${path}`;
    expect([answer.status, await ledTo(answer)]).toEqual([
      200,
      `${target.origin}/v1/auth/continue?${new URLSearchParams({ returnTo })}`,
    ]);
    expect((await openBrowser(target).navigate(path, fromElsewhere)).status).toBe(200);
  });

  it('may sign in as another person instead', async () => {
    const { browser } = await newMember(target);
    const other = await newMember(target);
    const opener = await registered(target);
    const text = await (await openPopup(browser, opener)).text();
    expect(text).toContain(`href="/popup/login?c=${opener.id}&amp;other=1"`);
    const choices = await browser.navigate(`/popup/login?c=${opener.id}&other=1`);
    expect(await choices.text()).toContain(`href="/v1/auth/idp?popup=${opener.id}"`);
    await signInInPopup(target, browser, opener.id, other.claims);
    const [row] = await target.rows<{ handle: string }>('SELECT handle FROM popup_requests WHERE id = ?', [
      opener.id,
    ]);
    expect([row?.handle, await opener.poll()]).toMatchObject([other.handle, { status: 'approved' }]);
  });

  it('cannot decide with a form from another browser or an earlier sign-in', async () => {
    const [first, second] = [await newMember(target), await newMember(target)];
    const opener = await registered(target);
    const fields = {
      ...(await decisionFields(await openPopup(first.browser, opener))),
      decision: 'approved',
    };
    const altered = refusal(400, 'Approval request was altered');
    expect(await says(await decide(target, second.browser, opener.id, fields))).toEqual(altered);
    await signIn(target, first.browser, second.claims);
    expect(await says(await decide(target, first.browser, opener.id, fields))).toEqual(altered);
    const nobody = await decide(target, openBrowser(target), opener.id, fields);
    expect(await says(nobody)).toEqual(refusal(401, 'Authentication is required'));
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
  });

  it('cannot decide with a form that is altered, for another request or from another site [case 18]', async () => {
    const { browser } = await newMember(target);
    const [opener, other] = [
      await registered(target),
      await registered(target, 'http://shop.localhost:5173'),
    ];
    const fields = { ...(await decisionFields(await openPopup(browser, opener))), decision: 'approved' };
    const others = { ...(await decisionFields(await openPopup(browser, other))), decision: 'approved' };
    const altered = refusal(400, 'Approval request was altered');
    const before = await dumpRecords(target);
    const attempts: Record<string, string>[] = [
      others,
      { ...others, token: fields.token },
      { ...others, digest: fields.digest },
      { ...fields, token: '' },
      { decision: 'approved' },
      { decision: 'denied', digest: 'another' },
    ];
    for (const attempt of attempts) {
      expect(await says(await decide(target, browser, opener.id, attempt))).toEqual(altered);
    }
    const invalid = await decide(target, browser, opener.id, { ...fields, decision: 'maybe' });
    expect(await says(invalid)).toEqual(refusal(400, 'decision must be approved or denied'));
    for (const origin of [appOrigin, 'https://evil.example', 'null']) {
      const answer = await browser.navigate(`/popup/requests/${opener.id}/decision`, form(fields, origin));
      expect(await says(answer)).toEqual(refusal(403, 'Origin is not allowed'));
    }
    const unknown = await decide(target, browser, makeChannel().id, { ...fields, decision: 'denied' });
    expect(await says(unknown)).toEqual(refusal(404, 'Popup request does not exist'));
    expect(await dumpRecords(target)).toEqual(before);
  });

  it('cannot decide too late [case 11]', async () => {
    const { browser } = await newMember(target);
    const opener = await registered(target);
    const fields = { ...(await decisionFields(await openPopup(browser, opener))), decision: 'approved' };
    await target.advance(301);
    const late = await decide(target, browser, opener.id, fields);
    expect(await says(late)).toEqual(refusal(400, 'Approval request has expired'));
    expect(await opener.poll()).toMatchObject({ status: 'expired' });
  });

  it('cannot decide after the session is revoked elsewhere, but may sign in again here [case 26]', async () => {
    const member = await newMember(target);
    const opener = await registered(target);
    const browser = await anotherBrowser(target, member);
    const fields = { ...(await decisionFields(await openPopup(browser, opener))), decision: 'approved' };
    const ended = await member.browser.fetch('/v1/sessions', { method: 'DELETE' });
    expect(ended.ok).toBe(true);
    const answer = await decide(target, browser, opener.id, fields);
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain(`href="/popup/login?c=${opener.id}&amp;other=1"`);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    await signInInPopup(target, browser, opener.id, member.claims);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
  });

  it('may cancel, as may anyone who sees the page', async () => {
    const { browser } = await newMember(target);
    for (const person of [browser, openBrowser(target)]) {
      const opener = await registered(target);
      const fields = await decisionFields(await openPopup(person, opener));
      const answer = await decide(target, person, opener.id, { ...fields, decision: 'denied' });
      expect(answer.status).toBe(303);
      expect(await opener.poll()).toMatchObject({ status: 'denied', reason: null });
      const done = await person.navigate(`/popup/done?c=${opener.id}`);
      expect(await done.text()).toContain('Sign-in cancelled');
    }
  });
});

it('the popup reports that there were too many requests, and works again later', async () => {
  const limited = await startService({
    RATE_LIMITS: JSON.stringify({
      'GET /popup/login': 1,
      'GET /popup/done': 1,
      'POST /popup/requests/:id/decision': 1,
      'GET /v1/auth/idp': 1,
    }),
  });
  const opener = await registered(limited);
  const browser = openBrowser(limited);
  const fields = { digest: '', token: '', decision: 'denied' };
  const ways = [
    () => openPopup(browser, opener),
    () => browser.navigate(`/popup/done?c=${opener.id}`),
    () => decide(limited, browser, opener.id, fields),
    () => browser.navigate(`/v1/auth/idp?popup=${opener.id}`),
  ];
  for (const go of ways) {
    await go();
    const refused = await go();
    expect([refused.status, refused.headers.get('Referrer-Policy')]).toEqual([429, 'strict-origin']);
    const text = await refused.text();
    expect(text).toContain(`data-popup="${opener.id}" data-phase="error"`);
    expect(text).toContain(`href="/popup/login?c=${opener.id}"`);
  }
});

describe('a window without a request', () => {
  it('looks for a request for ten seconds, even without JavaScript, and then reports that there is none [cases 7, 33]', async () => {
    const [first = '', second = '', third = ''] = await lonely;
    expect(first).toMatch(
      /^200 .*<noscript><meta http-equiv="refresh" content="2; url=[^"]*visit=2".*data-phase="wait"/s,
    );
    expect(first).not.toContain('data-origin');
    expect(second).toMatch(/^200 .*<noscript><meta http-equiv="refresh" content="2; url=[^"]*visit=3"/s);
    expect(third).toMatch(/^404 .*Nothing to do here/s);
    expect(third).not.toContain('<noscript>');
  });

  it('cannot open the final page', async () => {
    const done = await openBrowser(target).navigate(`/popup/done?c=${makeChannel().id}`);
    expect([done.status, done.headers.get('X-Error-Code')]).toEqual([404, 'popup_not_found']);
  });
});

/** The error shown by a page, in the form of `refusal`. */
async function says(answer: Response): Promise<[number, unknown]> {
  const text = await answer.text();
  const [, message = ''] = /<span lang="en">([^<]*)<\/span>/.exec(text) ?? [];
  return refusal(answer.status, message);
}
