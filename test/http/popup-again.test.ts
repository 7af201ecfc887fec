import { describe, expect, it } from 'vitest';
import { seen, unauthenticated } from '../support/answers.ts';
import { json, openBrowser } from '../support/browser.ts';
import { type Member, newMember, startSignIn } from '../support/people.ts';
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

/** A page of the app that requires the member to sign in again. */
async function asking(member: Member): Promise<Opener> {
  const opener = makeOpener(target);
  const answer = await opener.register({ prompt: 'login' }, { Cookie: await member.browser.cookies() });
  if (answer.status !== 200) throw new Error(`not registered: ${answer.status} ${await answer.text()}`);
  return opener;
}

describe('a popup that makes a signed-in person sign in again', () => {
  it('has no button to continue, and is approved by a new sign-in', async () => {
    const member = await newMember(target);
    const opener = await asking(member);
    const page = await (await openPopup(member.browser, opener)).text();
    expect(page).toContain(`Sign in as ${member.handle}@pid again`);
    expect(page).not.toContain('value="approved"');
    expect(page).toContain(`href="/v1/auth/idp?popup=${opener.id}&amp;prompt=login"`);
    await signInInPopup(target, member.browser, opener.id, member.claims);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
  });

  it('is approved neither by the existing session nor by another person’s sign-in', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const opener = await asking(member);
    const fields = await decisionFields(await openPopup(member.browser, opener));
    const forged = await decide(target, member.browser, opener.id, { ...fields, decision: 'approved' });
    expect(forged.status).toBe(400);
    const plain = makeOpener(target);
    await plain.register();
    const { token } = await decisionFields(await openPopup(member.browser, plain));
    const mixed = await decide(target, member.browser, opener.id, { ...fields, token, decision: 'approved' });
    expect(mixed.status).toBe(400);
    await signInInPopup(target, openBrowser(target), opener.id, other.claims);
    await signInInPopup(target, other.browser, opener.id, other.claims);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    await signInInPopup(target, other.browser, opener.id, member.claims);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
  });

  it('is registered only with a session, and may be cancelled', async () => {
    expect(await seen(await makeOpener(target).register({ prompt: 'login' }))).toEqual(unauthenticated);
    const member = await newMember(target);
    const opener = await asking(member);
    const fields = await decisionFields(await openPopup(member.browser, opener));
    await decide(target, member.browser, opener.id, { ...fields, decision: 'denied' });
    expect(await opener.poll()).toMatchObject({ status: 'denied' });
  });
});

describe('a redirect that makes a signed-in person sign in again', () => {
  it('also requires a new sign-in at the provider', async () => {
    const { browser, claims } = await newMember(target);
    const answer = await browser.fetch('/v1/auth/login', json('POST', { provider: 'idp', prompt: 'login' }));
    const { url } = (await answer.json()) as { url: string };
    const { authorizeUrl, callback } = await startSignIn(target, browser, { claims }, url);
    expect(authorizeUrl.searchParams.get('prompt')).toBe('login');
    expect((await browser.navigate(callback)).status).toBe(302);
    const page = await (await browser.navigate('/signin?prompt=login')).text();
    expect(page).toContain('href="/v1/auth/idp?prompt=login"');
    const plain = await startSignIn(target, browser, { claims });
    expect(plain.authorizeUrl.searchParams.has('prompt')).toBe(false);
  });
});
