import { describe, expect, it } from 'vitest';
import { seen, unauthenticated } from '../support/answers.ts';
import type { Browser } from '../support/browser.ts';
import { type Member, newMember, signIn, somebody, startSignIn } from '../support/people.ts';
import {
  decide,
  decisionFields,
  makeOpener,
  type Opener,
  openPopup,
  signInInPopup,
} from '../support/popup.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

/** An app's page in a member's browser that wants to link another account. */
async function linking(member: Member): Promise<Opener> {
  const opener = makeOpener(target);
  const answer = await opener.register({ link: 'idp' }, { Cookie: await member.browser.cookies() });
  if (answer.status !== 200) throw new Error(`not registered: ${answer.status} ${await answer.text()}`);
  return opener;
}

/** The path to which the popup's page redirects. */
async function startOf(browser: Browser, opener: Opener): Promise<string> {
  const text = await (await openPopup(browser, opener)).text();
  expect(text).toContain('data-phase="start"');
  const [, href = ''] = /<a [^>]*href="([^"]*)" data-away="idp"/.exec(text) ?? [];
  const path = href.replaceAll('&amp;', '&');
  expect(text).toContain(`<noscript><meta http-equiv="refresh" content="0; url=${href}"></noscript>`);
  expect(path).toMatch(new RegExp(`^/v1/auth/idp\\?link=[^&]+&popup=${opener.id}$`));
  return path;
}

async function credentialsOf({ browser }: Member): Promise<unknown[]> {
  return (await (await browser.fetch('/v1/credentials')).json()) as unknown[];
}

describe('a popup that links an account', () => {
  it('goes to its provider immediately, and is approved only by the link', async () => {
    const member = await newMember(target);
    const opener = await linking(member);
    const path = await startOf(member.browser, opener);
    const claims = { ...somebody(), email_verified: true };
    const { callback } = await startSignIn(target, member.browser, { claims }, path);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    const back = await member.browser.navigate(callback);
    expect([back.status, back.headers.get('Location')]).toEqual([302, `/popup/done?c=${opener.id}`]);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
    const done = await member.browser.navigate(`/popup/done?c=${opener.id}`);
    expect(await done.text()).toContain('Account added');
    expect(await credentialsOf(member)).toHaveLength(2);
  });

  it('is registered only with a session', async () => {
    expect(await seen(await makeOpener(target).register({ link: 'idp' }))).toEqual(unauthenticated);
  });

  it('cannot be started by another person, or approved without the link', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const opener = await linking(member);
    const page = await openPopup(other.browser, opener);
    const fields = await decisionFields(page.clone());
    expect(await page.text()).toContain(`First sign in as ${member.handle}@pid`);
    const answer = await decide(target, other.browser, opener.id, { ...fields, decision: 'approved' });
    expect(answer.status).toBe(400);
    await signInInPopup(target, other.browser, opener.id, other.claims);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    expect(await credentialsOf(other)).toHaveLength(1);
  });

  it('requires a new sign-in if the last one is too old, and then continues', async () => {
    const member = await newMember(target);
    await target.advance(901);
    await member.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const opener = await linking(member);
    const page = await openPopup(member.browser, opener);
    expect(await page.text()).toContain(`First sign in as ${member.handle}@pid`);
    await signInInPopup(target, member.browser, opener.id, member.claims);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    const done = await member.browser.navigate(`/popup/done?c=${opener.id}`);
    expect(done.headers.get('Location')).toBe(`/popup/login?c=${opener.id}`);
    await startOf(member.browser, opener);
  });

  it('stays open if the account belongs to another person', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const opener = await linking(member);
    const path = await startOf(member.browser, opener);
    const claims = { ...other.claims, email_verified: true };
    const { callback } = await startSignIn(target, member.browser, { claims }, path);
    const refused = await member.browser.navigate(callback);
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([409, 'credential_already_linked']);
    expect(await refused.text()).toContain(`href="/popup/login?c=${opener.id}"`);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
  });

  it('is approved even if the account is already linked', async () => {
    const member = await newMember(target);
    const opener = await linking(member);
    const path = await startOf(member.browser, opener);
    const claims = { ...member.claims, email_verified: true };
    const { callback } = await startSignIn(target, member.browser, { claims }, path);
    expect((await member.browser.navigate(callback)).status).toBe(302);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
    await signIn(target, member.browser, member.claims);
    expect(await credentialsOf(member)).toHaveLength(1);
  });
});
